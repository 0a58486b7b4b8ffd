package dev.veilgate.gateway.store;

import dev.veilgate.gateway.memory.PieceStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;

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

    /** Content in pieces of {@link #PIECE_BYTES}, each read when it is needed. */
    static StoredContent of(long bytes, PieceStream.Pieces pieces) {
        return new StoredContent() {
            @Override
            public long bytes() {
                return bytes;
            }

            @Override
            public InputStream open() {
                return new PieceStream(
                        bytes, number -> whole(pieces.read(number), bytes - (long) number * PIECE_BYTES));
            }
        };
    }

    private static byte[] whole(byte[] piece, long expected) throws IOException {
        if (piece.length != Math.min(expected, PIECE_BYTES)) {
            throw new IOException("a piece of a stored content is damaged");
        }
        return piece;
    }
}
