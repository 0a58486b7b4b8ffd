package dev.veilgate.sse.segments;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The first bytes of an object: {@code veilarc1} || v. For tools that look at a folder; readers have v elsewhere. */
final class ObjectHead {
    private static final byte[] MAGIC = "veilarc1".getBytes(StandardCharsets.US_ASCII);

    static final int BYTES = MAGIC.length + SegmentKeys.V_BYTES;

    private ObjectHead() {}

    static byte[] of(byte[] v) {
        return ByteBuffer.allocate(BYTES).put(MAGIC).put(v).array();
    }
}
