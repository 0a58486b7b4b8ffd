package dev.veilgate.peks.pairing.bdop04;

import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.G2;
import dev.veilgate.math.pairing.Gt;
import dev.veilgate.math.pairing.Zr;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.IndexSealer;
import dev.veilgate.peks.KeyId;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.MessageContext;
import dev.veilgate.peks.Posting;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.peks.pairing.Slot;
import dev.veilgate.peks.pairing.SlotForm;
import dev.veilgate.peks.pairing.SlotKey;
import dev.veilgate.peks.pairing.UnitedPostings;
import dev.veilgate.random.CoinStream;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Seals the keywords of a message into index blocks. For the keywords w_1 .. w_m of one block, all different:
 *
 * <pre>
 *   A   = g2^r                        r random, once a block
 *   t_i = e(H(w_i), h^r)              one pairing a keyword
 *   locator_i, tag_i, field_i         from t_i, the block, its message and A ({@link SlotKey}); sorted by locator
 * </pre>
 *
 * <p><b>Security.</b> Without a trapdoor a block hides keywords and postings, under the bilinear Diffie-Hellman assumption and random oracles; r may be shared since
 * the keywords of a block differ (specification, section 4). It shows the number of slots (in sixteens), the number of records, scope, epoch and context. A holder of
 * trapdoors learns which slots and records match, and nothing of the other slots.
 *
 * <p><b>Randomness.</b> One 32-byte seed a call from the injected source, expanded by AES-256-CTR: r, and three values for each dummy slot. r is secret and used once:
 * two blocks under one r show which keywords they share.
 *
 * <p>Source: docs/spec/bdop04.md. Safe for use by several threads if the random source is.
 */
public final class Bdop04IndexSealer implements IndexSealer {
    private final PublicKey publicKey;
    private final SecureRandom random;
    private final int perBlock;

    /** A sealer of padded blocks: up to 256 keywords in a multiple of 16 slots. */
    public Bdop04IndexSealer(PublicKey publicKey, SecureRandom random) {
        this(publicKey, random, Bdop04IndexScheme.MAX_SLOTS);
    }

    private Bdop04IndexSealer(PublicKey publicKey, SecureRandom random, int perBlock) {
        this.publicKey = publicKey;
        this.random = Objects.requireNonNull(random);
        this.perBlock = perBlock;
    }

    /**
     * A sealer of one keyword a block, one slot, as in the paper: the number of blocks tells the number of keywords. For streams of which every message has the same
     * number of keywords by construction.
     */
    public static Bdop04IndexSealer oneKeywordPerBlock(PublicKey publicKey, SecureRandom random) {
        return new Bdop04IndexSealer(publicKey, random, 1);
    }

    @Override
    public KeyId keyId() {
        return publicKey.id();
    }

    @Override
    public List<IndexBlock> seal(
            KeywordDomain domain, MessageContext context, int recordCount, List<Posting> postings) {
        return UnitedPostings.sealed(
                recordCount,
                postings,
                perBlock,
                random,
                (form, keywords, coins) -> sealBlock(domain, context, form, keywords, coins));
    }

    private IndexBlock sealBlock(
            KeywordDomain domain,
            MessageContext context,
            SlotForm form,
            List<Map.Entry<Keyword, RecordSet>> keywords,
            CoinStream coins) {
        byte[] a;
        List<Slot> slots;
        do {
            // A = g2^r
            Zr r = Zr.random(coins);
            a = G2.GENERATOR.times(r).encode();
            byte[] binding = Bdop04IndexScheme.LAYOUT.binding(keyId(), domain, context, form, a);
            G2 hToR = publicKey.h().times(r);
            slots = Slot.filled(
                    form,
                    keywords,
                    (word, records) -> slot(Bdop04.hash(keyId(), domain, word), records, hToR, binding, form),
                    () -> SlotKey.dummy(form, coins));
        } while (!Slot.sort(slots)); // once in 2^49 blocks
        return Bdop04IndexScheme.LAYOUT.block(keyId(), domain, Bdop04IndexScheme.LAYOUT.payload(form, a, slots));
    }

    private static Slot slot(G1 hash, RecordSet records, G2 hToR, byte[] binding, SlotForm form) {
        // t_i = e(H(w_i), h^r)
        Gt t = Bdop04.sealed(hash, hToR);
        try (SlotKey key = SlotKey.of(t, binding, Bdop04IndexScheme.ID, new byte[0])) {
            return key.seal(records, form, new byte[0]);
        }
    }
}
