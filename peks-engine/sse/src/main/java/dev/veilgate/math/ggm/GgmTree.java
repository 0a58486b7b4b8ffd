package dev.veilgate.math.ggm;

import java.util.Arrays;

/**
 * A tree of pseudorandom values, by Goldreich, Goldwasser and Micali (1986): each node has 16 bytes, from which both
 * its children follow, so that whoever gets a node has all leaves below it and nothing else.
 *
 * <pre>
 *   child(x, bit) = H(x xor bit)        bit in the lowest bit of the last byte; H is {@link FixedKeyHash#one}
 *   leaf(root, j) = the root's descendant along the bits of j, the highest first
 * </pre>
 *
 * <p>Leaves that were not given are pseudorandom, in the model where AES under a fixed key is a public random
 * permutation. All trees have the same one, so that whoever sees n nodes finds one more by 2^128 / n guesses.
 *
 * <p>Work is done in bulk, a level of all nodes at a time: one block of AES a node.
 *
 * <p>For one thread.
 */
public final class GgmTree {
    /** Bytes of a node. */
    public static final int NODE_BYTES = FixedKeyHash.BYTES;

    /** Most levels below a root. */
    public static final int MAX_DEPTH = 64;

    private final FixedKeyHash hash = FixedKeyHash.of("tree");
    private final int depth;

    /**
     * A tree of 2^depth leaves.
     *
     * @param depth 0 to {@value #MAX_DEPTH}
     */
    public GgmTree(int depth) {
        if (depth < 0 || depth > MAX_DEPTH) {
            throw new IllegalArgumentException("a tree has 0 to " + MAX_DEPTH + " levels");
        }
        this.depth = depth;
    }

    /** The number of levels that a tree of so many leaves needs. */
    public static int depthOf(int leaves) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(leaves - 1);
    }

    /** The number of levels below the root. */
    public int depth() {
        return depth;
    }

    /**
     * Replaces roots, of the same tree or of several, by a leaf below each.
     *
     * @param nodes  the roots, one after the other
     * @param leaves the number of each one's leaf
     * @param count  how many there are
     */
    public void descend(byte[] nodes, long[] leaves, int count) {
        for (int level = 0; level < depth; level++) {
            int shift = depth - 1 - level;
            for (int i = 0; i < count; i++) {
                nodes[i * NODE_BYTES + NODE_BYTES - 1] ^= (byte) (leaves[i] >>> shift & 1);
            }
            hash.one(nodes, count);
        }
    }

    /**
     * The siblings along the way to a leaf, from the root's child down: with them all leaves but this one are known.
     *
     * @return {@link #depth} nodes
     */
    public byte[] siblings(byte[] root, long leaf) {
        byte[] siblings = new byte[depth * NODE_BYTES];
        byte[] both = new byte[2 * NODE_BYTES];
        byte[] node = root.clone();
        for (int level = 0; level < depth; level++) {
            int bit = (int) (leaf >>> depth - 1 - level & 1);
            children(node, 1, both);
            System.arraycopy(both, (1 - bit) * NODE_BYTES, siblings, level * NODE_BYTES, NODE_BYTES);
            System.arraycopy(both, bit * NODE_BYTES, node, 0, NODE_BYTES);
        }
        Arrays.fill(node, (byte) 0);
        Arrays.fill(both, (byte) 0);
        return siblings;
    }

    /**
     * Replaces nodes at several depths by a leaf below each.
     *
     * @param nodes  one after the other
     * @param levels of each node, ascending; 0 is a root
     * @param leaves the number of each one's leaf in the whole tree
     * @param count  how many there are
     */
    public void descendFrom(byte[] nodes, int[] levels, long[] leaves, int count) {
        int begun = 0;
        for (int level = 0; level < depth; level++) {
            while (begun < count && levels[begun] <= level) {
                begun++;
            }
            int shift = depth - 1 - level;
            for (int i = 0; i < begun; i++) {
                nodes[i * NODE_BYTES + NODE_BYTES - 1] ^= (byte) (leaves[i] >>> shift & 1);
            }
            hash.one(nodes, begun);
        }
    }

    /** Writes both children of each node, the left one first. */
    void children(byte[] nodes, int count, byte[] out) {
        for (int i = 0; i < count; i++) {
            int at = 2 * i * NODE_BYTES;
            System.arraycopy(nodes, i * NODE_BYTES, out, at, NODE_BYTES);
            System.arraycopy(nodes, i * NODE_BYTES, out, at + NODE_BYTES, NODE_BYTES);
            out[at + 2 * NODE_BYTES - 1] ^= 1;
        }
        hash.one(out, 2 * count);
    }
}
