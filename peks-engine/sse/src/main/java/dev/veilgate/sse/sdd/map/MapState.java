package dev.veilgate.sse.sdd.map;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The owner's state of a map, sealed at the server: the root of the tree, the version of the top bucket, the stash. */
final class MapState {
    /** Bytes of an encoding. */
    static final int BYTES = 16 + MapShape.STASH_BLOCKS * Node.BYTES;

    int rootId; // 0 in an empty map
    int rootLeaf;
    int nodes;
    int topVersion;
    final List<Node> stash = new ArrayList<>();

    byte[] encode() {
        ByteBuffer out = ByteBuffer.allocate(BYTES)
                .putInt(rootId)
                .putInt(rootLeaf)
                .putInt(nodes)
                .putInt(topVersion);
        Node.writeAll(stash, MapShape.STASH_BLOCKS, out);
        return out.array();
    }

    static MapState decode(byte[] encoded) {
        ByteBuffer in = ByteBuffer.wrap(encoded);
        MapState state = new MapState();
        state.rootId = in.getInt();
        state.rootLeaf = in.getInt();
        state.nodes = in.getInt();
        state.topVersion = in.getInt();
        while (in.hasRemaining()) {
            if (Node.isNext(in)) {
                state.stash.add(Node.read(in));
            }
        }
        return state;
    }
}
