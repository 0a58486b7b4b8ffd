package dev.veilgate.peks.pairing.zi07;

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
 * Seals the keywords of a message into index blocks. For each keyword w:
 *
 * <pre>
 *   u = (X·g1^-w)^s, v = e(g1, g2)^s      s random, for this slot alone
 *   K = e(g1, h)^s
 *   locator, tag, field                   from K, the block, its message, u and v ({@link SlotKey}); sorted by locator
 * </pre>
 *
 * <p><b>Nothing is shared between slots.</b> Under one s the quotient of two u is g1^(s·(w2 - w1)), and {@code e(u1/u2, g2) = v^(w2 - w1)} confirms a guess of two
 * keywords without any trapdoor.
 *
 * <p><b>Security.</b> Without a trapdoor a block hides keywords and postings, under q-ABDHE and without random oracles (specification, section 4). It shows the number
 * of slots (in sixteens), the number of records, scope, epoch and context. A dummy is a slot of a random identity and of no record, made as all others are.
 *
 * <p><b>Randomness.</b> One 32-byte seed a call from the injected source, expanded by AES-256-CTR: s of each slot, w of each dummy. s is secret and used once.
 *
 * <p>Source: docs/spec/zi07.md. Safe for use by several threads if the random source is.
 */
public final class Zi07IndexSealer implements IndexSealer {
    private final PublicKey publicKey;
    private final SecureRandom random;
    private final int perBlock;

    /** A sealer of padded blocks: up to 32 keywords in 16 or 32 slots. */
    public Zi07IndexSealer(PublicKey publicKey, SecureRandom random) {
        this(publicKey, random, Zi07IndexScheme.MAX_SLOTS);
    }

    private Zi07IndexSealer(PublicKey publicKey, SecureRandom random, int perBlock) {
        this.publicKey = publicKey;
        this.random = Objects.requireNonNull(random);
        this.perBlock = perBlock;
    }

    /**
     * A sealer of one keyword a block, one slot, as in the paper: the number of blocks tells the number of keywords. For streams of which every message has the same
     * number of keywords by construction.
     */
    public static Zi07IndexSealer oneKeywordPerBlock(PublicKey publicKey, SecureRandom random) {
        return new Zi07IndexSealer(publicKey, random, 1);
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
        byte[] binding = Zi07IndexScheme.LAYOUT.binding(keyId(), domain, context, form, new byte[0]);
        List<Slot> slots;
        do {
            slots = Slot.filled(
                    form,
                    keywords,
                    (word, records) -> slot(Zi07.hash(keyId(), domain, word), records, binding, form, coins),
                    () -> slot(Zr.random(coins), RecordSet.of(), binding, form, coins));
        } while (!Slot.sort(slots)); // once in 2^55 blocks
        byte[] payload = Zi07IndexScheme.LAYOUT.payload(form, Slot.shares(slots), slots);
        return Zi07IndexScheme.LAYOUT.block(keyId(), domain, payload);
    }

    private Slot slot(Zr w, RecordSet records, byte[] binding, SlotForm form, CoinStream coins) {
        Zr s = Zr.random(coins);
        // u = (X·g1^-w)^s, v = e(g1, g2)^s
        byte[] share = Zi07.share(publicKey, w, s).encode();
        // K = e(g1, h)^s
        try (SlotKey key = SlotKey.of(Zi07.sealed(publicKey, s), binding, Zi07IndexScheme.ID, share)) {
            return key.seal(records, form, share);
        }
    }
}
