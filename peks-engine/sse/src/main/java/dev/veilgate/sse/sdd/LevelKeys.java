package dev.veilgate.sse.sdd;

import dev.veilgate.peks.Keyword;
import dev.veilgate.secret.Secret;
import dev.veilgate.sse.ArchiveKey;
import dev.veilgate.sse.Prf;
import dev.veilgate.sse.sdd.map.Sealer;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Keys of an owner, and the algorithms of a static index.
 *
 * <pre>
 *   handle of w         h = F(k1, w), 16 bytes
 *   key of a part       K = F(k2, level || generation)                fresh whenever a level is built again
 *   token of w in it    kl || kv = F(K, h), 16 bytes each; kl is for the server
 *   entry c of w        label AES(kl, c), value AES(kv, id || operation || c)
 * </pre>
 *
 * <p>A value is encoded, then enciphered (Bellare and Rogaway, ASIACRYPT 2000): the block never repeats under its key,
 * as c does not, and one that was altered has another c but with a chance of 2^-56.
 *
 * <p>Source: I. Demertzis and others, NDSS 2020, sections IV and V, with the static index of Cash and others (NDSS
 * 2014, Pi_bas), whose results stay hidden from the server; docs/spec/sdd.md. For one thread.
 */
@Secret
final class LevelKeys {
    /** Bytes of a label and of a value together. */
    static final int PAIR_BYTES = 2 * Blocks.BYTES;

    private static final int MOST_KEPT = 128;
    private static final long DELETION = 1L << 56;

    private final Generations generations;
    private final Prf words;
    private final Prf parts;
    private final Blocks blocks = new Blocks();
    private final Map<Part, Prf> kept = new LinkedHashMap<>();
    private final Sealer sealer;

    /** Which key a part has: each one its own, except where a test shows what that is good for. */
    @FunctionalInterface
    interface Generations {
        /** The generation whose key a part has. */
        int keyOf(Part part);
    }

    /** @param scheme its name: no two have a key in common */
    LevelKeys(ArchiveKey key, String scheme, Generations generations, SecureRandom random) {
        this.generations = generations;
        this.words = key.prf(scheme + "/words");
        this.parts = key.prf(scheme + "/parts");
        byte[] seals = key.derive(scheme + "/seals");
        this.sealer = new Sealer(seals, random);
        Arrays.fill(seals, (byte) 0);
    }

    /** Seals what an owner keeps at the server. */
    Sealer sealer() {
        return sealer;
    }

    /** The handle of a word. */
    Entry.Handle handle(Keyword word) {
        ByteBuffer h = ByteBuffer.wrap(words.apply(word));
        return new Entry.Handle(h.getLong(), h.getLong());
    }

    /** The keys of a word in a part. */
    Token token(Part part, Entry.Handle word) {
        byte[] both = keyOf(part).apply(word.encode());
        return new Token(Arrays.copyOf(both, Blocks.BYTES), Arrays.copyOfRange(both, Blocks.BYTES, 2 * Blocks.BYTES));
    }

    private Prf keyOf(Part part) {
        Part of = new Part(part.level(), generations.keyOf(part));
        Prf key = kept.get(of);
        if (key == null) {
            if (kept.size() == MOST_KEPT) {
                kept.clear();
            }
            key = Prf.of(parts.apply(of.encode()));
            kept.put(of, key);
        }
        return key;
    }

    /** Writes label and value of a word's entry number c, {@value #PAIR_BYTES} bytes. */
    void writePair(Token token, int c, Entry entry, ByteBuffer out) {
        byte[] counter = new byte[Blocks.BYTES];
        ByteBuffer.wrap(counter).putLong(Long.BYTES, c);
        out.put(blocks.encrypt(token.label, counter));
        byte[] value = new byte[Blocks.BYTES];
        ByteBuffer.wrap(value).putLong(entry.id()).putLong(entry.deletion() ? DELETION | c : c);
        out.put(blocks.encrypt(token.value, value));
    }

    /** Opens the values of a word's entries 0, 1, ... in a part. */
    Opened open(Token token, byte[] values) {
        ByteBuffer in = ByteBuffer.wrap(blocks.decrypt(token.value, values));
        int count = values.length / Blocks.BYTES;
        long[] ids = new long[count];
        boolean[] deletions = new boolean[count];
        boolean altered = false;
        int right = 0;
        for (int c = 0; c < count; c++) {
            long id = in.getLong();
            long rest = in.getLong();
            if ((rest & ~DELETION) == c) {
                ids[right] = id;
                deletions[right] = rest != c;
                right++;
            } else {
                altered = true;
            }
        }
        return new Opened(Arrays.copyOf(ids, right), Arrays.copyOf(deletions, right), altered);
    }

    /** The keys of a word in a part. */
    @Secret
    static final class Token {
        private final byte[] label;
        private final byte[] value;

        private Token(byte[] label, byte[] value) {
            this.label = label;
            this.value = value;
        }

        /** For the server: the key of the labels. */
        byte[] label() {
            return label;
        }
    }

    /**
     * Opened values.
     *
     * @param ids       of documents
     * @param deletions for each of them, whether it was deleted, not added
     * @param altered   whether others were not made by this owner
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Opened(long[] ids, boolean[] deletions, boolean altered) {}
}
