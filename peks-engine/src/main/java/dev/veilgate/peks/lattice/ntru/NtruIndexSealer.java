package dev.veilgate.peks.lattice.ntru;

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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Seals the keywords of a message into index blocks (specification, section 3). For keywords w_1 .. w_m of one block:
 *
 * <pre>
 *   A     = r·h + e1                           r, e1 ternary, once a block
 *   v_i   = (r·H1(w_i))_j + e2_ij              kept coefficients j = 0 mod N/L; e2 uniform in ±2·sigma_z
 *   k_i   = round(2·v_i/q) mod 2               L bits: the slot key
 *   b_i   = floor(4·v_i/q) mod 2               L bits, in clear: Peikert's reconciliation
 *   ct_i  = bitmap of the records XOR pad(k_i)
 *   tag_i = H2(k_i, block, A, b_i, ct_i)
 * </pre>
 *
 * <p><b>Security.</b> Without a trapdoor the block hides the keywords and where they occur, under decision ring-LWE with m +
 * 1 samples and the decisional NTRU assumption, in the random-oracle model. It does not hide the number of slots, the number
 * of records, scope, epoch and context. A holder of a trapdoor learns which slot and records match; a holder of trapdoors of
 * keywords in the block also gets noisy equations in r (a hint assumption, without proof; SECURITY.md), which is why b_i has
 * one bit, e2 floods and the number of keywords is bounded.
 *
 * <p><b>Randomness.</b> One 32-byte seed a call and one a block from the injected source, expanded by AES-256-CTR.
 *
 * <p>Source: docs/spec/ntru-peks.md, after Behnia, Ozmen, Yavuz (NTRU-PEKS, Algorithm 3) and Peikert ("Lattice Cryptography
 * for the Internet", 2014, section 3). Safe for use by several threads.
 */
public final class NtruIndexSealer implements IndexSealer {
    /** How many keywords share a block and how many slots it is padded to. */
    public enum SlotPadding {
        /** As many keywords as a block may hold, padded with dummies to a multiple of 16 slots. */
        MULTIPLE_OF_16,
        /**
         * One keyword a block, one slot: the number of blocks tells the number of keywords. For streams of which every message
         * has the same number of keywords by construction.
         */
        ONE_KEYWORD_PER_BLOCK
    }

    /** Keywords whose hashes are kept by default: 8 kB each at N = 2048. */
    public static final int DEFAULT_CACHED_KEYWORDS = 2048;

    private final PublicKey publicKey;
    private final NtruParameters parameters;
    private final SecureRandom random;
    private final SlotPadding padding;
    private final KeywordHashes hashes;
    private final ConcurrentLinkedQueue<BlockMask> preparedMasks = new ConcurrentLinkedQueue<>();

    /** A sealer with padding and the default cache. */
    public NtruIndexSealer(PublicKey publicKey, SecureRandom random) {
        this(publicKey, random, SlotPadding.MULTIPLE_OF_16, DEFAULT_CACHED_KEYWORDS);
    }

    /**
     * @param random         seeds the coins of every block
     * @param cachedKeywords keywords whose hash to the ring is kept, least recently used out first; 0 for none
     */
    public NtruIndexSealer(PublicKey publicKey, SecureRandom random, SlotPadding padding, int cachedKeywords) {
        this.publicKey = publicKey;
        this.parameters = publicKey.parameters();
        this.random = Objects.requireNonNull(random);
        this.padding = padding;
        if (cachedKeywords < 0) {
            throw new IllegalArgumentException("cachedKeywords must not be negative");
        }
        this.hashes = new KeywordHashes(parameters, cachedKeywords);
    }

    @Override
    public KeyId keyId() {
        return publicKey.id();
    }

    /**
     * Makes the keyword-free part of {@code count} blocks in advance, for devices that have time before they have data. The masks
     * live in memory only and each is taken out for one block.
     */
    public void prepareMasks(int count) {
        for (int i = 0; i < count; i++) {
            preparedMasks.add(drawMask());
        }
    }

    /** Masks made in advance and not used yet. */
    public int preparedMasks() {
        return preparedMasks.size();
    }

    /** Erases the masks made in advance. */
    @Override
    public void close() {
        for (BlockMask mask = preparedMasks.poll(); mask != null; mask = preparedMasks.poll()) {
            mask.open().close();
        }
    }

    @Override
    public List<IndexBlock> seal(
            KeywordDomain domain, MessageContext context, int recordCount, List<Posting> postings) {
        if (recordCount < 1 || recordCount > RecordSet.MAX_RECORDS) {
            throw new IllegalArgumentException("a message has 1 to " + RecordSet.MAX_RECORDS + " records");
        }
        Map<Keyword, RecordSet> united = new LinkedHashMap<>();
        for (Posting posting : postings) {
            if (posting.records().last() >= recordCount) {
                throw new IllegalArgumentException("a posting names a record beyond the record count");
            }
            united.merge(posting.keyword(), posting.records(), RecordSet::union);
        }
        List<Map.Entry<Keyword, RecordSet>> keywords = new ArrayList<>(united.entrySet());
        int perBlock = padding == SlotPadding.ONE_KEYWORD_PER_BLOCK ? 1 : parameters.maxKeywords();
        List<IndexBlock> blocks = new ArrayList<>();
        try (CoinStream coins = CoinStream.fresh(random)) {
            shuffle(keywords, coins); // which keywords share a block says nothing about their order in the message
            for (int from = 0; from < keywords.size(); from += perBlock) {
                int to = Math.min(from + perBlock, keywords.size());
                blocks.add(sealBlock(domain, context, recordCount, keywords.subList(from, to), coins));
            }
        }
        return blocks;
    }

    private IndexBlock sealBlock(
            KeywordDomain domain,
            MessageContext context,
            int records,
            List<Map.Entry<Keyword, RecordSet>> keywords,
            CoinStream coins) {
        BlockMask prepared = preparedMasks.poll();
        BlockMask mask = prepared != null ? prepared : drawMask();
        int slots = padding == SlotPadding.ONE_KEYWORD_PER_BLOCK ? 1 : BlockPayload.paddedSlots(keywords.size());
        List<Integer> places = new ArrayList<>();
        for (int slot = 0; slot < slots; slot++) {
            places.add(slot);
        }
        shuffle(places, coins);
        try (BlockMask.Opened opened = mask.open()) {
            BlockPayload payload = BlockPayload.create(parameters, slots, records, opened.a());
            SlotHash hash = new SlotHash(SlotHash.binding(
                    wrap(domain, new byte[0]), context, payload.bytes(), BlockPayload.publicPart(parameters)));
            for (int i = 0; i < keywords.size(); i++) {
                byte[] input = domain.hashInput(publicKey.id(), keywords.get(i).getKey());
                int[] v = opened.keptProduct(hashes.hatMont(input));
                putKeyword(payload.table(), places.get(i), v, keywords.get(i).getValue(), hash, coins);
            }
            for (int i = keywords.size(); i < slots; i++) {
                putDummy(payload.table(), places.get(i), coins);
            }
            return wrap(domain, payload.bytes());
        }
    }

    private void putKeyword(SlotTable table, int slot, int[] v, RecordSet records, SlotHash hash, CoinStream coins) {
        int kept = parameters.kept();
        int q = parameters.q();
        int quarter1 = (int) (q / 4L);
        int half = (int) (2L * q / 4);
        int quarter3 = (int) (3L * q / 4);
        int flood = parameters.floodBound();
        byte[] slotKey = new byte[kept / 8];
        byte[] column = new byte[kept / 8];
        for (int j = 0; j < kept; j++) {
            int x = v[j] + coins.nextInt(2 * flood + 1) - flood;
            x += x >> 31 & q;
            int d = x - q;
            x = d + (d >> 31 & q);
            int quarter = (half - x >>> 31) + (quarter1 - x >>> 31) + (quarter3 - x >>> 31); // floor(4x/q), q odd
            slotKey[j >> 3] |= (byte) ((quarter + 1 >> 1 & 1) << (j & 7));
            column[j >> 3] |= (byte) ((quarter & 1) << (j & 7));
        }
        Arrays.fill(v, 0);
        byte[] postings = table.records() == 1 ? new byte[0] : records.toBitmap(table.records());
        hash.crypt(slotKey, postings);
        table.putSlot(slot, column, hash.tag(slotKey, column, postings), postings);
        Arrays.fill(slotKey, (byte) 0);
    }

    /** Uniform bits: what a slot looks like without its trapdoor. */
    private void putDummy(SlotTable table, int slot, CoinStream coins) {
        byte[] column = new byte[parameters.kept() / 8];
        byte[] tag = new byte[SlotHash.TAG_BYTES];
        byte[] postings = new byte[SlotTable.postingBytes(table.records())];
        coins.nextBytes(column);
        coins.nextBytes(tag);
        coins.nextBytes(postings);
        table.putSlot(slot, column, tag, postings);
    }

    private BlockMask drawMask() {
        try (CoinStream coins = CoinStream.fresh(random)) {
            return BlockMask.draw(publicKey, coins);
        }
    }

    private IndexBlock wrap(KeywordDomain domain, byte[] payload) {
        return new IndexBlock(
                NtruIndexScheme.ID, parameters.id(), publicKey.id(), domain.scope(), domain.epoch(), payload);
    }

    /** Fisher-Yates. */
    private static <T> void shuffle(List<T> list, CoinStream coins) {
        for (int i = list.size() - 1; i > 0; i--) {
            T swap = list.get(i);
            int j = coins.nextInt(i + 1);
            list.set(i, list.get(j));
            list.set(j, swap);
        }
    }
}
