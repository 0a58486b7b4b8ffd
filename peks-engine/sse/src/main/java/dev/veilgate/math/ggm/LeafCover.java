package dev.veilgate.math.ggm;

import dev.veilgate.encoding.MalformedEncodingException;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The fewest nodes of a tree that give all of its leaves but revoked ones. Which nodes these are follows from the
 * revoked leaves, so that only their bytes are sent, level by level from the root, each level from left to right.
 *
 * <p>r revoked ones of 2^depth leaves take at most r (depth - log2 r) nodes (Naor, Naor, Lotspiech: complete subtree,
 * 2001).
 */
public final class LeafCover {
    /** Most levels, as all leaves are listed. */
    public static final int MAX_DEPTH = 26;

    private final GgmTree tree;
    private final BitSet[] mixed;

    /**
     * The cover of a tree.
     *
     * @param tree    at most {@value #MAX_DEPTH} levels
     * @param revoked numbers of the leaves that it does not give
     */
    public LeafCover(GgmTree tree, BitSet revoked) {
        int depth = tree.depth();
        if (depth > MAX_DEPTH || revoked.length() > 1 << depth) {
            throw new IllegalArgumentException("leaves are listed of trees of at most " + MAX_DEPTH + " levels");
        }
        this.tree = tree;
        mixed = new BitSet[depth + 1];
        mixed[depth] = revoked;
        for (int level = depth - 1; level >= 0; level--) {
            BitSet parents = new BitSet();
            BitSet below = mixed[level + 1];
            for (int at = below.nextSetBit(0); at >= 0; at = below.nextSetBit(at + 1)) {
                parents.set(at >>> 1);
            }
            mixed[level] = parents;
        }
    }

    /** The number of its nodes. */
    public int size() {
        int nodes = mixed[0].isEmpty() ? 1 : 0;
        for (int level = 1; level < mixed.length; level++) {
            nodes += 2 * mixed[level - 1].cardinality() - mixed[level].cardinality();
        }
        return nodes;
    }

    /** The bytes of its nodes, from the root. */
    public byte[] nodes(byte[] root) {
        if (mixed[0].isEmpty()) {
            return root.clone();
        }
        byte[] cover = new byte[size() * GgmTree.NODE_BYTES];
        int used = 0;
        byte[] inner = root.clone();
        for (int level = 1; level < mixed.length; level++) {
            int count = inner.length / GgmTree.NODE_BYTES;
            byte[] children = new byte[2 * inner.length];
            tree.children(inner, count, children);
            Arrays.fill(inner, (byte) 0);
            inner = new byte[mixed[level].cardinality() * GgmTree.NODE_BYTES];
            int kept = 0;
            int child = 0;
            for (int parent = mixed[level - 1].nextSetBit(0);
                    parent >= 0;
                    parent = mixed[level - 1].nextSetBit(parent + 1)) {
                for (int bit = 0; bit < 2; bit++, child++) {
                    if (mixed[level].get(2 * parent + bit)) {
                        copy(children, child, inner, kept++);
                    } else {
                        copy(children, child, cover, used++);
                    }
                }
            }
            Arrays.fill(children, (byte) 0);
        }
        Arrays.fill(inner, (byte) 0);
        return cover;
    }

    /**
     * All leaves that the nodes give, each at its number times 16; zeros for revoked ones.
     *
     * @param nodes untrusted
     * @throws MalformedEncodingException if there are not as many as this cover has
     */
    public byte[] leaves(byte[] nodes) throws MalformedEncodingException {
        if (nodes.length != size() * GgmTree.NODE_BYTES) {
            throw new MalformedEncodingException("cover", "must have " + GgmTree.NODE_BYTES + " bytes a node");
        }
        int[] places = mixed[0].isEmpty() ? new int[1] : new int[0];
        byte[] known = mixed[0].isEmpty() ? nodes : new byte[0];
        int used = known.length / GgmTree.NODE_BYTES;
        for (int level = 1; level < mixed.length; level++) {
            int fresh = 2 * mixed[level - 1].cardinality() - mixed[level].cardinality();
            int old = places.length;
            int[] below = new int[2 * old + fresh];
            byte[] values = new byte[below.length * GgmTree.NODE_BYTES];
            tree.children(known, old, values);
            for (int i = 0; i < old; i++) {
                below[2 * i] = 2 * places[i];
                below[2 * i + 1] = 2 * places[i] + 1;
            }
            int next = 2 * old;
            for (int parent = mixed[level - 1].nextSetBit(0);
                    parent >= 0;
                    parent = mixed[level - 1].nextSetBit(parent + 1)) {
                for (int bit = 0; bit < 2; bit++) {
                    if (!mixed[level].get(2 * parent + bit)) {
                        below[next] = 2 * parent + bit;
                        copy(nodes, used++, values, next++);
                    }
                }
            }
            places = below;
            known = values;
        }
        byte[] leaves = new byte[GgmTree.NODE_BYTES << tree.depth()];
        for (int i = 0; i < places.length; i++) {
            copy(known, i, leaves, places[i]);
        }
        return leaves;
    }

    private static void copy(byte[] from, int fromNode, byte[] to, int toNode) {
        System.arraycopy(from, fromNode * GgmTree.NODE_BYTES, to, toNode * GgmTree.NODE_BYTES, GgmTree.NODE_BYTES);
    }
}
