package dev.veilgate.sse;

import org.jspecify.annotations.Nullable;

/**
 * Cells of bytes by key, in tables: what owner and server keep. An implementation is a map in memory, a file, a
 * database.
 */
public interface CellStore extends AutoCloseable {
    /** Most bytes of a key. */
    int MAX_KEY_BYTES = 512;

    /** Most bytes of a value. */
    int MAX_VALUE_BYTES = 1 << 26;

    /**
     * Does some work in one transaction: all of its changes are made and durable when this returns, or none is if it
     * throws. One at a time; no other sees it half done.
     *
     * @param <R> result of the work
     * @param <E> what the work may throw
     * @throws java.io.UncheckedIOException if the store fails
     */
    <R extends @Nullable Object, E extends Exception> R transact(Work<R, E> work) throws E;

    /** Some work on cells. */
    @FunctionalInterface
    interface Work<R extends @Nullable Object, E extends Exception> {
        /** Reads and changes cells, which are not used afterwards. */
        R with(Cells cells) throws E;
    }

    /** Looks at a cell; the arrays are its own, and it leaves them as they are. */
    @FunctionalInterface
    interface Visitor<E extends Exception> {
        /** Looks at the next cell. */
        void visit(byte[] key, byte[] value) throws E;
    }

    /** The cells, within one transaction. */
    interface Cells {
        /** A value, for reading only; null if there is no such cell. */
        byte @Nullable [] get(String table, byte[] key);

        /**
         * Makes or replaces a cell.
         *
         * @throws IllegalArgumentException if key or value is too long
         */
        void put(String table, byte[] key, byte[] value);

        /** Removes a cell, if it is there. */
        void remove(String table, byte[] key);

        /** Visits the cells whose keys begin so, ascending by key, bytes unsigned. They are not changed meanwhile. */
        <E extends Exception> void scan(String table, byte[] prefix, Visitor<E> visitor) throws E;

        /** How many cells a table has. */
        long count(String table);
    }

    /** Frees what it holds open. */
    @Override
    void close();
}
