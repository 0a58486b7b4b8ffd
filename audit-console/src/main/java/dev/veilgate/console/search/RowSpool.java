package dev.veilgate.console.search;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * What a search found and opened, by number. A million rows do not fit into memory, and clear text does not go to a disk: each row is encrypted by AES-256-GCM under a key that is drawn for
 * this spool, is in memory only and is erased with it. The nonce is the row's number, which no other row has. One writer; any number of readers.
 */
final class RowSpool implements AutoCloseable {
    private static final int KEY_BYTES = 32;
    static final int DIGEST_BYTES = 32;
    /** Digest and length of the key stand before the key, and behind it the row. */
    private static final int ROW_AT = DIGEST_BYTES + Short.BYTES;

    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final int READ_BYTES = 1 << 20;

    private final Path file;
    private final FileChannel channel;
    private final byte[] key = new byte[KEY_BYTES];
    private long[] ends = new long[1024];
    private long[] times = new long[1024];
    private int rows;

    RowSpool(Path folder, SecureRandom random) throws IOException {
        Files.createDirectories(folder);
        this.file = Files.createTempFile(folder, "rows-", ".sealed");
        this.channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        random.nextBytes(key);
    }

    /** Rows that were added. */
    synchronized int rows() {
        return rows;
    }

    /**
     * Adds a row.
     *
     * @param digest SHA-256 of the envelope that it was found in; zeros if there was none
     * @param key    text by which it is sorted, at most 65,535 bytes
     * @param millis its time, for the histogram
     */
    void add(byte[] row, byte[] digest, byte[] key, long millis) throws IOException {
        int number = rows();
        ByteBuffer all = ByteBuffer.allocate(ROW_AT + key.length + row.length);
        all.put(digest, 0, DIGEST_BYTES).putShort((short) key.length).put(key).put(row);
        ByteBuffer sealed = ByteBuffer.wrap(crypt(Cipher.ENCRYPT_MODE, number, all.array()));
        long at = number == 0 ? 0 : end(number - 1);
        long end = at + sealed.remaining();
        while (sealed.hasRemaining()) {
            at += channel.write(sealed, at);
        }
        synchronized (this) {
            if (number == ends.length) {
                ends = Arrays.copyOf(ends, 2 * number);
                times = Arrays.copyOf(times, 2 * number);
            }
            ends[number] = end;
            times[number] = millis;
            rows = number + 1;
        }
    }

    private synchronized long end(int number) {
        return ends[number];
    }

    /**
     * A row.
     *
     * @throws IllegalArgumentException if there is none of that number
     * @throws IOException              if the disk does not give it back as it was
     */
    byte[] row(int number) throws IOException {
        byte[] all = all(number);
        return Arrays.copyOfRange(all, ROW_AT + keyBytes(all), all.length);
    }

    private static int keyBytes(byte[] all) {
        return Short.toUnsignedInt(ByteBuffer.wrap(all).getShort(DIGEST_BYTES));
    }

    /** SHA-256 of the envelope that a row was found in, as {@link #add} was given it; as {@link #row}. */
    byte[] digest(int number) throws IOException {
        return Arrays.copyOf(all(number), DIGEST_BYTES);
    }

    private byte[] all(int number) throws IOException {
        if (number < 0 || number >= rows()) {
            throw new IllegalArgumentException("there is no row " + number);
        }
        long from = number == 0 ? 0 : end(number - 1);
        return crypt(Cipher.DECRYPT_MODE, number, sealed(from, end(number)));
    }

    /** Takes a part of each row, one after the other. */
    @FunctionalInterface
    interface Visitor {
        void part(int number, byte[] part) throws IOException;
    }

    /**
     * Reads rows one after the other, much faster than each by itself.
     *
     * @param from first one
     * @param to   behind the last one, at most as many as there are
     */
    void read(int from, int to, Visitor visitor) throws IOException {
        readAll(from, to, (n, all) -> visitor.part(n, Arrays.copyOfRange(all, ROW_AT + keyBytes(all), all.length)));
    }

    /** Reads the texts by which rows are sorted; as {@link #read}. */
    void readKeys(int from, int to, Visitor visitor) throws IOException {
        readAll(from, to, (n, all) -> visitor.part(n, Arrays.copyOfRange(all, ROW_AT, ROW_AT + keyBytes(all))));
    }

    private void readAll(int from, int to, Visitor visitor) throws IOException {
        long[] bounds = new long[to - from + 1];
        synchronized (this) {
            bounds[0] = from == 0 ? 0 : ends[from - 1];
            System.arraycopy(ends, from, bounds, 1, to - from);
        }
        Cipher cipher = cipher();
        int last;
        for (int first = 0; first < to - from; first = last) {
            last = first + 1;
            while (last < to - from && bounds[last + 1] - bounds[first] <= READ_BYTES) {
                last++;
            }
            byte[] sealed = sealed(bounds[first], bounds[last]);
            for (int i = first; i < last; i++) {
                int begin = Math.toIntExact(bounds[i] - bounds[first]);
                int length = Math.toIntExact(bounds[i + 1] - bounds[i]);
                visitor.part(from + i, crypt(cipher, Cipher.DECRYPT_MODE, from + i, sealed, begin, length));
            }
        }
    }

    private byte[] sealed(long from, long to) throws IOException {
        ByteBuffer sealed = ByteBuffer.allocate(Math.toIntExact(to - from));
        while (sealed.hasRemaining()) {
            if (channel.read(sealed, from + sealed.position()) < 0) {
                throw new IOException("the spool of rows is too short");
            }
        }
        return sealed.array();
    }

    private static Cipher cipher() throws IOException {
        try {
            return Cipher.getInstance("AES/GCM/NoPadding");
        } catch (GeneralSecurityException e) {
            throw new IOException("there is no AES", e);
        }
    }

    private byte[] crypt(int mode, int number, byte[] bytes) throws IOException {
        return crypt(cipher(), mode, number, bytes, 0, bytes.length);
    }

    private byte[] crypt(Cipher cipher, int mode, int number, byte[] bytes, int begin, int length) throws IOException {
        try {
            byte[] nonce = ByteBuffer.allocate(NONCE_BYTES).putInt(number).array();
            cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
            return cipher.doFinal(bytes, begin, length);
        } catch (GeneralSecurityException e) {
            throw new IOException("a row of the spool was altered", e);
        }
    }

    /**
     * How many rows fall into each of some parts of a time, whole milliseconds long. Each has its beginning and not its end, as a search has.
     *
     * @param toMillis    behind fromMillis
     * @param widthMillis of a part; the last one may be shorter
     */
    synchronized long[] histogram(long fromMillis, long toMillis, long widthMillis) {
        long[] counts = new long[Math.toIntExact(Math.ceilDiv(toMillis - fromMillis, widthMillis))];
        for (int i = 0; i < rows; i++) {
            if (times[i] >= fromMillis && times[i] < toMillis) {
                counts[(int) ((times[i] - fromMillis) / widthMillis)]++;
            }
        }
        return counts;
    }

    /** The times of the first rows, in milliseconds. */
    synchronized long[] times(int first) {
        return Arrays.copyOf(times, first);
    }

    /** The earliest time, and the first millisecond behind the latest; 0 and 0 without rows. */
    synchronized long[] span() {
        return rows == 0
                ? new long[] {0, 0}
                : new long[] {
                    Arrays.stream(times, 0, rows).min().orElse(0),
                    Arrays.stream(times, 0, rows).max().orElse(0) + 1
                };
    }

    @Override
    public void close() throws IOException {
        try {
            channel.close(); // first: nobody writes a row under a key of zeros
            Files.deleteIfExists(file);
        } finally {
            Arrays.fill(key, (byte) 0);
        }
    }
}
