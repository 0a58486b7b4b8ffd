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
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

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

    /** How many there are. */
    synchronized int rows() {
        return rows;
    }

    /**
     * Adds a row.
     *
     * @param digest SHA-256 of the envelope that it was found in; zeros if there was none
     * @param millis its time, for the histogram
     */
    void add(byte[] row, byte[] digest, long millis) throws IOException {
        int number = rows();
        byte[] both = Arrays.copyOf(digest, DIGEST_BYTES + row.length);
        System.arraycopy(row, 0, both, DIGEST_BYTES, row.length);
        ByteBuffer sealed = ByteBuffer.wrap(crypt(Cipher.ENCRYPT_MODE, number, both));
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
        byte[] both = both(number);
        return Arrays.copyOfRange(both, DIGEST_BYTES, both.length);
    }

    /** SHA-256 of the envelope that a row was found in, as {@link #add} was given it; as {@link #row}. */
    byte[] digest(int number) throws IOException {
        return Arrays.copyOf(both(number), DIGEST_BYTES);
    }

    private byte[] both(int number) throws IOException {
        if (number < 0 || number >= rows()) {
            throw new IllegalArgumentException("there is no row " + number);
        }
        long from = number == 0 ? 0 : end(number - 1);
        ByteBuffer sealed = ByteBuffer.allocate(Math.toIntExact(end(number) - from));
        while (sealed.hasRemaining()) {
            if (channel.read(sealed, from + sealed.position()) < 0) {
                throw new IOException("the spool of rows is too short");
            }
        }
        return crypt(Cipher.DECRYPT_MODE, number, sealed.array());
    }

    private byte[] crypt(int mode, int number, byte[] bytes) throws IOException {
        try {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            byte[] nonce = ByteBuffer.allocate(NONCE_BYTES).putInt(number).array();
            cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
            return cipher.doFinal(bytes);
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
