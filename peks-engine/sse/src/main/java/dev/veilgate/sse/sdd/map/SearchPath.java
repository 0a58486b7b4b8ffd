package dev.veilgate.sse.sdd.map;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The nodes from the root to a key, or to where it belongs. An insertion changes these alone: rotations are among them,
 * for a node knows the heights of its children.
 */
final class SearchPath {
    private final long high;
    private final long low;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Boolean> lefts = new ArrayList<>();
    private final Map<Integer, Node> byId = new HashMap<>();
    private @Nullable Node found;
    private int nextId;
    private int nextLeaf;

    SearchPath(long high, long low, int rootId, int rootLeaf) {
        this.high = high;
        this.low = low;
        this.nextId = rootId;
        this.nextLeaf = rootLeaf;
    }

    /** First half of the key. */
    long high() {
        return high;
    }

    /** Second half of it. */
    long low() {
        return low;
    }

    /** The node that comes next; 0 at the end. */
    int nextId() {
        return nextId;
    }

    /** The leaf of the node that comes next. */
    int nextLeaf() {
        return nextLeaf;
    }

    /** Takes the next node. */
    void take(Node node) {
        int order = node.compare(high, low);
        nodes.add(node);
        byId.put(node.id, node);
        lefts.add(order < 0);
        if (order == 0) {
            found = node;
            nextId = 0;
        } else {
            nextId = order < 0 ? node.leftId : node.rightId;
            nextLeaf = order < 0 ? node.leftLeaf : node.rightLeaf;
        }
    }

    /** The node of the key, if the map has it. */
    @Nullable
    Node found() {
        return found;
    }

    /**
     * Puts a node where the key belongs, and balances.
     *
     * @return the root
     */
    Node insert(Node added) {
        byId.put(added.id, added);
        Node below = added;
        for (int i = nodes.size() - 1; i >= 0; i--) {
            Node node = nodes.get(i);
            if (lefts.get(i)) {
                node.setLeft(below);
            } else {
                node.setRight(below);
            }
            below = balanced(node);
        }
        nodes.add(added);
        return below;
    }

    private Node balanced(Node node) {
        if (node.leftHeight > node.rightHeight + 1) {
            Node left = of(node.leftId);
            if (left.rightHeight > left.leftHeight) {
                node.setLeft(rotatedLeft(left));
            }
            return rotatedRight(node);
        }
        if (node.rightHeight > node.leftHeight + 1) {
            Node right = of(node.rightId);
            if (right.leftHeight > right.rightHeight) {
                node.setRight(rotatedRight(right));
            }
            return rotatedLeft(node);
        }
        return node;
    }

    private Node rotatedRight(Node top) {
        Node left = of(top.leftId);
        top.leftId = left.rightId;
        top.leftLeaf = left.rightLeaf;
        top.leftHeight = left.rightHeight;
        left.setRight(top);
        return left;
    }

    private Node rotatedLeft(Node top) {
        Node right = of(top.rightId);
        top.rightId = right.leftId;
        top.rightLeaf = right.leftLeaf;
        top.rightHeight = right.leftHeight;
        right.setLeft(top);
        return right;
    }

    private Node of(int id) {
        Node node = byId.get(id);
        if (node == null) {
            throw new IllegalStateException("an insertion makes its own path higher, and no other");
        }
        return node;
    }

    /** All nodes that were taken or put. */
    List<Node> nodes() {
        return nodes;
    }

    /** After the nodes got new leaves: says them to those above. */
    void link() {
        for (Node node : nodes) {
            Node left = byId.get(node.leftId);
            if (left != null) {
                node.leftLeaf = left.leaf;
            }
            Node right = byId.get(node.rightId);
            if (right != null) {
                node.rightLeaf = right.leaf;
            }
        }
    }
}
