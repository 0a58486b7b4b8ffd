package dev.veilgate.sse.sdd.map;

import java.nio.ByteBuffer;

/** A node of the AVL tree, and a block of the ORAM. It knows number, leaf and height of its children. */
final class Node {
    /** Bytes of an encoding. */
    static final int BYTES = 48;

    final int id; // 1 and more; 0 is none
    final long high;
    final long low;
    int leaf;
    int count;
    int leftId;
    int leftLeaf;
    int leftHeight;
    int rightId;
    int rightLeaf;
    int rightHeight;

    Node(int id, long high, long low) {
        this.id = id;
        this.high = high;
        this.low = low;
    }

    /** Negative if a key is left of this node's, 0 if it is this node's. */
    int compare(long otherHigh, long otherLow) {
        int order = Long.compareUnsigned(otherHigh, high);
        return order != 0 ? order : Long.compareUnsigned(otherLow, low);
    }

    int height() {
        return 1 + Math.max(leftHeight, rightHeight);
    }

    void setLeft(Node child) {
        leftId = child.id;
        leftHeight = child.height();
    }

    void setRight(Node child) {
        rightId = child.id;
        rightHeight = child.height();
    }

    void write(ByteBuffer out) {
        out.putInt(id).putInt(leaf).putLong(high).putLong(low).putInt(count);
        out.put((byte) leftHeight).put((byte) rightHeight).putShort((short) 0);
        out.putInt(leftId).putInt(leftLeaf).putInt(rightId).putInt(rightLeaf);
    }

    static Node read(ByteBuffer in) {
        int id = in.getInt();
        int leaf = in.getInt();
        Node node = new Node(id, in.getLong(), in.getLong());
        node.leaf = leaf;
        node.count = in.getInt();
        node.leftHeight = in.get();
        node.rightHeight = in.get();
        in.getShort();
        node.leftId = in.getInt();
        node.leftLeaf = in.getInt();
        node.rightId = in.getInt();
        node.rightLeaf = in.getInt();
        return node;
    }

    /** Writes nodes, then nothing up to a number of them. */
    static void writeAll(Iterable<Node> nodes, int room, ByteBuffer out) {
        int end = out.position() + room * BYTES;
        nodes.forEach(node -> node.write(out));
        out.position(end);
    }

    /** The inverse of {@link #writeAll}: the next node, or none where the room is empty. */
    static boolean isNext(ByteBuffer in) {
        if (in.getInt(in.position()) == 0) {
            in.position(in.position() + BYTES);
            return false;
        }
        return true;
    }
}
