package dev.veilgate.gateway.store;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/**
 * Content of a stored envelope, read piece by piece, so that a large mail need not be in memory as a whole. May be read
 * several times.
 */
public interface StoredContent {
    /** Bytes of each piece but the last; stores hold pieces of this length. */
    int PIECE_BYTES = 1 << 20;

    /** Number of bytes. */
    long bytes();

    /** The bytes from the start. Reading fails if the envelope is deleted meanwhile. */
    InputStream open();

    /** Content in memory; not copied. */
    static StoredContent of(byte[] content) {
        return new StoredContent() {
            @Override
            public long bytes() {
                return content.length;
            }

            @Override
            public InputStream open() {
                return new ByteArrayInputStream(content);
            }
        };
    }

    /** A source of pieces. */
    interface Pieces {
        /** The piece with a number, from 0 on. */
        byte[] read(int number) throws IOException;
    }

    /** Content in pieces of {@link #PIECE_BYTES}, each read when it is needed. */
    static StoredContent of(long bytes, Pieces pieces) {
        return new StoredContent() {
            @Override
            public long bytes() {
                return bytes;
            }

            @Override
            public InputStream open() {
                return new PieceStream(bytes, pieces);
            }
        };
    }

    /** Pieces one behind the other. */
    final class PieceStream extends InputStream {
        private final Pieces pieces;
        private byte[] piece = {};
        private int at;
        private int number;
        private long left;

        private PieceStream(long bytes, Pieces pieces) {
            this.pieces = pieces;
            this.left = bytes;
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

        /** Whether there is another byte. */
        private boolean advance() throws IOException {
            if (at == piece.length && left > 0) {
                piece = pieces.read(number++);
                at = 0;
                if (piece.length != Math.min(left, PIECE_BYTES)) {
                    throw new IOException("a piece of a stored content is damaged");
                }
                left -= piece.length;
            }
            return at < piece.length;
        }
    }
}
