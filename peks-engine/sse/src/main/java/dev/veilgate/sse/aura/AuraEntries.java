package dev.veilgate.sse.aura;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.ggm.FixedKeyHash;
import dev.veilgate.math.ggm.GgmTree;
import dev.veilgate.math.ggm.LeafCover;
import dev.veilgate.sse.AesBlocks;
import dev.veilgate.sse.DocumentId;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;

/**
 * Entries as a server has them, and how it opens them with what a search gives it. {@link Aura} has the formulas.
 *
 * <p>For one thread.
 */
final class AuraEntries {
    private final TagFilter filter;
    private final GgmTree tree;
    private final FixedKeyHash pads = FixedKeyHash.of(Aura.PADS);
    private final AesBlocks aes = new AesBlocks();

    AuraEntries(TagFilter filter) {
        this.filter = filter;
        tree = new GgmTree(GgmTree.depthOf(filter.size()));
    }

    /** Bytes of an entry with its label. */
    static int bytes(TagFilter filter) {
        return 2 * Aura.TAG_BYTES + Aura.SALT_BYTES + filter.places() * DocumentId.BYTES;
    }

    /** Bytes of an entry with its label. */
    int entryBytes() {
        return bytes(filter);
    }

    /** Bytes of an entry without its label. */
    int valueBytes() {
        return entryBytes() - Aura.TAG_BYTES;
    }

    /** Labels of a generation's entries, from one number on. */
    byte[] labels(byte[] labelKey, long from, int count) {
        return aes.encryptWith(labelKey, 0).ofCounters(from, count);
    }

    /** Opens, for a server and one search, entries with a place that is not taken. */
    KnownLeaves leaves(BitSet taken, byte[] cover) throws MalformedEncodingException {
        if (taken.length() > filter.size()) {
            throw new MalformedEncodingException("taken", "must be places of a filter of " + filter.size());
        }
        return new KnownLeaves(taken, new LeafCover(tree, taken).leaves(cover));
    }

    /** Opens entries for a server. */
    final class KnownLeaves {
        private final BitSet taken;
        private final byte[] leaves;
        private final int[] found = new int[filter.places()];

        private KnownLeaves(BitSet taken, byte[] leaves) {
            this.taken = taken;
            this.leaves = leaves;
        }

        /** Whether a tag has a place that is not taken. */
        boolean opens(byte[] tags, int at) {
            return taken.isEmpty() || filter.firstFree(tags, at, taken, found) >= 0;
        }

        /** The ids of entries, all of which it {@link #opens}, with their labels. */
        long[] open(List<byte[]> labels, List<byte[]> values) {
            int count = values.size();
            byte[] nodes = new byte[count * Aura.TAG_BYTES];
            byte[] tweaks = new byte[count * Aura.TAG_BYTES];
            long[] ids = new long[count];
            for (int i = 0; i < count; i++) {
                byte[] value = values.get(i);
                int free = filter.firstFree(value, Aura.SALT_BYTES, taken, found);
                System.arraycopy(leaves, found[free] * Aura.TAG_BYTES, nodes, i * Aura.TAG_BYTES, Aura.TAG_BYTES);
                System.arraycopy(tweak(labels.get(i), value, 0), 0, tweaks, i * Aura.TAG_BYTES, Aura.TAG_BYTES);
                ids[i] = ByteBuffer.wrap(value).getLong(Aura.SALT_BYTES + Aura.TAG_BYTES + free * Long.BYTES);
            }
            pads.two(nodes, tweaks, count);
            for (int i = 0; i < count; i++) {
                ids[i] ^= ByteBuffer.wrap(nodes).getLong(i * Aura.TAG_BYTES);
            }
            return ids;
        }
    }

    /** The tweak of an entry's masks: its label, with its salt over the first half. */
    static byte[] tweak(byte[] label, byte[] salt, int saltAt) {
        byte[] tweak = label.clone();
        for (int i = 0; i < Aura.SALT_BYTES; i++) {
            tweak[i] ^= salt[saltAt + i];
        }
        return tweak;
    }
}
