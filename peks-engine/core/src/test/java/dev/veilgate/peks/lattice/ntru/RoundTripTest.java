package dev.veilgate.peks.lattice.ntru;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.MessageContext;
import dev.veilgate.peks.Posting;
import dev.veilgate.peks.PreparedTrapdoor;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.peks.SlotMatch;
import dev.veilgate.peks.StoredBlock;
import dev.veilgate.random.TestSeed;
import dev.veilgate.random.TwoSided;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Holds that what was sealed is found, with exactly its records, and nothing else, for every parameter set and at every
 * size where padding, caps or bitmaps change. A false negative here is a message that a search silently misses.
 */
class RoundTripTest {
    private static final TestSeed SEED = TestSeed.of(RoundTripTest.class);
    private static final String ALL = "dev.veilgate.peks.lattice.ntru.NtruParameters#all";
    private static final int POOL = 600;
    private static final NtruIndexScheme SCHEME = NtruIndexScheme.accepting(NtruParameters.all());

    @ParameterizedTest
    @MethodSource(ALL)
    void findsEveryKeywordWithItsRecordsAndNothingElse(NtruParameters p) throws MalformedEncodingException {
        SplittableRandom random = SEED.random("" + p);
        NtruIndexSealer sealer = TestKeys.sealer(p, "RoundTripTest");
        List<PreparedTrapdoor> prepared = prepared(p);
        int cap = p.maxKeywords();
        int message = 0;
        for (int keywords : new int[] {1, 2, 15, 16, 17, cap, cap + 1}) {
            for (int records : new int[] {1, 2, 7, 8, 9, 255, 256}) {
                MessageContext context = TestKeys.context(message++);
                Map<Integer, RecordSet> expected = randomPostings(keywords, records, random);
                List<Posting> postings = new ArrayList<>();
                expected.forEach((i, set) -> postings.add(new Posting(TestKeys.keyword(i), set)));

                List<IndexBlock> blocks = sealer.seal(TestKeys.DOMAIN, context, records, postings);

                assertThat(blocks).hasSize((keywords + cap - 1) / cap);
                Map<Integer, RecordSet> found = new HashMap<>();
                for (IndexBlock block : blocks) {
                    StoredBlock stored = SCHEME.storedForm(IndexBlock.decode(block.encode()), context);
                    assertThat(PlainBlock.parse(block.payload()).slots % 16).isZero();
                    Set<Integer> slots = new HashSet<>();
                    for (int i = 0; i < POOL; i++) {
                        for (SlotMatch match : SCHEME.match(prepared.get(i), stored)) {
                            assertThat(slots.add(match.slot())).isTrue();
                            assertThat(found.put(i, match.records())).isNull();
                        }
                    }
                }
                assertThat(found).isEqualTo(expected);
            }
        }
    }

    @ParameterizedTest
    @MethodSource(ALL)
    void oneKeywordABlockHasOneSlot(NtruParameters p) throws MalformedEncodingException {
        NtruIndexSealer sealer = new NtruIndexSealer(
                TestKeys.of(p).publicKey(),
                TestKeys.random("RoundTripTest/single/" + p),
                NtruIndexSealer.SlotPadding.ONE_KEYWORD_PER_BLOCK,
                0);
        MessageContext context = TestKeys.context(1);
        List<Posting> postings = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            postings.add(Posting.of(TestKeys.keyword(i), i));
        }
        List<IndexBlock> blocks = sealer.seal(TestKeys.DOMAIN, context, 20, postings);
        assertThat(blocks).hasSize(20);
        assertThat(blocks)
                .extracting(b -> b.encode().length)
                .containsOnly(blocks.getFirst().encode().length);
        List<PreparedTrapdoor> prepared = prepared(p);
        Map<Integer, RecordSet> found = new HashMap<>();
        for (IndexBlock block : blocks) {
            assertThat(PlainBlock.parse(block.payload()).slots).isEqualTo(1);
            StoredBlock stored = SCHEME.storedForm(block, context);
            for (int i = 0; i < POOL; i++) {
                for (SlotMatch match : SCHEME.match(prepared.get(i), stored)) {
                    assertThat(match.slot()).isZero();
                    assertThat(found.put(i, match.records())).isNull();
                }
            }
        }
        Map<Integer, RecordSet> expected = new HashMap<>();
        for (int i = 0; i < 20; i++) {
            expected.put(i, RecordSet.of(i));
        }
        assertThat(found).isEqualTo(expected);
    }

    /** Otherwise the place of a slot tells the place of the keyword in the message. */
    @Test
    void slotsAndBlocksAreShuffled() throws MalformedEncodingException {
        NtruParameters p = NtruParameters.N512_Q24;
        NtruIndexSealer sealer = TestKeys.sealer(p, "RoundTripTest/shuffle");
        List<PreparedTrapdoor> prepared = prepared(p);
        List<Posting> postings = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            postings.add(Posting.of(TestKeys.keyword(i), 0));
        }
        int rounds = 1600;
        long[] slotOfFirst = new long[32];
        long[] blockOfFirst = new long[2];
        for (int round = 0; round < rounds; round++) {
            MessageContext context = TestKeys.context(round);
            List<IndexBlock> blocks = sealer.seal(TestKeys.DOMAIN, context, 1, postings);
            for (int b = 0; b < blocks.size(); b++) {
                StoredBlock stored = SCHEME.storedForm(blocks.get(b), context);
                for (SlotMatch match : SCHEME.match(prepared.getFirst(), stored)) {
                    blockOfFirst[b]++;
                    if (b == 0) {
                        slotOfFirst[match.slot()]++;
                    }
                }
            }
        }
        // 23 of 32 keywords fall into the first block, and there anywhere among 32 slots
        TwoSided check = new TwoSided();
        Tosses.check(check, "first block", blockOfFirst[0], rounds, 23 / 32.0);
        check.equalCounts("slots", slotOfFirst);
        assertThat(check.outliers()).isEmpty();
    }

    /** "Aa" and "BB" have one hash code, and so have what is hashed of them: a cache must still know them apart. */
    @Test
    void keywordsOfOneHashCodeStayApart() throws MalformedEncodingException {
        NtruParameters p = NtruParameters.N512_Q24;
        NtruIndexSealer sealer = new NtruIndexSealer(
                TestKeys.of(p).publicKey(),
                TestKeys.random("RoundTripTest/collision"),
                NtruIndexSealer.SlotPadding.MULTIPLE_OF_16,
                4);
        List<Keyword> words = List.of(
                Keyword.text("word", "AaAa"),
                Keyword.text("word", "BBBB"),
                Keyword.text("word", "AaBB"),
                Keyword.text("word", "BBAa"));
        for (int i = 0; i < words.size(); i++) {
            assertThat(words.get(i)).hasSameHashCodeAs(words.getFirst());
            List<IndexBlock> blocks =
                    sealer.seal(TestKeys.DOMAIN, TestKeys.context(0), 1, List.of(Posting.of(words.get(i), 0)));
            StoredBlock stored = SCHEME.storedForm(blocks.getFirst(), TestKeys.context(0));
            for (int j = 0; j < words.size(); j++) {
                PreparedTrapdoor prepared = SCHEME.prepare(TestKeys.scoped(p, words.get(j)));
                assertThat(SCHEME.match(prepared, stored)).hasSize(i == j ? 1 : 0);
            }
        }
    }

    @ParameterizedTest
    @MethodSource(ALL)
    void thePapersFormFindsItsKeyword(NtruParameters p) throws MalformedEncodingException {
        NtruPeks scheme = TestKeys.scheme(p);
        PublicKey publicKey = TestKeys.of(p).publicKey();
        List<Trapdoor> trapdoors = TestKeys.trapdoors(p, 0, 40);
        for (int i = 0; i < 40; i++) {
            Ciphertext ciphertext = scheme.encrypt(publicKey, TestKeys.DOMAIN, TestKeys.keyword(i));
            Ciphertext read = Ciphertext.decode(ciphertext.encode());
            assertThat(read).isEqualTo(ciphertext).hasSameHashCodeAs(ciphertext);
            assertThat(read.encode()).isEqualTo(ciphertext.encode());
            for (int j = 0; j < 40; j++) {
                assertThat(scheme.test(trapdoors.get(j), read)).isEqualTo(i == j);
            }
        }
    }

    /** The published code judges by the last coefficient alone; here each of them can spoil a match. */
    @ParameterizedTest
    @MethodSource(ALL)
    void everyCoefficientOfThePapersFormCounts(NtruParameters p) {
        NtruPeks scheme = TestKeys.scheme(p);
        Trapdoor trapdoor = TestKeys.trapdoor(p, TestKeys.keyword(0));
        Ciphertext good = scheme.encrypt(TestKeys.of(p).publicKey(), TestKeys.DOMAIN, TestKeys.keyword(0));
        assertThat(scheme.test(trapdoor, good)).isTrue();
        SplittableRandom random = SEED.random("coefficients");
        for (int i = 0; i < 32; i++) {
            int at = i == 0 ? 0 : i == 1 ? p.n() - 1 : random.nextInt(p.n());
            int[] b = good.b().clone();
            b[at] = (b[at] + p.q() / 2) % p.q();
            assertThat(scheme.test(trapdoor, new Ciphertext(p, good.a(), b, good.tag())))
                    .isFalse();
            b[at] = (good.b()[at] + 1) % p.q(); // noise, as the sender's own is
            assertThat(scheme.test(trapdoor, new Ciphertext(p, good.a(), b, good.tag())))
                    .isTrue();
            int[] a = good.a().clone();
            a[at] = (a[at] + p.q() / 2) % p.q();
            assertThat(scheme.test(trapdoor, new Ciphertext(p, a, good.b(), good.tag())))
                    .isFalse();
            byte[] tag = good.tag().clone();
            tag[i] ^= 1;
            assertThat(scheme.test(trapdoor, new Ciphertext(p, good.a(), good.b(), tag)))
                    .isFalse();
        }
    }

    @ParameterizedTest
    @MethodSource(ALL)
    void aCiphertextWhoseStartWasComputedAheadIsOfItsKeywordAlone(NtruParameters p) throws Exception {
        NtruPeks peks = TestKeys.scheme(p);
        CiphertextStart start = peks.start(TestKeys.of(p).publicKey());
        Ciphertext ciphertext = peks.encrypt(start, TestKeys.DOMAIN, TestKeys.keyword(1));
        for (int i = 0; i < 3; i++) {
            Trapdoor trapdoor = Trapdoor.decode(peks.trapdoor(
                            TestKeys.of(p).secretKey(),
                            TestKeys.DOMAIN,
                            TestKeys.keyword(i),
                            new InMemoryTrapdoorStore())
                    .bytes());
            assertThat(peks.test(trapdoor, ciphertext)).isEqualTo(i == 1);
        }
        assertThatThrownBy(() -> peks.encrypt(start, TestKeys.DOMAIN, TestKeys.keyword(2)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("once");
        assertThat(start).hasToString("CiphertextStart[hidden]");
    }

    @Test
    void parameterSetsDoNotMix() throws MalformedEncodingException {
        for (NtruParameters p : NtruParameters.all()) {
            StoredBlock block = SCHEME.storedForm(
                    TestKeys.sealer(p, "RoundTripTest/mix")
                            .seal(TestKeys.DOMAIN, TestKeys.context(0), 1, List.of(Posting.of(TestKeys.keyword(0), 0)))
                            .getFirst(),
                    TestKeys.context(0));
            Ciphertext ciphertext =
                    TestKeys.scheme(p).encrypt(TestKeys.of(p).publicKey(), TestKeys.DOMAIN, TestKeys.keyword(0));
            for (NtruParameters other : NtruParameters.all()) {
                if (other == p) {
                    continue;
                }
                NtruPeks foreign = TestKeys.scheme(other);
                Trapdoor trapdoor = TestKeys.trapdoor(other, TestKeys.keyword(0));
                PreparedTrapdoor prepared = SCHEME.prepare(TestKeys.scoped(other, TestKeys.keyword(0)));
                Keyword w = TestKeys.keyword(0);
                assertThatThrownBy(() -> foreign.encrypt(TestKeys.of(p).publicKey(), TestKeys.DOMAIN, w))
                        .isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> foreign.trapdoor(
                                TestKeys.of(p).secretKey(), TestKeys.DOMAIN, w, new InMemoryTrapdoorStore()))
                        .isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> foreign.test(trapdoor, ciphertext))
                        .isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> TestKeys.scheme(p).test(trapdoor, ciphertext))
                        .isInstanceOf(IllegalArgumentException.class);
                // one hostile block must not stop a search: of another set is no match
                assertThat(SCHEME.match(prepared, block)).isEmpty();
                assertThat(SCHEME.mayMatch(prepared, block.hot(), 0)).isFalse();
            }
        }
    }

    private static Map<Integer, RecordSet> randomPostings(int keywords, int records, SplittableRandom random) {
        Map<Integer, RecordSet> postings = new HashMap<>();
        while (postings.size() < keywords) {
            int count = 1 + random.nextInt(records);
            postings.put(
                    random.nextInt(POOL),
                    RecordSet.of(random.ints(count, 0, records).toArray()));
        }
        return postings;
    }

    private static List<PreparedTrapdoor> prepared(NtruParameters p) throws MalformedEncodingException {
        List<PreparedTrapdoor> out = new ArrayList<>();
        for (int i = 0; i < POOL; i++) {
            out.add(SCHEME.prepare(TestKeys.scoped(p, TestKeys.keyword(i))));
        }
        return out;
    }
}
