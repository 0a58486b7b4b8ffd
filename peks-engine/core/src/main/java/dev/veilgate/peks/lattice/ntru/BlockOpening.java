package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.ring.RingHash;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.KeyId;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.MessageContext;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.peks.SlotMatch;
import dev.veilgate.secret.Secret;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Set;

/**
 * Index block that was opened with the secret key: tells of a keyword whether the block has it, and where, without a
 * trapdoor (specification, section 8).
 *
 * <pre>
 *   r      from A, f and F                       {@link MaskDecoder}
 *   u_j    = (r·H1(w))_j                  kept coefficients; an honest v_j is within the flood bound of u_j
 *   k_j    of the quarter of the circle that has the bit b_j and is within the flood bound of u_j; a slot
 *          that has none in some row has another keyword
 *   tag    decides, as in Test
 * </pre>
 *
 * <p><b>What is given.</b> No keyword of an honest block is missed, with certainty: the bounds are those that the
 * sender draws by. What it finds in an honest block is what Test finds by the keyword's trapdoor, as far as Test
 * misses nothing.
 *
 * <p><b>What is not given.</b> A sender who has the trapdoor of a keyword can make a slot that this finds and Test
 * does not, or the reverse: where a trapdoor was issued, both have to be asked. Each answer about a block that its
 * sender made of a stranger's tells her something about that block's r and e1, if she gets to know it: answers go to
 * no sender, and they are counted. Answers are a search without a trace; a caller asks for keywords of records which
 * it has opened, and for no others.
 *
 * <p>Whether A is r·h + e1 depends on h alone, and so does every answer: the basis is a way to compute it, and another
 * basis of the same key answers alike. Every step takes the same work for all blocks of one size, and for all keywords
 * until a slot's tag is compared.
 *
 * <p>Draws nothing. For one thread; {@link #close} erases r.
 */
@Secret
public final class BlockOpening implements AutoCloseable {
    private final NtruParameters parameters;
    private final KeyId keyId;
    private final KeywordDomain domain;
    private final SlotTable table;
    private final long[] rows;
    private final MaskDecoder.Decoded mask;
    private final SlotHash slotHash;
    private final RingHash ringHash;
    private final int[] h1Hat;
    private final int[] product;
    private final long[] scratch;
    private boolean closed;

    private BlockOpening(
            PublicKey publicKey, KeywordDomain domain, SlotTable table, byte[] binding, MaskDecoder.Decoded mask) {
        this.parameters = publicKey.parameters();
        this.keyId = publicKey.id();
        this.domain = domain;
        this.table = table;
        this.rows = table.rowWords();
        this.mask = mask;
        this.slotHash = new SlotHash(binding, parameters.kept() / 8);
        this.ringHash = new RingHash(parameters.ring().modulus());
        this.h1Hat = new int[parameters.n()];
        this.product = new int[parameters.kept()];
        this.scratch = new long[parameters.n()];
    }

    /**
     * Opens a block, as {@link NtruPeks#open} says.
     *
     * @throws MalformedEncodingException for what is public: another key's block, one that cannot be decoded, a wrong
     *     binding
     */
    static BlockOpening of(SecretKey secretKey, String tenant, IndexBlock block, MessageContext context)
            throws MalformedEncodingException {
        PublicKey publicKey = secretKey.publicKey();
        NtruIndexScheme scheme = NtruIndexScheme.accepting(Set.of(publicKey.parameters()));
        byte[] binding;
        if (scheme.isOutdated(block)) {
            if (!block.keyId().equals(publicKey.id())) {
                throw new MalformedEncodingException("index-block.key-id", "must be " + publicKey.id());
            }
            binding = StoredForm.binding(scheme.storedForm(block, context).cold());
        } else {
            new NtruIndexVerifier(scheme, publicKey).verify(List.of(block), context);
            binding = scheme.decode(block).binding();
        }
        BlockPayload payload = scheme.decode(block);
        KeywordDomain domain = domain(tenant, block);
        MaskDecoder.Decoded mask = secretKey.decode(payload.a());
        return new BlockOpening(publicKey, domain, payload.table(), binding, mask);
    }

    private static KeywordDomain domain(String tenant, IndexBlock block) throws MalformedEncodingException {
        try {
            return new KeywordDomain(tenant, block.scope(), block.epoch());
        } catch (IllegalArgumentException e) {
            throw new MalformedEncodingException("index-block.scope", "must be a name in Unicode NFKC, like the epoch");
        }
    }

    /**
     * Whether A = r·h + e1 with r in -2 .. 2 and e1 in -1 .. 1. Of a block that is not made so no keyword is found,
     * and which of the two is out of range is not said.
     */
    public boolean isWellFormed() {
        requireOpen();
        return mask.isWellFormed();
    }

    /** The slots that hold a keyword, with their records; empty if there are none. */
    public List<SlotMatch> find(Keyword keyword) {
        requireOpen();
        ringHash.hashHat(domain.hashInput(keyId, keyword), h1Hat);
        parameters.ring().foldHat(product, h1Hat, mask.rHatMont(), scratch);
        parameters.keptRing().inverseInPlace(product);
        RowBits bits = RowBits.within(parameters, product);
        BitSet slots = bits.admitted(rows, table.slots(), mask.mask());
        List<SlotMatch> matches = new ArrayList<>(1);
        for (int slot = slots.nextSetBit(0); slot >= 0; slot = slots.nextSetBit(slot + 1)) {
            byte[] column = table.column(slot);
            byte[] slotKey = bits.slotKey(column);
            RecordSet found = table.open(slot, column, slotKey, slotHash);
            Arrays.fill(slotKey, (byte) 0);
            if (!found.isEmpty()) {
                matches.add(new SlotMatch(slot, found));
            }
        }
        bits.erase();
        return List.copyOf(matches);
    }

    /**
     * Whether a slot that holds the keyword names the record.
     *
     * @param record its ordinal in the message
     */
    public boolean has(Keyword keyword, int record) {
        boolean found = false;
        for (SlotMatch match : find(keyword)) {
            found |= match.records().contains(record);
        }
        return found;
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the block's opening was closed");
        }
    }

    /** Erases r, and what was computed with it. */
    @Override
    public void close() {
        closed = true;
        mask.destroy();
        slotHash.close();
        ringHash.close();
        Arrays.fill(h1Hat, 0);
        Arrays.fill(product, 0);
        Arrays.fill(scratch, 0);
    }

    @Override
    public String toString() {
        return "BlockOpening[hidden]";
    }
}
