package dev.veilgate.peks.lattice.ntru;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.IndexVerifier;
import dev.veilgate.peks.KeyId;
import dev.veilgate.peks.MessageContext;
import dev.veilgate.peks.Posting;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.SlotMatch;
import dev.veilgate.peks.StoredBlock;
import dev.veilgate.random.TwoSided;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An attacker who has blocks and nothing else: cuts and pastes them, which must never yield a match, and looks for
 * anything that tells equal keywords from different ones or dummies from keywords. The statistics cannot prove that
 * there is nothing; they show that what once went wrong elsewhere (a shared mask, a biased bit, a pad used twice) is
 * not here.
 */
class BlockAttackTest {
    private static final String ALL = "dev.veilgate.peks.lattice.ntru.NtruParameters#all";
    private static final NtruIndexScheme SCHEME = NtruIndexScheme.accepting(NtruParameters.all());
    private static final MessageContext CONTEXT = TestKeys.context(0);
    private static final int RECORDS = 256;

    private static List<SlotMatch> matches(NtruParameters p, int keyword, IndexBlock block, MessageContext context)
            throws MalformedEncodingException {
        ScopedTrapdoor trapdoor = TestKeys.scoped(p, TestKeys.keyword(keyword));
        return SCHEME.match(SCHEME.prepare(trapdoor), verified(p, block, context));
    }

    private static StoredBlock verified(NtruParameters p, IndexBlock block, MessageContext context)
            throws MalformedEncodingException {
        return SCHEME.verifier(TestKeys.of(p).publicKey().encode())
                .verify(List.of(block), context)
                .getFirst();
    }

    private static void assertRefused(NtruParameters p, IndexBlock block, MessageContext context) {
        assertThatThrownBy(() -> verified(p, block, context)).isInstanceOf(MalformedEncodingException.class);
    }

    private static IndexBlock sealed(NtruParameters p, String label, MessageContext context, int... keywords) {
        List<Posting> postings = Arrays.stream(keywords)
                .mapToObj(i -> Posting.of(TestKeys.keyword(i), i))
                .toList();
        return TestKeys.sealer(p, "BlockAttackTest/" + label)
                .seal(TestKeys.DOMAIN, context, RECORDS, postings)
                .getFirst();
    }

    private static IndexBlock with(IndexBlock block, byte[] payload) {
        return new IndexBlock(block.scheme(), block.parameters(), block.keyId(), block.scope(), block.epoch(), payload);
    }

    /** A block with a slot of some block pasted over one of its own. */
    private static byte[] pasted(PlainBlock from, int slot, PlainBlock to, int place) {
        PlainBlock out = to.copy();
        out.paste(place, from, slot);
        return out.encode();
    }

    @ParameterizedTest
    @MethodSource(ALL)
    void slotsOfOneBlockOpenInNoOther(NtruParameters p) throws MalformedEncodingException {
        IndexBlock first = sealed(p, "one", CONTEXT, 1, 2, 3);
        IndexBlock second = sealed(p, "two", CONTEXT, 4, 5, 6);
        PlainBlock from = PlainBlock.parse(first.payload());
        PlainBlock to = PlainBlock.parse(second.payload());
        int slot = matches(p, 1, first, CONTEXT).getFirst().slot();
        for (int place = 0; place < to.slots; place++) {
            IndexBlock changed = with(second, pasted(from, slot, to, place));
            assertThat(matches(p, 1, changed, CONTEXT)).isEmpty();
        }
        // and the whole second half of a block under the first's A
        PlainBlock mixed = new PlainBlock(p, to.slots, RECORDS, from.a);
        mixed.binding = from.binding;
        for (int i = 0; i < to.slots; i++) {
            mixed.paste(i, to, i);
        }
        for (int keyword = 1; keyword <= 6; keyword++) {
            assertThat(matches(p, keyword, with(first, mixed.encode()), CONTEXT))
                    .isEmpty();
        }
    }

    /** Within its block a slot may move: that is the sender's own choice, and changes no verdict. */
    @Test
    void slotsMayMoveWithinTheirBlock() throws MalformedEncodingException {
        NtruParameters p = NtruParameters.N512_Q24;
        IndexBlock block = sealed(p, "move", CONTEXT, 1, 2);
        PlainBlock payload = PlainBlock.parse(block.payload());
        SlotMatch before = matches(p, 1, block, CONTEXT).getFirst();
        int place = (before.slot() + 5) % payload.slots;
        List<SlotMatch> after = matches(p, 1, with(block, pasted(payload, before.slot(), payload, place)), CONTEXT);
        assertThat(after).extracting(SlotMatch::slot).containsExactlyInAnyOrder(before.slot(), place);
        assertThat(after).extracting(SlotMatch::records).containsOnly(before.records());
    }

    @ParameterizedTest
    @MethodSource(ALL)
    void postingListsCannotBeReplayedOrChanged(NtruParameters p) throws MalformedEncodingException {
        IndexBlock first = sealed(p, "ct/one", CONTEXT, 1, 2);
        IndexBlock second = sealed(p, "ct/two", CONTEXT, 1, 2);
        PlainBlock payload = PlainBlock.parse(first.payload());
        PlainBlock other = PlainBlock.parse(second.payload());
        int slot = matches(p, 1, first, CONTEXT).getFirst().slot();
        int otherSlot = matches(p, 2, first, CONTEXT).getFirst().slot();
        int elsewhere = matches(p, 1, second, CONTEXT).getFirst().slot();
        byte[] flipped = payload.fields[slot].clone();
        flipped[3] ^= (byte) 0x80;
        for (byte[] postings :
                new byte[][] {payload.fields[otherSlot], other.fields[elsewhere], new byte[4], flipped}) {
            PlainBlock out = payload.copy();
            out.fields[slot] = postings;
            assertThat(matches(p, 1, with(first, out.encode()), CONTEXT)).isEmpty();
            assertThat(matches(p, 2, with(first, out.encode()), CONTEXT)).hasSize(1);
        }
        // every bit of the slot counts
        for (int row = 0; row < p.kept(); row += 5) {
            PlainBlock out = payload.copy();
            out.columns[slot][row >> 3] ^= (byte) (1 << (row & 7));
            assertThat(matches(p, 1, with(first, out.encode()), CONTEXT)).isEmpty();
        }
        for (int i = 0; i < 8 * PlainBlock.TAG_BYTES; i += 5) {
            PlainBlock out = payload.copy();
            out.tags[slot][i >> 3] ^= (byte) (1 << (i & 7));
            assertThat(matches(p, 1, with(first, out.encode()), CONTEXT)).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource(ALL)
    void everyHeaderFieldIsBound(NtruParameters p) throws MalformedEncodingException {
        IndexBlock block = sealed(p, "header", CONTEXT, 1);
        assertThat(matches(p, 1, block, CONTEXT)).hasSize(1);
        byte[] payload = block.payload();
        KeyId otherKey = KeyId.of(new byte[16]);
        for (IndexBlock changed : new IndexBlock[] {
            new IndexBlock(block.scheme(), block.parameters(), otherKey, block.scope(), block.epoch(), payload),
            new IndexBlock(block.scheme(), block.parameters(), block.keyId(), "plant-8", block.epoch(), payload),
            new IndexBlock(block.scheme(), block.parameters(), block.keyId(), "", block.epoch(), payload),
            new IndexBlock(block.scheme(), block.parameters(), block.keyId(), block.scope(), "2026-12", payload),
            new IndexBlock(block.scheme(), block.parameters(), block.keyId(), block.scope() + "2", "026-11", payload),
        }) {
            assertRefused(p, changed, CONTEXT);
        }
        for (IndexBlock refused : new IndexBlock[] {
            new IndexBlock("NTRU-PEKS", block.parameters(), block.keyId(), block.scope(), block.epoch(), payload),
            new IndexBlock(block.scheme(), "N512_Q25", block.keyId(), block.scope(), block.epoch(), payload),
            new IndexBlock(
                    block.scheme(),
                    NtruParameters.all().get(p.code() % 3).id(),
                    block.keyId(),
                    block.scope(),
                    block.epoch(),
                    payload),
        }) {
            assertRefused(p, refused, CONTEXT);
            assertThatThrownBy(() -> SCHEME.storedForm(refused, CONTEXT))
                    .isInstanceOf(MalformedEncodingException.class);
        }
        byte[] digest = CONTEXT.sealedContentDigest();
        digest[17] ^= 1;
        for (MessageContext other : new MessageContext[] {
            new MessageContext("device-00", CONTEXT.id(), CONTEXT.sealedContentDigest()),
            new MessageContext("", CONTEXT.id(), CONTEXT.sealedContentDigest()),
            new MessageContext(CONTEXT.sender(), new UUID(7, 1), CONTEXT.sealedContentDigest()),
            new MessageContext(CONTEXT.sender(), new UUID(8, 0), CONTEXT.sealedContentDigest()),
            new MessageContext(CONTEXT.sender(), CONTEXT.id(), digest),
        }) {
            assertRefused(p, block, other);
        }
    }

    @ParameterizedTest
    @MethodSource(ALL)
    void countsAreBound(NtruParameters p) throws MalformedEncodingException {
        IndexBlock block = sealed(p, "counts", CONTEXT, 1);
        byte[] payload = block.payload();
        for (int at = 0; at < 5; at++) {
            for (int value = 0; value < 256; value++) {
                if ((payload[at] & 0xff) == value) {
                    continue;
                }
                byte[] changed = payload.clone();
                changed[at] = (byte) value;
                assertRefused(p, with(block, changed), CONTEXT);
            }
        }
        // another number of slots, with the length to fit: dummies taken away or added
        PlainBlock old = PlainBlock.parse(payload);
        int slot = matches(p, 1, block, CONTEXT).getFirst().slot();
        for (int slots : new int[] {1, 32}) {
            PlainBlock out = new PlainBlock(p, slots, RECORDS, old.a);
            out.binding = old.binding;
            for (int i = 0; i < Math.min(slots, old.slots); i++) {
                out.paste(i, old, i == 0 ? slot : i == slot ? 0 : i);
            }
            assertRefused(p, with(block, out.encode()), CONTEXT);
        }
    }

    /** Keys: a block relabelled to another key, and trapdoors of the other key, both ways. */
    @Test
    void keysDoNotMix() throws Exception {
        NtruParameters p = NtruParameters.N512_Q24;
        KeyPair other = new NtruPeks(p, TestKeys.random("BlockAttackTest/keys")).keyGen();
        InMemoryTrapdoorStore store = new InMemoryTrapdoorStore();
        ScopedTrapdoor mine = TestKeys.scoped(p, TestKeys.keyword(1));
        ScopedTrapdoor theirs =
                TestKeys.scheme(p).trapdoor(other.secretKey(), TestKeys.DOMAIN, TestKeys.keyword(1), store);
        IndexBlock block = sealed(p, "keys", CONTEXT, 1);
        IndexBlock relabelled = new IndexBlock(
                block.scheme(),
                block.parameters(),
                other.publicKey().id(),
                block.scope(),
                block.epoch(),
                block.payload());
        assertRefused(p, relabelled, CONTEXT);
        IndexVerifier ofTheirs = SCHEME.verifier(other.publicKey().encode());
        for (IndexBlock b : new IndexBlock[] {block, relabelled}) {
            assertThatThrownBy(() -> ofTheirs.verify(List.of(b), CONTEXT))
                    .isInstanceOf(MalformedEncodingException.class);
        }
        for (IndexBlock b : new IndexBlock[] {block, relabelled}) {
            for (ScopedTrapdoor t : new ScopedTrapdoor[] {mine, theirs}) {
                int expected = t == mine ? 1 : 0; // the stored form of what was never verified keeps its binding
                assertThat(SCHEME.match(SCHEME.prepare(t), SCHEME.storedForm(b, CONTEXT)))
                        .hasSize(expected);
            }
        }
    }

    /**
     * Everything that a block shows of one keyword, from block to block: half of the bits agree, and every A is
     * another.
     */
    @ParameterizedTest
    @MethodSource(ALL)
    void equalKeywordsCannotBeLinked(NtruParameters p) throws MalformedEncodingException {
        int blocks = 400;
        NtruIndexSealer sealer = new NtruIndexSealer(
                TestKeys.of(p).publicKey(),
                TestKeys.random("BlockAttackTest/link/" + p),
                NtruIndexSealer.SlotPadding.ONE_KEYWORD_PER_BLOCK,
                10);
        List<PlainBlock> payloads = new ArrayList<>();
        Set<String> masks = new HashSet<>();
        for (int i = 0; i < blocks; i++) {
            IndexBlock block = sealer.seal(
                            TestKeys.DOMAIN, CONTEXT, RECORDS, List.of(Posting.of(TestKeys.keyword(1), 3, 77)))
                    .getFirst();
            payloads.add(PlainBlock.parse(block.payload()));
            masks.add(Arrays.toString(payloads.getLast().a));
        }
        assertThat(masks).hasSize(blocks);
        long[] rowOnes = new long[p.kept()];
        Agreement columns = new Agreement();
        Agreement tags = new Agreement();
        Agreement postings = new Agreement();
        long equalCoefficients = 0;
        for (int i = 0; i < blocks; i++) {
            PlainBlock x = payloads.get(i);
            PlainBlock y = payloads.get((i + 1) % blocks);
            columns.add(x.columns[0], y.columns[0]);
            tags.add(x.tags[0], y.tags[0]);
            postings.add(x.fields[0], y.fields[0]);
            for (int row = 0; row < p.kept(); row++) {
                rowOnes[row] += x.bit(row, 0);
            }
            for (int j = 0; j < p.n(); j++) {
                equalCoefficients += x.a[j] == y.a[j] ? 1 : 0;
            }
        }
        TwoSided check = new TwoSided();
        columns.check(check, "columns");
        tags.check(check, "tags");
        postings.check(check, "postings");
        assertThat(equalCoefficients).isLessThan(10);
        double rows = 0;
        for (long ones : rowOnes) {
            rows += (ones - blocks / 2.0) * (ones - blocks / 2.0) / (blocks / 4.0);
        }
        check.chiSquare("rows", rows, p.kept());
        assertThat(check.outliers()).isEmpty();
    }

    /** Of two keywords in one block, that share A: their bits agree by half as well. */
    @ParameterizedTest
    @MethodSource(ALL)
    void keywordsOfOneBlockLookIndependent(NtruParameters p) throws MalformedEncodingException {
        Agreement columns = new Agreement();
        Agreement tags = new Agreement();
        Agreement postings = new Agreement();
        for (int round = 0; round < 40; round++) {
            PlainBlock payload = PlainBlock.parse(
                    sealed(p, "pairs/" + round, CONTEXT, 1, 2, 3, 4, 5, 6, 7, 8).payload());
            for (int i = 0; i < payload.slots; i++) {
                for (int j = 0; j < i; j++) {
                    columns.add(payload.columns[i], payload.columns[j]);
                    tags.add(payload.tags[i], payload.tags[j]);
                    postings.add(payload.fields[i], payload.fields[j]);
                }
            }
        }
        TwoSided check = new TwoSided();
        columns.check(check, "columns");
        tags.check(check, "tags");
        postings.check(check, "postings");
        assertThat(check.outliers()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource(ALL)
    void dummiesLookLikeKeywords(NtruParameters p) throws MalformedEncodingException {
        int blocks = 300;
        int[] keywords = {1, 2, 3, 4, 5, 6, 7, 8};
        NtruIndexSealer sealer = TestKeys.sealer(p, "BlockAttackTest/dummies");
        List<Posting> postings = Arrays.stream(keywords)
                .mapToObj(i -> Posting.of(TestKeys.keyword(i), i))
                .toList();
        long[][][] bytes = new long[3][2][256]; // of columns, tags, postings; of dummies, keywords
        long[][] rowOnes = new long[2][p.kept()];
        long[] rowPairs = new long[2];
        long[] slots = new long[2];
        long[] realAt = new long[16];
        for (int b = 0; b < blocks; b++) {
            IndexBlock block =
                    sealer.seal(TestKeys.DOMAIN, CONTEXT, RECORDS, postings).getFirst();
            PlainBlock payload = PlainBlock.parse(block.payload());
            int[] real = new int[payload.slots];
            for (int i : keywords) {
                real[matches(p, i, block, CONTEXT).getFirst().slot()]++;
            }
            for (int slot = 0; slot < real.length; slot++) {
                int kind = real[slot];
                slots[kind]++;
                realAt[slot] += kind;
                byte[][] parts = {payload.columns[slot], payload.tags[slot], payload.fields[slot]};
                for (int part = 0; part < 3; part++) {
                    for (byte x : parts[part]) {
                        bytes[part][kind][x & 0xff]++;
                    }
                }
                for (int row = 0; row < p.kept(); row++) {
                    rowOnes[kind][row] += payload.bit(row, slot);
                    rowPairs[kind] += row > 0 && payload.bit(row, slot) == payload.bit(row - 1, slot) ? 1 : 0;
                }
            }
        }
        assertThat(slots[0]).isEqualTo(slots[1]).isEqualTo(8L * blocks);
        TwoSided check = new TwoSided();
        for (int part = 0; part < 3; part++) {
            check.equalCounts("bytes of dummies", bytes[part][0]);
            check.equalCounts("bytes of keywords", bytes[part][1]);
            Tosses.checkAlike(check, "bytes", bytes[part][0], bytes[part][1]);
        }
        for (int kind = 0; kind < 2; kind++) {
            Tosses.check(check, "ones", Arrays.stream(rowOnes[kind]).sum(), slots[kind] * p.kept(), 0.5);
            Tosses.check(check, "neighbours", rowPairs[kind], slots[kind] * (p.kept() - 1), 0.5);
            for (long ones : rowOnes[kind]) {
                Tosses.check(check, "ones of a row", ones, slots[kind], 0.5);
            }
        }
        for (long count : realAt) {
            Tosses.check(check, "keywords at a place", count, blocks, 0.5);
        }
        assertThat(check.outliers()).isEmpty();
    }

    /** The paper's form: nothing that is easily counted tells the ciphertexts of two keywords apart. */
    @ParameterizedTest
    @MethodSource(ALL)
    void ciphertextsOfTwoKeywordsLookAlike(NtruParameters p) {
        int each = 150;
        NtruPeks scheme = TestKeys.scheme(p);
        PublicKey publicKey = TestKeys.of(p).publicKey();
        long[][][] histogram = new long[2][2][64]; // of A, B; of the keyword
        long[][] tagBytes = new long[2][256];
        long[] close = new long[2];
        long[] pairs = new long[2];
        List<List<Ciphertext>> all = List.of(new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < each; i++) {
            for (int w = 0; w < 2; w++) {
                Ciphertext c = scheme.encrypt(publicKey, TestKeys.DOMAIN, TestKeys.keyword(w));
                all.get(w).add(c);
                for (int j = 0; j < p.n(); j++) {
                    histogram[0][w][(int) (64L * c.a()[j] / p.q())]++;
                    histogram[1][w][(int) (64L * c.b()[j] / p.q())]++;
                }
                for (byte x : c.tag()) {
                    tagBytes[w][x & 0xff]++;
                }
            }
        }
        for (int i = 1; i < each; i++) {
            for (int w = 0; w < 2; w++) { // equal keywords, then different ones
                int[] x = all.get(0).get(i).b();
                int[] y = all.get(w).get(i - 1).b();
                for (int j = 0; j < p.n(); j++) {
                    pairs[w]++;
                    close[w] += 2L * x[j] / p.q() == 2L * y[j] / p.q() ? 1 : 0;
                }
            }
        }
        TwoSided check = new TwoSided();
        for (int part = 0; part < 2; part++) {
            for (int w = 0; w < 2; w++) {
                check.equalCounts("coefficients", histogram[part][w]);
            }
            Tosses.checkAlike(check, "coefficients", histogram[part][0], histogram[part][1]);
        }
        Tosses.check(check, "halves, equal keywords", close[0], pairs[0], 0.5);
        Tosses.check(check, "halves, other keywords", close[1], pairs[1], 0.5);
        Tosses.checkAlike(check, "tags", tagBytes[0], tagBytes[1]);
        assertThat(check.outliers()).isEmpty();
    }

    /** Bits in which two strings agree. */
    private static final class Agreement {
        private long equal;
        private long bits;

        void add(byte[] x, byte[] y) {
            for (int i = 0; i < x.length; i++) {
                equal += 8 - Integer.bitCount((x[i] ^ y[i]) & 0xff);
                bits += 8;
            }
        }

        void check(TwoSided check, String what) {
            Tosses.check(check, what, equal, bits, 0.5);
        }
    }
}
