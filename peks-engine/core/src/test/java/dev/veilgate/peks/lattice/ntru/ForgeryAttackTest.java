package dev.veilgate.peks.lattice.ntru;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.MessageContext;
import dev.veilgate.peks.Posting;
import dev.veilgate.peks.PreparedTrapdoor;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.SlotMatch;
import dev.veilgate.peks.StoredBlock;
import dev.veilgate.random.TestSeed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A sender who wants a slot that matches keywords which she does not name. While she chose A, one that makes A·t
 * predictable was enough. Now she chooses A0 and a hash of it shifts it: every A0 is admitted, and a slot matches one
 * word; she has to go round the check to match more.
 */
class ForgeryAttackTest {
    private static final TestSeed SEED = TestSeed.of(ForgeryAttackTest.class);
    private static final String ALL = "dev.veilgate.peks.lattice.ntru.NtruParameters#all";
    private static final NtruIndexScheme SCHEME = NtruIndexScheme.accepting(NtruParameters.all());
    private static final int TRAPDOORS = 300;
    /** Slots of a block for words of which the attacker has trapdoors; she fills the others with what she guesses. */
    private static final int OWN_WORDS = 8;

    private static List<PreparedTrapdoor> prepared(NtruParameters p) throws MalformedEncodingException {
        List<PreparedTrapdoor> out = new ArrayList<>();
        for (int i = 0; i < TRAPDOORS; i++) {
            out.add(SCHEME.prepare(TestKeys.scoped(p, TestKeys.keyword(i))));
        }
        return out;
    }

    private static StoredBlock admitted(NtruParameters p, IndexBlock block) throws MalformedEncodingException {
        return admitted(p, List.of(block), ForgedBlock.CONTEXT).getFirst();
    }

    private static List<StoredBlock> admitted(NtruParameters p, List<IndexBlock> blocks, MessageContext context)
            throws MalformedEncodingException {
        return SCHEME.verifier(TestKeys.of(p).publicKey().encode()).verify(blocks, context);
    }

    private static int[] keptProduct(NtruParameters p, int[] a, int[] t) {
        return PlainTwin.kept(p, PlainTwin.product(p, a, t));
    }

    /** The words, by number, whose trapdoors match a block. */
    private static BitSet matched(NtruParameters p, StoredBlock block) throws MalformedEncodingException {
        BitSet matched = new BitSet();
        List<PreparedTrapdoor> prepared = prepared(p);
        for (int i = 0; i < prepared.size(); i++) {
            matched.set(i, !SCHEME.match(prepared.get(i), block).isEmpty());
        }
        return matched;
    }

    /**
     * Slots that she hopes for: those of own words; where A·t is 0, q/4, q/2, 3q/4 or such an eighth everywhere; A0·t
     * for random t, as if nothing were shifted; A·t for random t; and slots merged from two of those.
     */
    private static void fill(NtruParameters p, ForgedBlock block, int[] a0, SplittableRandom random) {
        int slots = block.plain().slots;
        int[] a = block.plain().a;
        int[] point = new int[p.kept()];
        for (int slot = 0; slot < slots; slot++) {
            if (slot < OWN_WORDS) {
                block.seal(
                        slot,
                        keptProduct(
                                p,
                                a,
                                TestKeys.trapdoor(p, TestKeys.keyword(slot)).t()));
            } else if (slot < OWN_WORDS + 8) {
                Arrays.fill(point, (int) ((slot - OWN_WORDS) * (long) p.q() / 8));
                block.seal(slot, point);
            } else {
                int[] base = slot % 3 == 0 ? a : a0;
                int[] likely = keptProduct(p, base, SlotCover.vector(p, random));
                int[] other = slot % 3 == 1 ? keptProduct(p, base, SlotCover.vector(p, random)) : likely;
                Arrays.setAll(point, j -> j % 2 == 0 ? likely[j] : other[j]);
                block.seal(slot, point);
            }
        }
    }

    /** Blocks of each family match, of 300 trapdoors of the key, those of their own words. */
    @ParameterizedTest
    @MethodSource(ALL)
    void eachFamilyIsAdmittedAndMatchesItsOwnWordsOnly(NtruParameters p) throws MalformedEncodingException {
        SplittableRandom random = SEED.random("families/" + p);
        BitSet own = new BitSet();
        own.set(0, OWN_WORDS);
        Map<String, int[]> families = new ForgedMasks(p, random).all();
        families.put("honest", ForgedBlock.honestA(p, "families"));
        int slots = p.maxKeywords() / 16 * 16;
        for (Map.Entry<String, int[]> family : families.entrySet()) {
            ForgedBlock forged = ForgedBlock.shifted(p, slots, 1, family.getValue());
            fill(p, forged, family.getValue(), random);
            StoredBlock stored = admitted(p, forged.block());
            assertThat(matched(p, stored)).as(family.getKey()).isEqualTo(own);
        }
    }

    /** Blocks for another tenant, and 300 trapdoors of hers: nothing of a block for the first. */
    @Test
    void thatIsSoUnderASecondKey() throws MalformedEncodingException {
        NtruParameters p = NtruParameters.N2048_Q29;
        SplittableRandom random = SEED.random("second key");
        PublicKey key = TestKeys.second(p).publicKey();
        List<PreparedTrapdoor> trapdoors = new ArrayList<>();
        List<int[]> vectors = new ArrayList<>();
        for (int i = 0; i < TRAPDOORS; i++) {
            ScopedTrapdoor trapdoor = TestKeys.scopedBySecond(p, TestKeys.keyword(i));
            trapdoors.add(SCHEME.prepare(trapdoor));
            vectors.add(Trapdoor.decode(trapdoor.bytes()).t());
        }
        for (Map.Entry<String, int[]> family : new ForgedMasks(p, random).all().entrySet()) {
            ForgedBlock forged = ForgedBlock.shifted(key, 256, 1, family.getValue());
            fill(p, forged, family.getValue(), random); // own words of the first key
            for (int slot = 0; slot < 4; slot++) {
                forged.seal(slot, keptProduct(p, forged.plain().a, vectors.get(slot)));
            }
            StoredBlock stored = SCHEME.verifier(key.encode())
                    .verify(List.of(forged.block()), ForgedBlock.CONTEXT)
                    .getFirst();
            StoredBlock ofFirst =
                    ForgedBlock.shifted(p, 256, 1, family.getValue()).stored();
            for (int i = 0; i < TRAPDOORS; i++) {
                assertThat(SCHEME.match(trapdoors.get(i), stored))
                        .as(family.getKey())
                        .hasSize(i < 4 ? 1 : 0);
                assertThat(SCHEME.match(trapdoors.get(i), ofFirst)).isEmpty();
            }
        }
    }

    /** -rho*·h for the rho* of another A0, and a wave: what would undo the shift, if it were known beforehand. */
    @Test
    void aShiftThatIsGuessedBeforehandIsAnotherOne() throws MalformedEncodingException {
        NtruParameters p = NtruParameters.N2048_Q29;
        ForgedMasks masks = new ForgedMasks(p, SEED.random("guessed"));
        for (int i = 0; i < 5; i++) {
            int[] wave = masks.waves(182, 1);
            int[] before = ForgedBlock.shifted(p, 256, 1, wave).plain().a;
            int[] a0 = masks.filled(j -> (long) wave[j] - before[j] + wave[j]); // wave - rho*·h
            ForgedBlock forged = ForgedBlock.shifted(p, 256, 1, a0);
            fill(p, forged, wave, SEED.random("guessed/" + i));
            BitSet own = new BitSet();
            own.set(0, OWN_WORDS);
            assertThat(matched(p, admitted(p, forged.block()))).isEqualTo(own);
        }
    }

    /**
     * The saboteur: whoever goes round the check matches everything, so that the check is needed and nothing else
     * stands in the way.
     */
    @ParameterizedTest
    @MethodSource(ALL)
    void withoutTheCheckAChosenMaskMatchesEverything(NtruParameters p) throws MalformedEncodingException {
        Map<String, int[]> masks = new ForgedMasks(p, SEED.random("saboteur/" + p)).all();
        for (String name : new String[] {"zero", "ternary", "constant", "q/2"}) {
            ForgedBlock forged = new ForgedBlock(p, 16, 1, masks.get(name));
            int[] v = new int[p.kept()];
            for (int slot = 0; slot < 16; slot++) {
                Arrays.fill(v, (int) ((slot % 4 * 2L + 1) * p.q() / 8));
                forged.seal(slot, v);
            }
            assertThat(matched(p, forged.stored()).cardinality()).as(name).isEqualTo(TRAPDOORS);
            assertThatThrownBy(() -> admitted(p, forged.block()))
                    .as(name)
                    .isInstanceOf(MalformedEncodingException.class)
                    .hasMessageStartingWith("ntru-peks.binding");
        }
    }

    @Test
    void withoutTheCheckAWaveMatchesMostTrapdoors() throws MalformedEncodingException {
        NtruParameters p = NtruParameters.N2048_Q29;
        int[] wave = new ForgedMasks(p, SEED.random("wave")).waves(91, 1);
        StoredBlock forged =
                new SlotCover(p, 1024, SEED.random("cover")).block(wave).stored();
        assertThat(matched(p, forged).cardinality()).isGreaterThan(TRAPDOORS / 2);
    }

    /** For each row the arc that both words accept, where there is one: two words never have one in all rows. */
    @Test
    void noSlotMatchesTwoWords() throws MalformedEncodingException {
        NtruParameters p = NtruParameters.N2048_Q29;
        SplittableRandom random = SEED.random("two words");
        for (Map.Entry<String, int[]> family : new ForgedMasks(p, random).all().entrySet()) {
            ForgedBlock forged = ForgedBlock.shifted(p, 256, 1, family.getValue());
            int[] a = forged.plain().a;
            int[][] kept = new int[32][];
            Arrays.setAll(
                    kept,
                    i -> keptProduct(
                            p, a, TestKeys.trapdoor(p, TestKeys.keyword(i)).t()));
            for (int slot = 0; slot < 256; slot++) {
                int first = slot % 32;
                int second = (slot + 1 + slot / 32) % 32;
                forged.seal(slot, merged(p, kept[first], kept[second]));
            }
            StoredBlock stored = admitted(p, forged.block());
            List<Integer> slots = new ArrayList<>();
            for (PreparedTrapdoor trapdoor : prepared(p)) {
                SCHEME.match(trapdoor, stored).forEach(match -> slots.add(match.slot()));
            }
            assertThat(slots).as(family.getKey()).doesNotHaveDuplicates();
        }
    }

    /** A point that both accept, in each row where there is one; else the first. */
    private static int[] merged(NtruParameters p, int[] first, int[] second) {
        int[] out = first.clone();
        double tau = p.rowBound();
        for (int j = 0; j < out.length; j++) {
            for (int quarter = 0; quarter < 4; quarter++) {
                double centre = (2 * quarter + 1) * p.q() / 8.0;
                double reach = p.q() / 8.0 + tau;
                if (distance(first[j], centre, p.q()) <= reach && distance(second[j], centre, p.q()) <= reach) {
                    out[j] = (int) centre;
                }
            }
        }
        return out;
    }

    private static double distance(double x, double y, double circle) {
        double d = Math.abs(x - y);
        return Math.min(d, circle - d);
    }

    /** A slot that agrees in the hot rows and not behind them is no match, even if its tag is right. */
    @Test
    void allRowsHaveToAgreeAndNotTheHotOnesAlone() throws MalformedEncodingException {
        NtruParameters p = NtruParameters.N2048_Q29;
        int[] a0 = ForgedBlock.honestA(p, "all rows");
        ForgedBlock forged = ForgedBlock.shifted(p, 16, 1, a0);
        int[] a = forged.plain().a;
        int[] c = keptProduct(p, a, TestKeys.trapdoor(p, TestKeys.keyword(5)).t());
        byte[] column = PlainTwin.bits(c, p, false);
        int slot = 0;
        TestKernel kernel = new TestKernel(p);
        for (int row = p.hotRows(); row < p.kept() && slot < 16; row++) {
            if (kernel.speaks(HotBlock.phase(c[row], p.q()))) {
                byte[] changed = column.clone();
                changed[row >> 3] ^= (byte) (1 << (row & 7));
                forged.put(slot++, changed, PlainTwin.slotKey(p, c, changed)); // with the tag that Test would compute
            }
        }
        assertThat(slot).isEqualTo(16);
        PreparedTrapdoor trapdoor = SCHEME.prepare(TestKeys.scoped(p, TestKeys.keyword(5)));
        assertThat(SCHEME.match(trapdoor, admitted(p, forged.block()))).isEmpty();
        forged.put(3, column, PlainTwin.slotKey(p, c, column));
        assertThat(SCHEME.match(trapdoor, admitted(p, forged.block())))
                .extracting(SlotMatch::slot)
                .containsExactly(3);
    }

    private static IndexBlock sealed(NtruParameters p, MessageContext context, int keywords) {
        List<Posting> postings = new ArrayList<>();
        for (int i = 0; i < keywords; i++) {
            postings.add(Posting.of(TestKeys.keyword(i), 0));
        }
        return TestKeys.sealer(p, "ForgeryAttackTest")
                .seal(TestKeys.DOMAIN, context, 1, postings)
                .getFirst();
    }

    private static IndexBlock with(IndexBlock block, byte[] payload) {
        return new IndexBlock(block.scheme(), block.parameters(), block.keyId(), block.scope(), block.epoch(), payload);
    }

    private static void assertRefused(NtruParameters p, IndexBlock block, String field) {
        assertThatThrownBy(() -> admitted(p, block))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageStartingWith(field);
    }

    @ParameterizedTest
    @MethodSource(ALL)
    void wrongMovedAndReplayedBindingsAreRefused(NtruParameters p) throws MalformedEncodingException {
        IndexBlock block = sealed(p, ForgedBlock.CONTEXT, 3);
        IndexBlock other = sealed(p, ForgedBlock.CONTEXT, 4);
        IndexBlock elsewhere = sealed(p, TestKeys.context(1), 3);
        admitted(p, block);
        assertRefused(p, elsewhere, "ntru-peks.binding");
        PlainBlock plain = PlainBlock.parse(block.payload());
        for (byte[] binding : new byte[][] {
            new byte[32], PlainBlock.parse(other.payload()).binding, PlainBlock.parse(elsewhere.payload()).binding
        }) {
            PlainBlock changed = plain.copy();
            changed.binding = binding;
            assertRefused(p, with(block, changed.encode()), "ntru-peks.binding");
        }
        for (int bit = 0; bit < 256; bit += 17) {
            PlainBlock changed = plain.copy();
            changed.binding[bit / 8] ^= (byte) (1 << bit % 8);
            assertRefused(p, with(block, changed.encode()), "ntru-peks.binding");
        }
        for (int i = 0; i < p.n(); i += p.n() / 16 - 1) {
            PlainBlock changed = plain.copy();
            changed.a[i] = (changed.a[i] + 1) % p.q();
            assertRefused(p, with(block, changed.encode()), "ntru-peks.binding");
        }
        // the whole mask of another block, with its binding
        PlainBlock moved = PlainBlock.parse(elsewhere.payload());
        assertRefused(p, with(block, moved.encode()), "ntru-peks.binding");
    }

    /** A coefficient of q or more is another one's second spelling. */
    @ParameterizedTest
    @MethodSource(ALL)
    void otherSpellingsOfAMaskAreRefused(NtruParameters p) {
        IndexBlock block = sealed(p, ForgedBlock.CONTEXT, 3);
        int width = 32 - Integer.numberOfLeadingZeros(p.q() - 1);
        for (int i : new int[] {0, 1, p.n() / 2, p.n() - 1}) {
            for (int value : new int[] {p.q(), (1 << width) - 1}) {
                PlainBlock changed = PlainBlock.parse(block.payload());
                changed.a[i] = value;
                assertRefused(p, with(block, changed.encode()), "ntru-peks.a");
            }
        }
    }

    /**
     * Two A0 that differ by something short, or not at all, let everybody test guesses of their keywords: their sender
     * has to hear of it.
     */
    @Test
    void blocksOfOneMessageMustNotShareTheirRandomness() throws MalformedEncodingException {
        NtruParameters p = NtruParameters.N2048_Q29;
        int[] a0 = ForgedBlock.honestA(p, "shared");
        SplittableRandom random = SEED.random("nearly");
        int[] nearly = a0.clone();
        Arrays.setAll(nearly, i -> Math.floorMod(a0[i] + random.nextInt(-1_000_000, 1_000_001), p.q()));
        IndexBlock first = ForgedBlock.shifted(p, 16, 1, a0).block();
        IndexBlock other =
                ForgedBlock.shifted(p, 32, 1, ForgedBlock.honestA(p, "own")).block();
        admitted(p, List.of(first, other), ForgedBlock.CONTEXT);
        for (int[] again : new int[][] {a0, nearly}) {
            IndexBlock second = ForgedBlock.shifted(p, 48, 1, again).block();
            assertThatThrownBy(() -> admitted(p, List.of(first, other, second), ForgedBlock.CONTEXT))
                    .isInstanceOf(MalformedEncodingException.class)
                    .hasMessageStartingWith("ntru-peks.a");
        }
    }

    /**
     * With an honest A, slots of any making match no one: not bits all equal, not garbage, not one slot many times
     * over.
     */
    @ParameterizedTest
    @MethodSource(ALL)
    void strangeSlotsMatchNobody(NtruParameters p) throws MalformedEncodingException {
        SplittableRandom random = SEED.random("strange/" + p);
        int[] a0 = ForgedBlock.honestA(p, "strange");
        int slots = 16;
        byte[] zeros = new byte[32];
        byte[] ones = new byte[32];
        Arrays.fill(ones, (byte) -1);
        byte[][] alternatives = {zeros, ones};
        ForgedBlock equalBits = ForgedBlock.shifted(p, slots, 1, a0);
        ForgedBlock garbage = ForgedBlock.shifted(p, slots, 1, a0);
        ForgedBlock repeated = ForgedBlock.shifted(p, slots, 1, a0);
        byte[] column = new byte[32];
        random.nextBytes(column);
        for (int slot = 0; slot < slots; slot++) {
            equalBits.put(slot, alternatives[slot & 1], alternatives[slot >> 1 & 1]);
            byte[] bits = new byte[32];
            byte[] tag = new byte[SlotHash.TAG_BYTES];
            random.nextBytes(bits);
            random.nextBytes(tag);
            garbage.putRaw(slot, bits, tag);
            repeated.put(slot, column, zeros);
        }
        for (ForgedBlock forged : new ForgedBlock[] {equalBits, garbage, repeated}) {
            assertThat(matched(p, admitted(p, forged.block())).isEmpty()).isTrue();
        }
    }

    /**
     * No honest sender seals a keyword that no record contains; a hit without records would only confuse whoever asked.
     */
    @ParameterizedTest
    @MethodSource(ALL)
    void aSlotThatNamesNoRecordIsNoMatch(NtruParameters p) throws MalformedEncodingException {
        int[] a = ForgedBlock.honestA(p, "no record");
        Trapdoor trapdoor = TestKeys.trapdoor(p, TestKeys.keyword(5));
        int[] v = keptProduct(p, a, trapdoor.t());
        byte[] key = PlainTwin.bits(v, p, true);
        PreparedTrapdoor prepared = SCHEME.prepare(TestKeys.scoped(p, TestKeys.keyword(5)));
        for (byte bitmap : new byte[] {0, (byte) 0xfe, 1}) { // of one record, the first of eight bits
            ForgedBlock forged = new ForgedBlock(p, 16, 9, a);
            byte[] records = {bitmap == (byte) 0xfe ? 0 : bitmap, bitmap == (byte) 0xfe ? bitmap : 0};
            forged.plain().fields[3] = PlainBlock.cryptField(key, forged.binding(), records);
            forged.seal(3, v);
            assertThat(SCHEME.match(prepared, SCHEME.storedForm(forged.block(), ForgedBlock.CONTEXT)))
                    .hasSize(bitmap == 1 ? 1 : 0);
        }
    }

    /** A keyword many times in one block is found many times, by its own trapdoor alone. */
    @Test
    void aRepeatedKeywordIsStillOneKeyword() throws MalformedEncodingException {
        NtruParameters p = NtruParameters.N2048_Q29;
        ForgedBlock forged = ForgedBlock.shifted(p, 256, 1, ForgedBlock.honestA(p, "repeated"));
        Trapdoor trapdoor = TestKeys.trapdoor(p, TestKeys.keyword(5));
        int[] v = keptProduct(p, forged.plain().a, trapdoor.t());
        for (int slot = 0; slot < 256; slot++) {
            forged.seal(slot, v);
        }
        StoredBlock stored = admitted(p, forged.block());
        List<PreparedTrapdoor> prepared = prepared(p);
        for (int i = 0; i < TRAPDOORS; i++) {
            List<SlotMatch> matches = SCHEME.match(prepared.get(i), stored);
            assertThat(matches).hasSize(i == 5 ? 256 : 0);
        }
    }
}
