package dev.veilgate.sse.aura;

import dev.veilgate.math.ggm.FixedKeyHash;
import dev.veilgate.math.ggm.GgmTree;
import dev.veilgate.math.ggm.LeafCover;
import dev.veilgate.peks.Keyword;
import dev.veilgate.secret.Secret;
import dev.veilgate.sse.AesBlocks;
import dev.veilgate.sse.ArchiveKey;
import dev.veilgate.sse.DocumentId;
import dev.veilgate.sse.Message;
import dev.veilgate.sse.Prf;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The algorithms of Aura (S.-F. Sun, R. Steinfeld, S. Lai, X. Yuan, A. Sakzad, J. Liu, S. Nepal, D. Gu: Practical
 * Non-Interactive Searchable Encryption with Forward and Backward Privacy, NDSS 2021): each entry is encrypted for a
 * few leaves of a tree, and a search gives the server all leaves but those of deleted tags.
 *
 * <pre>
 *   t      = AES_tag(id, 0)                                  the tag of an entry: 16 bytes, one for each word and id
 *   l      = AES_label(n, 0)                                 where entry n of this generation of the word is kept
 *   j      = the places of t in the filter                   h of them
 *   e_j    = id xor first 8 bytes of H2(leaf_j(root), l xor (r, 0))       r 8 random bytes
 *   entry  = (l, r, t, e_j of all j)
 *   search = (label, cache, taken places, cover of the others)
 * </pre>
 *
 * <p>A tag is a permutation of the id, so that the owner has the id from it and nobody else anything. The word's keys
 * and all that follows are {@link WordKeys}.
 *
 * <p>For one thread.
 */
@Secret
final class Aura {
    /** Bytes of a tag, and of a label. */
    static final int TAG_BYTES = AesBlocks.BYTES;

    /** Bytes of the random part of an entry. */
    static final int SALT_BYTES = 8;

    /** The use of the hash that masks ids. */
    static final String PADS = "aura/pad";

    private final TagFilter filter;
    private final GgmTree tree;
    private final FixedKeyHash pads = FixedKeyHash.of(PADS);
    private final AesBlocks aes = new AesBlocks();
    private final int entryBytes;

    Aura(TagFilter filter) {
        this.filter = filter;
        entryBytes = AuraEntries.bytes(filter);
        tree = new GgmTree(GgmTree.depthOf(filter.size()));
    }

    /** The function F of an archive. */
    static Prf words(ArchiveKey key) {
        return key.prf("aura/word");
    }

    /** Most entries that are encrypted at a time, so that no array of them is too long. */
    int mostEntries() {
        return Message.MAX_WHOLE_BYTES / 2 / entryBytes;
    }

    WordKeys keys(Prf words, Keyword word) {
        return keys(words.apply(word));
    }

    WordKeys keys(byte[] word) {
        return new WordKeys(word, aes);
    }

    /** The tag of a word and an id, with its weight behind it. */
    byte[] tagAndWeight(WordKeys keys, DocumentId id) {
        byte[] tag = aes.encryptWith(keys.tagKey(), 0).of(id.value(), 0);
        byte[] both = Arrays.copyOf(tag, 2 * TAG_BYTES);
        System.arraycopy(aes.of(tag), 0, both, TAG_BYTES, TAG_BYTES);
        return both;
    }

    /** Label and root of an entry, for one id. */
    @SuppressWarnings("ArrayRecordComponent")
    record Place(byte[] label, byte[] root, DocumentId id) {}

    /** The place of entry {@code number} of a generation of a word. */
    Place place(WordKeys keys, long generation, long number, DocumentId id) {
        byte[] root = keys.root(generation, aes);
        byte[] label = aes.encryptWith(keys.labelKey(generation, aes), 0).of(number, 0);
        return new Place(label, root, id);
    }

    /** Encrypts entries, of any words, one after the other; all of their trees are walked together. */
    byte[] encrypt(List<Place> entries, byte[] tags, SecureRandom random) {
        int h = filter.places();
        byte[] salts = new byte[entries.size() * SALT_BYTES];
        random.nextBytes(salts);
        byte[] nodes = new byte[entries.size() * h * TAG_BYTES];
        byte[] tweaks = new byte[nodes.length];
        long[] leaves = new long[entries.size() * h];
        byte[] out = new byte[entries.size() * entryBytes];
        for (int i = 0; i < entries.size(); i++) {
            Place entry = entries.get(i);
            byte[] root = entry.root();
            byte[] label = entry.label();
            int[] places = filter.of(tags, i * TAG_BYTES);
            byte[] tweak = AuraEntries.tweak(label, salts, i * SALT_BYTES);
            for (int j = 0; j < h; j++) {
                System.arraycopy(root, 0, nodes, (i * h + j) * TAG_BYTES, TAG_BYTES);
                System.arraycopy(tweak, 0, tweaks, (i * h + j) * TAG_BYTES, TAG_BYTES);
                leaves[i * h + j] = places[j];
            }
            ByteBuffer.wrap(out, i * entryBytes, entryBytes)
                    .put(label)
                    .put(salts, i * SALT_BYTES, SALT_BYTES)
                    .put(tags, i * TAG_BYTES, TAG_BYTES);
        }
        tree.descend(nodes, leaves, leaves.length);
        pads.two(nodes, tweaks, leaves.length);
        ByteBuffer masks = ByteBuffer.wrap(nodes);
        ByteBuffer values = ByteBuffer.wrap(out);
        for (int i = 0; i < entries.size(); i++) {
            int at = i * entryBytes + 2 * TAG_BYTES + SALT_BYTES;
            for (int j = 0; j < h; j++) {
                long mask = masks.getLong((i * h + j) * TAG_BYTES);
                values.putLong(at + j * Long.BYTES, entries.get(i).id().value() ^ mask);
            }
        }
        return out;
    }

    /** The key of a generation's labels, which a search gives to the server. */
    byte[] labelKey(WordKeys keys, long generation) {
        return keys.labelKey(generation, aes);
    }

    /** The places of deleted tags, which stand one after the other. */
    BitSet taken(byte[] tags) {
        return filter.taking(tags);
    }

    /** The nodes that give all leaves but those at taken places. */
    byte[] cover(BitSet taken, WordKeys keys, long generation) {
        return new LeafCover(tree, taken).nodes(keys.root(generation, aes));
    }

    /** The blocks (id, 0) of tags, which stand one after the other; a block that ends otherwise is of no tag. */
    byte[] idsOf(WordKeys keys, byte[] tags) {
        return aes.decryptWith(keys.tagKey(), 0).of(tags);
    }

    /** A secret number of 16 bytes for each tag, which sum up to that of a set of tags. */
    byte[] weights(WordKeys keys, byte[] tags) {
        return aes.encryptWith(keys.tagKey(), 0).of(tags);
    }
}
