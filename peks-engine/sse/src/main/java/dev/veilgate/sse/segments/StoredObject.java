package dev.veilgate.sse.segments;

import dev.veilgate.sse.BlobName;
import dev.veilgate.sse.BlobStore;
import java.io.IOException;
import java.security.MessageDigest;

/** Reads objects whole, piece by piece. */
final class StoredObject {
    private static final int PIECE_BYTES = 1 << 20;

    private StoredObject() {}

    /** The name that the bytes under a name should have. */
    static BlobName nameOf(BlobStore objects, BlobName name) throws IOException {
        MessageDigest digest = BlobName.sha256();
        long at = 0;
        for (byte[] piece = objects.read(name, at, PIECE_BYTES);
                piece.length > 0;
                piece = objects.read(name, at, PIECE_BYTES)) {
            digest.update(piece);
            at += piece.length;
        }
        return BlobName.of(digest);
    }
}
