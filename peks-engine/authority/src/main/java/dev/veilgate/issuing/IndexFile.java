package dev.veilgate.issuing;

import dev.veilgate.files.DurableFiles;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * For each entry its place in {@link EntryFile} (8 bytes) and its leaf hash (32 bytes). It follows from the entries and is made again from them when it is lost; it is written after
 * they are durable, so what it knows of was acknowledged.
 */
final class IndexFile implements Closeable {
    static final String NAME = "index.vgl";
    static final int RECORD_BYTES = 8 + Merkle.BYTES;

    private final Path file;
    private final RandomAccessFile handle;
    private long count;

    private IndexFile(Path file, RandomAccessFile handle, long count) {
        this.file = file;
        this.handle = handle;
        this.count = count;
    }

    /** Opens the file, or makes an empty one. Records that a crash left unwritten are not counted. */
    static IndexFile open(Path file) throws IOException {
        if (Files.notExists(file)) {
            DurableFiles.replace(DurableFiles.folderOf(file), file.getFileName().toString(), null, new byte[0]);
        }
        RandomAccessFile handle = new RandomAccessFile(file.toFile(), "rw");
        IndexFile index = new IndexFile(file, handle, handle.length() / RECORD_BYTES);
        byte[] unwritten = new byte[RECORD_BYTES];
        while (index.count > 0 && Arrays.equals(index.record(index.count - 1), unwritten)) {
            index.count--;
        }
        return index;
    }

    /** One entry's. */
    record Place(long offset, byte[] leaf) {}

    synchronized long count() {
        return count;
    }

    /** Adds records, in the file's form. */
    synchronized void append(byte[] records) throws IOException {
        handle.seek(count * RECORD_BYTES);
        handle.write(records);
        count += records.length / RECORD_BYTES;
    }

    static void put(ByteBuffer records, long offset, byte[] leaf) {
        records.putLong(offset).put(leaf);
    }

    /** Takes away all records from a place on. */
    synchronized void cut(long newCount) throws IOException {
        handle.setLength(newCount * RECORD_BYTES);
        count = newCount;
    }

    /** That of an entry, by its index from 0. */
    synchronized Place place(long index) throws IOException {
        if (index < 0 || index >= count) {
            throw new IllegalArgumentException("no such entry");
        }
        ByteBuffer record = ByteBuffer.wrap(record(index));
        byte[] leaf = new byte[Merkle.BYTES];
        record.get(8, leaf);
        return new Place(record.getLong(), leaf);
    }

    private byte[] record(long index) throws IOException {
        byte[] record = new byte[RECORD_BYTES];
        handle.seek(index * RECORD_BYTES);
        handle.readFully(record);
        return record;
    }

    /** What is done with each leaf. */
    @FunctionalInterface
    interface Each {
        void leaf(byte[] leaf) throws IOException;
    }

    /** All leaf hashes in order. */
    void forEachLeaf(Each each) throws IOException {
        long all = count();
        try (DataInputStream in =
                new DataInputStream(new BufferedInputStream(new FileInputStream(file.toFile()), 1 << 16))) {
            for (long i = 0; i < all; i++) {
                in.readLong();
                each.leaf(in.readNBytes(Merkle.BYTES));
            }
        }
    }

    /** Makes what was added durable. */
    synchronized void force() throws IOException {
        handle.getFD().sync();
    }

    @Override
    public synchronized void close() throws IOException {
        handle.close();
    }
}
