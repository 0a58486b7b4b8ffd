package dev.veilgate.gateway.memory;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/**
 * Bytes that lie somewhere else in pieces, one of which is in memory at a time. Reading ends behind the last byte and
 * never before: a piece that cannot be read is an error. For one thread.
 */
public final class PieceStream extends InputStream {
    private final Pieces pieces;
    private byte[] piece = {};
    private int at;
    private int number;
    private long left;

    /** A source of pieces. */
    @FunctionalInterface
    public interface Pieces {
        /**
         * Reads a piece.
         *
         * @param number from 0 on
         * @throws IOException if it is not there any more
         */
        byte[] read(int number) throws IOException;
    }

    /**
     * Nothing is read yet.
     *
     * @param bytes of all pieces together
     */
    public PieceStream(long bytes, Pieces pieces) {
        this.left = bytes;
        this.pieces = pieces;
    }

    @Override
    public int read() throws IOException {
        return advance() ? piece[at++] & 0xff : -1;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        if (length == 0) {
            return 0;
        }
        if (!advance()) {
            return -1;
        }
        int count = Math.min(length, piece.length - at);
        System.arraycopy(piece, at, into, offset, count);
        at += count;
        return count;
    }

    /** Reads the next piece if this one is used up; tells if a byte is left. */
    private boolean advance() throws IOException {
        while (at == piece.length && left > 0) {
            piece = pieces.read(number++);
            at = 0;
            left -= piece.length;
        }
        return at < piece.length;
    }
}
