package dev.veilgate.archive;

import dev.veilgate.archive.words.DocumentWords;
import java.io.IOException;

/**
 * A document that is to be added, if the archive has it not as it is.
 *
 * @param name   by which its owner knows it: a file's path, perhaps with a part of it behind a number sign
 * @param digest SHA-256 of its content: one that did not change is not added again
 * @param place  of its first byte in the file that it is a part of; else 0
 * @param bytes  about how many of its file it takes
 * @param words  reads its words, which is done only if it has to be added
 */
public record NewDocument(String name, byte[] digest, long place, long bytes, Words words) {
    /** Copies. */
    public NewDocument {
        digest = digest.clone();
    }

    /** Reads the words of a document. */
    @FunctionalInterface
    public interface Words {
        /** Adds its words to what has none. */
        void read(DocumentWords words) throws IOException;
    }

    @Override
    public byte[] digest() {
        return digest.clone();
    }

    /** Shows nothing of it. */
    @Override
    public String toString() {
        return "NewDocument[hidden]";
    }
}
