package dev.veilgate.abe.ks.zxa14;

import dev.veilgate.abe.sharing.SecretSharing;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.math.pairing.G1;
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
 * Seals the keywords of a message under a policy. Each keyword is a slot of its own: {@link Zxa14}'s ciphertext, and from its secret K a locator, a tag and the encrypted
 * posting list ({@link SlotKey}), bound to the block, its message and the slot's points; slots are sorted by locator.
 *
 * <p><b>Nothing is shared between slots.</b> Under one r2 for two slots, {@code e(W_0, g2^c) / e(g1^a·g1^(b·h), W)} of both is e(g1, g2)^(a·c·r2) if and only if both
 * guesses h are right, which everybody can compute: a guess of two keywords is confirmed without any token.
 *
 * <p><b>Security.</b> Without a token of the keyword, and without keys that satisfy the policy, a slot hides keyword and records (specification, section 4). A block shows
 * the number of slots (in sixteens), the number of records, how many leaves the policy has, scope, epoch and context. A dummy is a slot of a random keyword and of no record,
 * made as all others are.
 *
 * <p><b>Randomness.</b> One 32-byte seed a call from the injected source, expanded by AES-256-CTR: r1, r2 and the shares of each slot, h of each dummy. All are secret
 * and used once.
 *
 * <p>Source: docs/spec/zxa14.md. Safe for use by several threads if the random source is.
 */
public final class Zxa14IndexSealer implements IndexSealer {
    private final IndexPublicKey publicKey;
    private final SecureRandom random;
    private final SlotLayout layout;
    private final int perBlock;
    private volatile Leaves latest;

    /**
     * The policy of an epoch, and H1 of its attributes.
     *
     * @param epoch empty for a key whose policy is the same in all
     */
    private record Leaves(String epoch, SecretSharing sharing, List<G1> hashes) {
        static Leaves of(IndexPublicKey key, String epoch) {
            SecretSharing sharing = key.sharing(epoch);
            List<G1> hashes = sharing.leaves().stream()
                    .map(leaf -> Zxa14.hash(leaf.attribute()))
                    .toList();
            return new Leaves(epoch, sharing, hashes);
        }
    }

    /** A sealer of padded blocks: up to 32 keywords in 16 or 32 slots; 16 if the policy has more than 200 leaves. */
    public Zxa14IndexSealer(IndexPublicKey publicKey, SecureRandom random) {
        this(publicKey, random, SlotLayout.maxSlots(publicKey.leaves()));
    }

    private Zxa14IndexSealer(IndexPublicKey publicKey, SecureRandom random, int perBlock) {
        this.publicKey = publicKey;
        this.random = Objects.requireNonNull(random);
        this.layout = SlotLayout.of(publicKey.leaves());
        this.latest = Leaves.of(publicKey, "");
        this.perBlock = perBlock;
    }

    /**
     * A sealer of one keyword a block, one slot, as in the paper: the number of blocks tells the number of keywords. For streams of which every message has the same
     * number of keywords by construction.
     */
    public static Zxa14IndexSealer oneKeywordPerBlock(IndexPublicKey publicKey, SecureRandom random) {
        return new Zxa14IndexSealer(publicKey, random, 1);
    }

    @Override
    public KeyId keyId() {
        return publicKey.id();
    }

    @Override
    public List<IndexBlock> seal(
            KeywordDomain domain, MessageContext context, int recordCount, List<Posting> postings) {
        Leaves leaves = leavesIn(domain.epoch());
        return UnitedPostings.sealed(
                recordCount,
                postings,
                perBlock,
                random,
                (form, keywords, coins) -> sealBlock(domain, leaves, context, form, keywords, coins));
    }

    /** Hashing takes longer than sealing a slot, and epochs are long. */
    private Leaves leavesIn(String epoch) {
        String wanted = publicKey.isByEpoch() ? epoch : "";
        Leaves known = latest;
        if (!known.epoch().equals(wanted)) {
            known = Leaves.of(publicKey, wanted);
            latest = known;
        }
        return known;
    }

    private IndexBlock sealBlock(
            KeywordDomain domain,
            Leaves leaves,
            MessageContext context,
            SlotForm form,
            List<Map.Entry<Keyword, RecordSet>> keywords,
            CoinStream coins) {
        byte[] binding = layout.blocks().binding(keyId(), domain, context, form, layout.count());
        List<Slot> slots;
        do {
            slots = Slot.filled(
                    form,
                    keywords,
                    (word, records) -> slot(leaves, Zxa14.hash(keyId(), domain, word), records, binding, form, coins),
                    () -> slot(leaves, Zr.random(coins), RecordSet.of(), binding, form, coins));
        } while (!Slot.sort(slots)); // once in 2^55 blocks
        byte[] ciphertexts = Slot.shares(slots);
        byte[] points = new ByteWriter(layout.count().length + ciphertexts.length)
                .bytes(layout.count())
                .bytes(ciphertexts)
                .toByteArray();
        return layout.blocks().block(keyId(), domain, layout.blocks().payload(form, points, slots));
    }

    private Slot slot(Leaves leaves, Zr h, RecordSet records, byte[] binding, SlotForm form, CoinStream coins) {
        Zxa14.Sealed sealed = Zxa14.seal(publicKey.authority(), leaves.sharing(), leaves.hashes(), h, coins);
        byte[] points = sealed.ciphertext().encode();
        try (SlotKey key = SlotKey.of(sealed.key(), binding, Zxa14IndexScheme.ID, SlotLayout.digest(points))) {
            return key.seal(records, form, points);
        }
    }
}
