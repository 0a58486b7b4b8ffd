package dev.veilgate.sse.sdd.map;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A bucket while an increment has it: which versions its children have, and the blocks that go into it. */
final class Bucket {
    /** Bytes of an encoding. */
    static final int BYTES = 8 + MapShape.BUCKET_BLOCKS * Node.BYTES;

    int leftVersion;
    int rightVersion;
    final List<Node> nodes = new ArrayList<>(MapShape.BUCKET_BLOCKS);

    byte[] encode() {
        ByteBuffer out = ByteBuffer.allocate(BYTES).putInt(leftVersion).putInt(rightVersion);
        Node.writeAll(nodes, MapShape.BUCKET_BLOCKS, out);
        return out.array();
    }
}
