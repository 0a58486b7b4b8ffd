package dev.veilgate.archive;

import dev.veilgate.archive.words.DocumentWords;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.secret.Secret;
import dev.veilgate.sse.segments.WordCounts;
import java.io.IOException;

/**
 * A document that is to be added, with its words.
 *
 * @param name   by which its owner knows it
 * @param digest SHA-256 of its content
 * @param place  of its first byte in the file that it is a part of; else 0
 * @param words  each with how often it occurs
 * @param rules  of {@link dev.veilgate.extract.ExtractorProfile}, by which they were made
 */
@Secret
public record ReadDocument(String name, byte[] digest, long place, WordCounts words, int rules) {
    /** Copies. */
    public ReadDocument {
        digest = digest.clone();
    }

    /** A document whose words were made by rules 1. */
    public ReadDocument(String name, byte[] digest, long place, WordCounts words) {
        this(name, digest, place, words, ExtractorProfile.RULES);
    }

    /**
     * Reads the words of a document.
     *
     * @param words are cleared before
     */
    static ReadDocument of(NewDocument document, DocumentWords words) throws IOException {
        document.words().read(words.clear());
        return new ReadDocument(document.name(), document.digest(), document.place(), words.counts(), words.rules());
    }

    @Override
    public byte[] digest() {
        return digest.clone();
    }

    /** Shows nothing of it. */
    @Override
    public String toString() {
        return "ReadDocument[hidden]";
    }
}
