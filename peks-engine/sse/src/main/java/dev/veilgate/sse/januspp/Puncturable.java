package dev.veilgate.sse.januspp;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.ggm.FixedKeyHash;
import dev.veilgate.math.ggm.GgmTree;
import dev.veilgate.math.ggm.LeafCover;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Symmetric puncturable encryption (S.-F. Sun, X. Yuan, J. Liu, R. Steinfeld, A. Sakzad, V. Vo, S. Nepal: Practical
 * Backward-Secure Searchable Encryption from Symmetric Puncturable Encryption, CCS 2018): of d trees each deletion
 * gives one away but for the leaf of a tag, so that whatever has this tag can be opened no more.
 *
 * <pre>
 *   k_1 ... k_d  = the leaves of a tree below the secret key
 *   mask(t, y)   = first 8 bytes of H2(xor over j of leaf_t(k_j), y)      tags t of so many bits, y a tweak
 *   puncture j   = (t, siblings along the way to leaf t of k_j)
 *   rest         = nodes that give k_(j+1) ... k_d
 * </pre>
 *
 * <p>What has the tag of a puncture stays hidden, in the model where AES under a fixed key is a public random
 * permutation. Different entries of one tag need different tweaks. A mask costs one block of AES for each of d trees
 * and each bit of a tag.
 *
 * <p>For one thread.
 */
final class Puncturable {
    static final int NODE_BYTES = GgmTree.NODE_BYTES;

    /** Most nodes that are worked on at a time. */
    private static final int NODES_AT_A_TIME = 1 << 14;

    private final int trees;
    private final int tagBits;
    private final GgmTree tags;
    private final GgmTree keys;
    private final FixedKeyHash hash = FixedKeyHash.of("januspp/pad");

    /**
     * Keys that can be punctured so often.
     *
     * @param trees   d, at most 2^{@value LeafCover#MAX_DEPTH}
     * @param tagBits 1 to 64
     */
    Puncturable(int trees, int tagBits) {
        this.trees = trees;
        this.tagBits = tagBits;
        tags = new GgmTree(tagBits);
        keys = new GgmTree(GgmTree.depthOf(trees));
    }

    int trees() {
        return trees;
    }

    /** Bytes of a puncture: its tag, and the siblings. */
    int punctureBytes() {
        return Long.BYTES + tagBits * NODE_BYTES;
    }

    /** All keys below a secret key. */
    byte[] expand(byte[] secret) {
        try {
            LeafCover all = new LeafCover(keys, new BitSet());
            return Arrays.copyOf(all.leaves(secret), trees * NODE_BYTES);
        } catch (MalformedEncodingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** The puncture of key {@code number}, from 0, at a tag. */
    byte[] puncture(byte[] secret, int number, long tag) {
        byte[] key = secret.clone();
        keys.descend(key, new long[] {number}, 1);
        byte[] siblings = tags.siblings(key, tag);
        return ByteBuffer.allocate(punctureBytes()).putLong(tag).put(siblings).array();
    }

    /** Nodes that give the keys after the first ones. */
    byte[] rest(byte[] secret, int punctured) {
        return punctured == trees ? new byte[0] : cover(punctured).nodes(secret);
    }

    /** The keys after the first ones, each at its number times 16. */
    byte[] expandRest(byte[] nodes, int punctured) throws MalformedEncodingException {
        if (punctured == trees) {
            if (nodes.length > 0) {
                throw new MalformedEncodingException("rest", "must be empty when all keys are punctured");
            }
            return new byte[0];
        }
        return cover(punctured).leaves(nodes);
    }

    private LeafCover cover(int punctured) {
        BitSet first = new BitSet();
        first.set(0, punctured);
        return new LeafCover(keys, first);
    }

    /** The masks of tags by whole keys, each for a secret of its own. */
    long[] masks(byte[][] secrets, long[] ofTags, byte[] tweaks) {
        byte[] sums = new byte[ofTags.length * NODE_BYTES];
        for (int i = 0; i < ofTags.length; i++) {
            Descent descent = new Descent(sums);
            byte[] all = expand(secrets[i]);
            for (int j = 0; j < trees; j++) {
                descent.add(all, j * NODE_BYTES, 0, ofTags[i], i);
            }
            descent.end();
        }
        return masks(sums, tweaks, ofTags.length);
    }

    /**
     * The masks of tags by punctured keys.
     *
     * @param punctures one after the other, of the first keys
     * @param rest      of {@link #expandRest}
     * @param ofTags    none of which is a tag of a puncture
     */
    long[] masks(byte[] punctures, byte[] rest, long[] ofTags, byte[] tweaks) {
        byte[] sums = new byte[ofTags.length * NODE_BYTES];
        Descent descent = new Descent(sums);
        ByteBuffer in = ByteBuffer.wrap(punctures);
        int punctured = punctures.length / punctureBytes();
        for (int i = 0; i < ofTags.length; i++) {
            for (int j = 0; j < punctured; j++) {
                int at = j * punctureBytes();
                int level = Long.numberOfLeadingZeros((in.getLong(at) ^ ofTags[i]) << Long.SIZE - tagBits);
                descent.add(punctures, at + Long.BYTES + level * NODE_BYTES, level + 1, ofTags[i], i);
            }
            for (int j = punctured; j < trees; j++) {
                descent.add(rest, j * NODE_BYTES, 0, ofTags[i], i);
            }
        }
        descent.end();
        return masks(sums, tweaks, ofTags.length);
    }

    private long[] masks(byte[] sums, byte[] tweaks, int count) {
        hash.two(sums, tweaks, count);
        long[] masks = new long[count];
        ByteBuffer out = ByteBuffer.wrap(sums);
        for (int i = 0; i < count; i++) {
            masks[i] = out.getLong(i * NODE_BYTES);
        }
        return masks;
    }

    /** Nodes that descend to leaves together, which are added up by their entries. */
    private final class Descent {
        private final byte[] sums;
        private final byte[] nodes = new byte[NODES_AT_A_TIME * NODE_BYTES];
        private final int[] levels = new int[NODES_AT_A_TIME];
        private final long[] leaves = new long[NODES_AT_A_TIME];
        private final int[] entries = new int[NODES_AT_A_TIME];
        private int count;

        Descent(byte[] sums) {
            this.sums = sums;
        }

        void add(byte[] from, int at, int level, long leaf, int entry) {
            System.arraycopy(from, at, nodes, count * NODE_BYTES, NODE_BYTES);
            levels[count] = level;
            leaves[count] = leaf;
            entries[count++] = entry;
            if (count == NODES_AT_A_TIME) {
                end();
            }
        }

        void end() {
            int[] order = byLevel();
            byte[] sorted = new byte[count * NODE_BYTES];
            int[] sortedLevels = new int[count];
            long[] sortedLeaves = new long[count];
            for (int i = 0; i < count; i++) {
                System.arraycopy(nodes, order[i] * NODE_BYTES, sorted, i * NODE_BYTES, NODE_BYTES);
                sortedLevels[i] = levels[order[i]];
                sortedLeaves[i] = leaves[order[i]];
            }
            tags.descendFrom(sorted, sortedLevels, sortedLeaves, count);
            for (int i = 0; i < count; i++) {
                int into = entries[order[i]] * NODE_BYTES;
                for (int k = 0; k < NODE_BYTES; k++) {
                    sums[into + k] ^= sorted[i * NODE_BYTES + k];
                }
            }
            count = 0;
        }

        private int[] byLevel() {
            int[] begin = new int[tagBits + 2];
            for (int i = 0; i < count; i++) {
                begin[levels[i] + 1]++;
            }
            for (int level = 1; level < begin.length; level++) {
                begin[level] += begin[level - 1];
            }
            int[] order = new int[count];
            for (int i = 0; i < count; i++) {
                order[begin[levels[i]]++] = i;
            }
            return order;
        }
    }
}
