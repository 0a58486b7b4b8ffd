package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.math.ring.RingHash;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.IndexSealer;
import dev.veilgate.peks.KeyId;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.MessageContext;
import dev.veilgate.peks.Posting;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.random.CoinStream;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Seals the keywords of a message into index blocks (specification, section 3). For keywords w_1 .. w_m of one block:
 *
 * <pre>
 *   A0    = r0·h + e1                          r0, e1 ternary, once a block
 *   rho   = G(SHA-256(block, A0))              MaskShift
 *   A     = A0 + rho·h,  r = r0 + rho
 *   v_i   = (r·H1(w_i))_j + e2_ij              kept coefficients j = 0 mod N/L; e2 uniform in ±2·sigma_z
 *   k_i   = round(2·v_i/q) mod 2               L bits: the slot key
 *   b_i   = floor(4·v_i/q) mod 2               L bits, in clear: Peikert's reconciliation
 *   ct_i  = records (PostingForm) XOR pads of k_i
 *   tag_i = H2(k_i, block, A0, b_i, ct_i)
 * </pre>
 *
 * <p><b>Security.</b> Without a trapdoor the block hides the keywords and where they occur, under decision ring-LWE
 * with m + 1 samples and the decisional NTRU assumption, in the random-oracle model. It does not hide the number of
 * slots, the number of records, for large messages how many cells the frequent keywords take (in sixteens), scope,
 * epoch and context. A holder of a trapdoor learns which slot and records match; a holder of trapdoors of keywords in
 * the block also gets noisy equations in r (a hint assumption, without proof; SECURITY.md), which is why b_i has one
 * bit, e2 floods and the number of keywords is bounded.
 *
 * <p><b>Randomness.</b> One 32-byte seed a call from the injected source. All coins of a block are AES-256-CTR under a
 * pseudorandom function, with that seed, of everything that the block holds: key, scope, epoch, message, its number,
 * keywords and records. So a source that repeats itself (a stuck generator, a copied machine) repeats a block as a
 * whole, and never its r0 with other keywords, of which everybody could test guesses.
 *
 * <p>Source: docs/spec/ntru-peks.md, after Behnia, Ozmen, Yavuz (NTRU-PEKS, Algorithm 3) and Peikert ("Lattice
 * Cryptography for the Internet", 2014, section 3). Safe for use by several threads.
 */
public final class NtruIndexSealer implements IndexSealer {
    /** How many keywords share a block and how many slots it is padded to. */
    public enum SlotPadding {
        /** As many keywords as a block may hold, padded with dummies to a multiple of 16 slots. */
        MULTIPLE_OF_16,
        /**
         * One keyword a block, one slot: the number of blocks tells the number of keywords. For streams of which every
         * message has the same number of keywords by construction.
         */
        ONE_KEYWORD_PER_BLOCK
    }

    private static final String ORDER_COINS = "veilgate/ntru-peks/order-coins/1";
    private static final String BLOCK_COINS = "veilgate/ntru-peks/block-coins/1";

    private final PublicKey publicKey;
    private final NtruParameters parameters;
    private final SecureRandom random;
    private final SlotPadding padding;
    private final KeywordHashes hashes;

    /** A sealer with padding and without a cache. */
    public NtruIndexSealer(PublicKey publicKey, SecureRandom random) {
        this(publicKey, random, SlotPadding.MULTIPLE_OF_16, 0);
    }

    /**
     * @param random         seeds the coins of every call
     * @param cachedKeywords keywords whose hash to the ring is kept (8 kB each at N = 2048), least recently used out
     * first; 0 for
     *     none, which is as fast wherever the processor has instructions for AES (docs/adr/0007)
     */
    public NtruIndexSealer(PublicKey publicKey, SecureRandom random, SlotPadding padding, int cachedKeywords) {
        this.publicKey = publicKey;
        this.parameters = publicKey.parameters();
        this.random = Objects.requireNonNull(random);
        this.padding = padding;
        if (cachedKeywords < 0) {
            throw new IllegalArgumentException("cachedKeywords must not be negative");
        }
        this.hashes = new KeywordHashes(publicKey, cachedKeywords);
    }

    @Override
    public KeyId keyId() {
        return publicKey.id();
    }

    @Override
    public List<IndexBlock> seal(
            KeywordDomain domain, MessageContext context, int recordCount, List<Posting> postings) {
        List<Map.Entry<Keyword, RecordSet>> keywords =
                new ArrayList<>(Posting.united(recordCount, postings).entrySet());
        int perBlock = padding == SlotPadding.ONE_KEYWORD_PER_BLOCK ? 1 : parameters.maxKeywords();
        List<IndexBlock> blocks = new ArrayList<>();
        byte[] seed = new byte[CoinStream.SEED_BYTES];
        random.nextBytes(seed);
        try (RingHash hash = new RingHash(parameters.ring().modulus())) {
            if (keywords.size()
                    > perBlock) { // which of them share a block says nothing about their order in the message
                shuffle(keywords, seed, context);
            }
            for (int from = 0; from < keywords.size(); from += perBlock) {
                List<Map.Entry<Keyword, RecordSet>> ofBlock =
                        keywords.subList(from, Math.min(from + perBlock, keywords.size()));
                try (CoinStream coins = coins(seed, domain, context, recordCount, blocks.size(), ofBlock)) {
                    blocks.add(sealBlock(domain, context, recordCount, ofBlock, hash, coins));
                }
            }
        } finally {
            Arrays.fill(seed, (byte) 0);
        }
        return blocks;
    }

    private static void shuffle(List<?> keywords, byte[] seed, MessageContext context) {
        try (CoinStream order = CoinStream.derived(seed, ORDER_COINS, context.encode())) {
            order.shuffle(keywords);
        }
    }

    /** The coins of a block: a pseudorandom function of everything that it holds. */
    CoinStream coins(
            byte[] seed,
            KeywordDomain domain,
            MessageContext context,
            int recordCount,
            int number,
            List<Map.Entry<Keyword, RecordSet>> keywords) {
        ByteWriter out = new ByteWriter(256 + keywords.size() * (48 + recordCount / 8))
                .bytes(wrap(domain, new byte[0]).header())
                .shortString(domain.tenant())
                .bytes(context.encode())
                .uint8(padding.ordinal())
                .uint8(recordCount - 1)
                .int64(number)
                .int64(keywords.size());
        for (Map.Entry<Keyword, RecordSet> keyword : keywords) {
            keyword.getKey().encode(out); // none begins another
            out.bytes(keyword.getValue().toBitmap(recordCount));
        }
        byte[] all = out.toSecretBytes();
        byte[] held = SlotHash.sha256().digest(all);
        Arrays.fill(all, (byte) 0);
        try {
            return CoinStream.derived(seed, BLOCK_COINS, held);
        } finally {
            Arrays.fill(held, (byte) 0);
        }
    }

    private IndexBlock sealBlock(
            KeywordDomain domain,
            MessageContext context,
            int records,
            List<Map.Entry<Keyword, RecordSet>> keywords,
            RingHash hash,
            CoinStream coins) {
        int slots = padding == SlotPadding.ONE_KEYWORD_PER_BLOCK ? 1 : BlockPayload.paddedSlots(keywords.size());
        PostingForm form = new PostingForm(slots, records);
        int cells = 0;
        for (Map.Entry<Keyword, RecordSet> keyword : keywords) {
            cells += form.cells(keyword.getValue());
        }
        IndexBlock frame = wrap(domain, new byte[0]);
        try (BlockMask.Opened mask = BlockMask.draw(publicKey, coins).open();
                SlotBatch batch = new SlotBatch(parameters, slots)) {
            BlockPayload payload =
                    BlockPayload.create(BlockPayload.VERSION, parameters, form, PostingForm.padded(cells), mask.a());
            byte[] binding = SlotHash.binding(frame, context, payload.publicPartWith(mask.a()));
            mask.shift(publicKey, binding); // before the first keyword meets r
            payload.bind(mask.a(), binding);
            int[] occupants = shuffled(slots, coins); // of slots: keywords, and dummies beyond the last of them
            putSlots(domain, keywords, occupants, hash, mask, batch, coins);
            batch.finish(coins);
            batch.putBits(payload.table());
            putPostings(payload, binding, batch, keywords, occupants, coins);
            return wrap(domain, payload.bytes());
        }
    }

    /**
     * The loop over slots, apart from what is done once a block: the compiler of the runtime puts all that a method
     * with a hot loop calls into one piece of code, which took it a second and 38 MB.
     */
    private void putSlots(
            KeywordDomain domain,
            List<Map.Entry<Keyword, RecordSet>> keywords,
            int[] occupants,
            RingHash hash,
            BlockMask.Opened mask,
            SlotBatch batch,
            CoinStream coins) {
        int[] h1Hat = new int[parameters.n()];
        for (int slot = 0; slot < occupants.length; slot++) {
            if (occupants[slot] < keywords.size()) {
                hashes.hat(domain, keywords.get(occupants[slot]).getKey(), hash, h1Hat);
                batch.putKeyword(slot, mask, h1Hat);
            } else {
                batch.putDummy(slot, coins);
            }
        }
    }

    /**
     * Tags, fields and cells; uniform bits where there is no keyword, which is what they look like without its
     * trapdoor.
     */
    private void putPostings(
            BlockPayload payload,
            byte[] binding,
            SlotBatch batch,
            List<Map.Entry<Keyword, RecordSet>> keywords,
            int[] occupants,
            CoinStream coins) {
        SlotTable table = payload.table();
        PostingForm form = table.form();
        int[] cells = shuffled(table.cells(), coins);
        int taken = 0;
        try (SlotHash hash = new SlotHash(binding, parameters.kept() / 8)) {
            for (int slot = 0; slot < occupants.length; slot++) {
                if (occupants[slot] >= keywords.size()) {
                    table.putSlot(slot, random(SlotHash.TAG_BYTES, coins), random(form.fieldBytes(), coins));
                    continue;
                }
                RecordSet records = keywords.get(occupants[slot]).getValue();
                int[] places = Arrays.copyOfRange(cells, taken, taken + form.cells(records));
                taken += places.length;
                byte[] slotKey = batch.slotKey(slot);
                byte[] field = form.field(records, places);
                byte[] content = form.cellContent(records);
                hash.cryptField(slotKey, field);
                hash.cryptCells(slotKey, content);
                table.putSlot(slot, hash.tag(slotKey, batch.bits(slot), field, content), field);
                table.putCells(places, content);
                Arrays.fill(slotKey, (byte) 0);
            }
            int[] dummies = Arrays.copyOfRange(cells, taken, cells.length);
            table.putCells(dummies, random(dummies.length * form.cellBytes(), coins));
        }
    }

    private static byte[] random(int length, CoinStream coins) {
        byte[] out = new byte[length];
        coins.nextBytes(out);
        return out;
    }

    private IndexBlock wrap(KeywordDomain domain, byte[] payload) {
        return new IndexBlock(
                NtruIndexScheme.ID, parameters.id(), publicKey.id(), domain.scope(), domain.epoch(), payload);
    }

    /** 0 to count - 1 in random order. */
    private static int[] shuffled(int count, CoinStream coins) {
        int[] out = new int[count];
        for (int i = 0; i < count; i++) {
            int j = coins.nextInt(i + 1);
            out[i] = out[j];
            out[j] = i;
        }
        return out;
    }
}
