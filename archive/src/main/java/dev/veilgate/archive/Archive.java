package dev.veilgate.archive;

import dev.veilgate.sse.RefusedException;
import dev.veilgate.sse.SseException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * An archive in a folder: words of documents that its owner alone can search. What a method did is durable when it
 * returns. What ends with an {@link dev.veilgate.sse.UnsettledException} may have been done, or may be yet, and can be
 * done again. For one thread.
 */
public sealed interface Archive extends AutoCloseable permits ArchiveFolder, SegmentFolder {
    /**
     * Opens an archive of any scheme.
     *
     * @param device where keys are that are not in the archive's folder
     * @throws NoSuchFileException if there is no such folder
     * @throws UnusableArchiveException if it is no archive, or damaged
     * @throws UnusableKeyException if the key is missing or not this archive's
     */
    static Archive open(Path folder, DevicePlaces device, SecureRandom random) throws IOException {
        return SegmentFolder.isThere(folder)
                ? SegmentFolder.open(folder, device, random)
                : ArchiveFolder.open(folder, random);
    }

    /** Name of the scheme. */
    String schemeName();

    /** Work of an earlier process that was done when this was opened. */
    Resumed resumed();

    /** Documents that are added at a time, if nobody says otherwise. */
    int usualBatch();

    /** Tells if it can be asked for what lies between two numbers or times. */
    boolean answersRanges();

    /** Tells which documents need not be added: the archive has their names with the same digests. In their order. */
    boolean[] same(List<NewDocument> documents) throws IOException;

    /**
     * Adds documents, all of them or none, each in place of the one that has its name.
     *
     * @param added no two of the same name
     * @throws RefusedException if the scheme has no room for them, or would have to delete and cannot; nothing is
     *                          changed
     * @throws SseException if they were added, and the scheme cannot delete those that had their names
     */
    Added add(List<ReadDocument> added) throws IOException;

    /**
     * Documents that were given to be added.
     *
     * @param added    those that were
     * @param replaced those of them that took the place of others
     * @param same     those that were there as they are
     */
    record Added(int added, int replaced, int same) {
        /** No documents. */
        static final Added NONE = new Added(0, 0, 0);
    }

    /** Work before a change that is the most of it, and changes nothing. */
    @FunctionalInterface
    interface Preparation {
        /**
         * Does it. May be called by another thread while the archive is used, and gets a new key.
         *
         * @throws RefusedException as {@link Archive#add}
         */
        Ready prepare() throws IOException;
    }

    /** A change that is prepared. */
    @FunctionalInterface
    interface Ready extends AutoCloseable {
        /**
         * Makes it, with what {@link Archive#add} gives and throws. If the archive has got a new key since, the work is
         * done again first.
         */
        Added commit() throws IOException;

        /** Lets go of what the preparation needed. */
        @Override
        default void close() throws IOException {}
    }

    /**
     * Begins an addition, of which the work may be done while the one before is committed.
     *
     * @param added no two of the same name
     */
    default Preparation preparation(List<ReadDocument> added) throws IOException {
        return () -> () -> add(added);
    }

    /**
     * Begins what is worth doing while documents are added, such as a merge: it adds none, and takes longer than a
     * batch. {@link #maintain} does all that is left.
     */
    default Optional<Preparation> upkeep() throws IOException {
        return Optional.empty();
    }

    /** Whether there is a document of a name. */
    boolean has(String name) throws IOException;

    /** The names that documents have, of some. */
    List<String> present(List<String> names) throws IOException;

    /**
     * Deletes documents by their names; names that it has not are passed over.
     *
     * @return how many there were
     * @throws RefusedException if the scheme cannot, or has no room for it: then some may be deleted and others not
     */
    int deleteNamed(Collection<String> names) throws IOException;

    /**
     * Deletes the parts that a file had before and has no more: those numbered above what it has now.
     *
     * @param file   its name, behind which parts have a number sign and their number
     * @param asRead tells if the file still is as it was read. Asked when the parts were looked up: another process may
     *               have added what came since
     * @return how many there were
     */
    long deletePartsAbove(String file, long parts, BooleanSupplier asRead) throws IOException;

    /**
     * Searches.
     *
     * @param query as people type it
     * @param most  most documents of the answer
     * @param best  whether these are the best, best first
     * @throws RefusedException if it cannot be read, or not be answered
     */
    Answer search(String query, int most, boolean best) throws IOException;

    /** Tidies up after additions and deletions, as far as it is worth it. */
    void maintain() throws IOException;

    /** The name of a part of a file, such as a row. */
    static String partName(String file, long part) {
        return file + "#" + part;
    }

    @Override
    void close();
}
