package dev.veilgate.sse.aura;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.ggm.GgmTree;
import dev.veilgate.math.ggm.LeafCover;
import dev.veilgate.peks.Keyword;
import dev.veilgate.sse.DocumentId;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.OptionalLong;

/**
 * Aura with the faults of its published code: one tree for all words that is never made anew, tags without a key, masks
 * that are those of every entry with the same leaf, and decryption that tries the first place only.
 */
final class FaultyAura {
    private final TagFilter filter;
    private final GgmTree tree;
    private final byte[] root;

    FaultyAura(TagFilter filter, byte[] root) {
        this.filter = filter;
        this.tree = new GgmTree(GgmTree.depthOf(filter.size()));
        this.root = root;
    }

    /** An entry as the server has it. */
    @SuppressWarnings("ArrayRecordComponent")
    record Entry(byte[] tag, long[] masked) {}

    static byte[] tag(Keyword word, DocumentId id) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(word.encode());
            return Arrays.copyOf(sha.digest(id.encode()), 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    Entry insert(Keyword word, DocumentId id) {
        byte[] tag = tag(word, id);
        int[] places = filter.of(tag, 0);
        byte[] nodes = new byte[places.length * 16];
        long[] leaves = new long[places.length];
        for (int i = 0; i < places.length; i++) {
            System.arraycopy(root, 0, nodes, i * 16, 16);
            leaves[i] = places[i];
        }
        tree.descend(nodes, leaves, leaves.length);
        long[] masked = new long[places.length];
        for (int i = 0; i < places.length; i++) {
            masked[i] = id.value() ^ ByteBuffer.wrap(nodes).getLong(i * 16);
        }
        return new Entry(tag, masked);
    }

    /** The server after a search. */
    Server search(byte[] deletedTags) throws MalformedEncodingException {
        BitSet taken = filter.taking(deletedTags);
        LeafCover cover = new LeafCover(tree, taken);
        return new Server(taken, cover.leaves(cover.nodes(root)));
    }

    final class Server {
        private final BitSet taken;
        private final byte[] leaves;

        private Server(BitSet taken, byte[] leaves) {
            this.taken = taken;
            this.leaves = leaves;
        }

        OptionalLong open(Entry entry) {
            int place = filter.of(entry.tag(), 0)[0];
            return taken.get(place)
                    ? OptionalLong.empty()
                    : OptionalLong.of(
                            entry.masked()[0] ^ ByteBuffer.wrap(leaves).getLong(place * 16));
        }
    }
}
