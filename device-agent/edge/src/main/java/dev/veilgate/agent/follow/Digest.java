package dev.veilgate.agent.follow;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * SHA-256 of a few bytes of a file.
 *
 * @param length how many
 * @param sha256 empty for none
 */
record Digest(int length, byte[] sha256) {
    static final int HEAD_BYTES = 1024;
    static final int TAIL_BYTES = 1024;
    /** A record may be longer than that, and is kept whole. */
    static final int MOST_TAIL_BYTES = 1 << 26;

    static final Digest EMPTY = new Digest(0, new byte[0]);

    static Digest of(byte[] bytes, int from, int to) {
        if (to <= from) {
            return EMPTY;
        }
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(bytes, from, to - from);
            return new Digest(to - from, sha.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256", e);
        }
    }

    /** Whether these bytes are zeros alone, with which files begin that were allocated or cut under their writers. */
    boolean isOfZeros() {
        return length > 0
                && length <= HEAD_BYTES
                && of(new byte[length], 0, length).equals(this);
    }

    /** Whether the file has these bytes at a place. */
    boolean isAt(FileChannel file, long from) throws IOException {
        if (length == 0) {
            return true;
        }
        if (from < 0) {
            return false;
        }
        byte[] bytes = read(file, from, length);
        return bytes.length == length && of(bytes, 0, length).equals(this);
    }

    /** Up to so many bytes of a file. */
    static byte[] read(FileChannel file, long from, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(length);
        while (buffer.hasRemaining() && file.read(buffer, from + buffer.position()) > 0) {
            // as much as there is
        }
        return Arrays.copyOf(buffer.array(), buffer.position());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Digest that && length == that.length && MessageDigest.isEqual(sha256, that.sha256);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(sha256);
    }
}
