package dev.veilgate.peks.lattice.ntru;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.MessageContext;
import dev.veilgate.peks.Posting;
import dev.veilgate.peks.PreparedTrapdoor;
import dev.veilgate.peks.SlotMatch;
import dev.veilgate.peks.StoredBlock;
import dev.veilgate.random.TestSeed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Holds the fast Test to the plain one: rejecting early, 64 slots at a time and in 32-bit phases, it must never give
 * another verdict than decoding every slot in full, neither on honest blocks nor on slots that are made to survive for
 * long.
 */
class TestKernelTwinTest {
    private static final TestSeed SEED = TestSeed.of(TestKernelTwinTest.class);
    private static final String ALL = "dev.veilgate.peks.lattice.ntru.NtruParameters#all";
    private static final NtruIndexScheme SCHEME = NtruIndexScheme.accepting(NtruParameters.all());

    /** Two million slots in all. */
    @ParameterizedTest
    @MethodSource(ALL)
    void rejectingEarlyChangesNoVerdict(NtruParameters p) throws MalformedEncodingException {
        int trapdoors = 500;
        int blocks = 8;
        List<PreparedTrapdoor> prepared = new ArrayList<>();
        for (int i = 0; i < trapdoors; i++) {
            prepared.add(SCHEME.prepare(TestKeys.scoped(p, TestKeys.keyword(i))));
        }
        List<Trapdoor> plain = TestKeys.trapdoors(p, 0, trapdoors);
        NtruIndexSealer sealer = TestKeys.sealer(p, "TestKernelTwinTest");
        int matched = 0;
        for (int b = 0; b < blocks; b++) {
            MessageContext context = TestKeys.context(b);
            List<Posting> postings = new ArrayList<>();
            for (int i = 0; i < p.maxKeywords(); i++) {
                postings.add(Posting.of(TestKeys.keyword(i + 31 * b), i));
            }
            IndexBlock block =
                    sealer.seal(TestKeys.DOMAIN, context, 256, postings).getFirst();
            PlainBlock payload = PlainBlock.parse(block.payload());
            byte[] binding = payload.binding(block, context);
            StoredBlock stored = SCHEME.storedForm(block, context);
            for (int i = 0; i < trapdoors; i++) {
                List<SlotMatch> expected =
                        PlainTwin.match(payload, binding, plain.get(i).t());
                assertThat(SCHEME.match(prepared.get(i), stored)).isEqualTo(expected);
                matched += expected.size();
            }
        }
        int last = 31 * (blocks - 1) + p.maxKeywords();
        assertThat(matched).isEqualTo(blocks * p.maxKeywords() - Math.max(0, last - trapdoors));
    }

    /**
     * Slots that agree with a wrong trapdoor in exactly k of the rows that speak, for every k up to all of them, with
     * the tag that full decoding asks for: only the slot that contradicts no row matches, whoever else is alive.
     */
    @ParameterizedTest
    @MethodSource(ALL)
    void aSlotIsRejectedByItsFirstContradictionHoweverLate(NtruParameters p) throws MalformedEncodingException {
        SplittableRandom random = SEED.random("late/" + p);
        int slots = 16;
        for (int round = 0; round < 3; round++) {
            Trapdoor trapdoor = TestKeys.trapdoor(p, TestKeys.keyword(round));
            PreparedTrapdoor prepared = SCHEME.prepare(TestKeys.scoped(p, TestKeys.keyword(round)));
            int[] a = honestA(p, trapdoor, "late/" + round + p);
            int[] c = PlainTwin.kept(p, PlainTwin.product(p, a, trapdoor.t()));
            int[] speaking = speakingRows(p, a, trapdoor);
            long hot = Arrays.stream(speaking).filter(row -> row < p.hotRows()).count();
            for (int k = 0; k <= speaking.length; k++) {
                for (boolean rightTag : new boolean[] {true, false}) {
                    for (boolean survivorElsewhere : new boolean[] {false, true}) {
                        ForgedBlock forged = new ForgedBlock(p, slots, 1, a);
                        int at = random.nextInt(slots);
                        int other = (at + 1 + random.nextInt(slots - 1)) % slots;
                        for (int slot = 0; slot < slots; slot++) {
                            int agree = slot == at ? k : slot == other && survivorElsewhere ? speaking.length : 0;
                            byte[] column = column(p, c, speaking, agree, random);
                            byte[] key = PlainTwin.slotKey(p, c, column);
                            if (slot == at && rightTag) {
                                forged.put(slot, column, key);
                            } else {
                                key[0] ^= 1;
                                forged.put(slot, column, key);
                            }
                        }
                        StoredBlock stored = SCHEME.storedForm(forged.block(), ForgedBlock.CONTEXT);
                        boolean alive = k == speaking.length;
                        assertThat(SCHEME.mayMatch(prepared, stored.hot(), 0)).isEqualTo(k >= hot || survivorElsewhere);
                        assertThat(SCHEME.match(prepared, stored))
                                .extracting(SlotMatch::slot)
                                .isEqualTo(alive && rightTag ? List.of(at) : List.of());
                        // full decoding never looks at contradictions: it sees the tag alone
                        assertThat(PlainTwin.match(forged.plain(), forged.binding(), trapdoor.t()))
                                .extracting(SlotMatch::slot)
                                .isEqualTo(rightTag ? List.of(at) : List.of());
                    }
                }
            }
        }
    }

    /** Every place of every number of words: alive where it should be, and never in the bits beyond the last slot. */
    @ParameterizedTest
    @ValueSource(ints = {1, 16, 64, 80, 128, 144, 192, 208, 256})
    void everySlotOfEveryWordIsSeenAndNoBitBeyond(int slots) throws MalformedEncodingException {
        NtruParameters p = NtruParameters.N2048_Q29;
        SplittableRandom random = SEED.random("words/" + slots);
        Trapdoor trapdoor = TestKeys.trapdoor(p, TestKeys.keyword(0));
        PreparedTrapdoor prepared = SCHEME.prepare(TestKeys.scoped(p, TestKeys.keyword(0)));
        int[] a = honestA(p, trapdoor, "words");
        int[] c = PlainTwin.kept(p, PlainTwin.product(p, a, trapdoor.t()));
        int[] speaking = speakingRows(p, a, trapdoor);
        int words = HotBlock.words(slots);
        for (int at = -1; at < slots; at++) {
            ForgedBlock forged = new ForgedBlock(p, slots, 1, a);
            for (int slot = 0; slot < slots; slot++) {
                int agree = slot == at ? speaking.length : random.nextInt(Math.min(speaking.length, 12));
                byte[] column = column(p, c, speaking, agree, random);
                forged.put(slot, column, PlainTwin.slotKey(p, c, column));
            }
            StoredBlock stored = SCHEME.storedForm(forged.block(), ForgedBlock.CONTEXT);
            byte[] hot = stored.hot();
            for (int row :
                    Arrays.stream(speaking).filter(row -> row < p.hotRows()).toArray()) {
                for (int bit = slots; bit < 64 * words; bit++) {
                    int index = HotBlock.rowsAt(p) + 8 * row * words + (bit >> 3);
                    int set = 1 << (bit & 7);
                    hot[index] = (byte) (PlainTwin.low(c[row], p.q()) == 1 ? hot[index] | set : hot[index] & ~set);
                }
            }
            assertThat(SCHEME.mayMatch(prepared, hot, 0)).isEqualTo(at >= 0);
            assertThat(SCHEME.match(prepared, stored))
                    .extracting(SlotMatch::slot)
                    .isEqualTo(at >= 0 ? List.of(at) : List.of());
        }
    }

    /**
     * A column that agrees with c in the first {@code agree} of the given rows and not in the next; elsewhere random
     * bits, but for rows where a wrong bit would leave the key bit to the rounding of phases, which no honest slot
     * comes near.
     */
    private static byte[] column(NtruParameters p, int[] c, int[] rows, int agree, SplittableRandom random) {
        byte[] column = new byte[p.kept() / 8];
        random.nextBytes(column);
        for (int row = 0; row < p.kept(); row++) {
            double inQuarter = 4.0 * c[row] / p.q() % 1;
            if (Math.abs(inQuarter - 0.5) < 0.05) {
                set(column, row, PlainTwin.low(c[row], p.q()));
            }
        }
        for (int i = 0; i <= agree && i < rows.length; i++) {
            int implied = PlainTwin.low(c[rows[i]], p.q());
            set(column, rows[i], i < agree ? implied : 1 - implied);
        }
        return column;
    }

    private static void set(byte[] column, int row, int bit) {
        column[row >> 3] = (byte) (column[row >> 3] & ~(1 << (row & 7)) | bit << (row & 7));
    }

    /**
     * An honest A of which the same rows speak by phases, as in the hot rows, and by coefficients, as in the last step.
     */
    private static int[] honestA(NtruParameters p, Trapdoor trapdoor, String label) {
        TestKernel kernel = new TestKernel(p);
        for (int i = 0; ; i++) {
            int[] a = ForgedBlock.honestA(p, label + "/" + i);
            int[] c = PlainTwin.kept(p, PlainTwin.product(p, a, trapdoor.t()));
            int[] exact = IntStream.range(0, p.kept())
                    .filter(row -> kernel.speaks(HotBlock.phase(c[row], p.q())))
                    .toArray();
            if (Arrays.equals(exact, speakingRows(p, a, trapdoor))) {
                return a;
            }
        }
    }

    /** The rows that speak, of all L, ascending: the hot ones come first. */
    private static int[] speakingRows(NtruParameters p, int[] a, Trapdoor trapdoor) {
        TestKernel kernel = new TestKernel(p);
        byte[] hot = HotBlock.of(BlockPayload.create(BlockPayload.VERSION, p, new PostingForm(1, 1), 0, a));
        int[] phases = Rows.phases(p, hot, 0, TestKernel.window(trapdoor.t()));
        int[] rows = IntStream.range(0, p.kept())
                .filter(row -> kernel.speaks(phases[row]))
                .toArray();
        assertThat(rows).hasSizeGreaterThan(p.kept() / 25);
        return rows;
    }

    /** The sum of rounding errors is what the bound in tau says, and neither more nor nothing. */
    @ParameterizedTest
    @MethodSource(ALL)
    void phasesAreTheProductWithinTheStatedBound(NtruParameters p) {
        double bound = p.rowTail() / 2 * p.normBound(); // in units of 2^-32 turns
        double squares = 0;
        double expected = 0;
        for (int i = 0; i < 40; i++) {
            int[] t = TestKeys.trapdoor(p, TestKeys.keyword(i)).t();
            int[] a = ForgedBlock.honestA(p, "phases/" + i + p);
            int[] exact = PlainTwin.kept(p, i == 0 ? PlainTwin.schoolbook(p, a, t) : PlainTwin.product(p, a, t));
            byte[] hot = HotBlock.of(BlockPayload.create(BlockPayload.VERSION, p, new PostingForm(16, 1), 0, a));
            byte[] moved = new byte[hot.length + 5];
            System.arraycopy(hot, 0, moved, 5, hot.length);
            int[] window = TestKernel.window(t);
            int[] phases = Rows.phases(p, hot, 0, window);
            assertThat(Rows.phases(p, moved, 5, window)).isEqualTo(phases);
            double norm =
                    Math.sqrt(Arrays.stream(t).asDoubleStream().map(x -> x * x).sum());
            for (int row = 0; row < p.kept(); row++) {
                int phase = phases[row];
                double error = phase - HotBlock.phase(exact[row], p.q());
                assertThat(Math.abs(error)).isLessThan(bound);
                squares += error * error;
                expected += norm * norm / 12;
            }
        }
        assertThat(squares / expected).isBetween(0.9, 1.1);
    }

    @ParameterizedTest
    @MethodSource(ALL)
    void phasesCanBeRoundedBack(NtruParameters p) {
        int q = p.q();
        SplittableRandom random = SEED.random("phases");
        int edge = 1 << 17;
        for (int quarter = 0; quarter <= 4; quarter++) {
            long centre = (long) q * quarter / 4;
            for (long a = Math.max(0, centre - edge); a < Math.min(q, centre + edge); a++) {
                assertRoundsBack((int) a, q);
            }
        }
        for (int i = 0; i < 4_000_000; i++) {
            assertRoundsBack(random.nextInt(q), q);
        }
    }

    /** Division by multiplication, for all coefficients at once: the same phases at every edge of the rounding. */
    @ParameterizedTest
    @MethodSource(ALL)
    void phasesOfManyAreThoseOfEach(NtruParameters p) {
        int q = p.q();
        SplittableRandom random = SEED.random("many phases");
        int[] a = new int[1 << 16];
        for (int round = 0; round < 40; round++) {
            for (int i = 0; i < a.length; i++) {
                a[i] = switch (round) {
                    case 0 -> i;
                    case 1 -> q - 1 - i;
                    case 2 -> (int) ((long) i * q / a.length);
                    // near a tie: a·2^33/q is nearly an odd integer, or an integer
                    case 3 -> (int) Math.min(q - 1L, ((2L * i + 1) * q + (1L << 32)) >> 33);
                    default -> random.nextInt(q);
                };
            }
            int[] phases = HotBlock.phases(a, q);
            for (int i = 0; i < a.length; i++) {
                if (phases[i] != HotBlock.phase(a[i], q)) {
                    throw new AssertionError("phase of " + a[i] + " mod " + q);
                }
            }
        }
    }

    private static void assertRoundsBack(int a, int q) {
        long phase = HotBlock.phase(a, q) & 0xffff_ffffL;
        long exact = Math.round((double) a * 0x1p32 / q); // far from a tie, or the next line fails
        long back = (2 * phase * q + (1L << 32)) >> 33;
        if (back != a || HotBlock.coefficient((int) phase, q) != a || Math.abs(phase - exact) > 1) {
            throw new AssertionError("phase of " + a + " mod " + q + " is " + phase);
        }
        // |phase - a·2^32/q| <= 1/2, in integers
        if (Math.abs(2 * (phase * q - ((long) a << 32))) > q) {
            throw new AssertionError("phase of " + a + " mod " + q + " is not the nearest");
        }
    }

    /** Over the whole circle: which row speaks, the bit that it implies, and the key bit from either low bit. */
    @ParameterizedTest
    @MethodSource(ALL)
    void bitsAreThoseOfTheDefinitions(NtruParameters p) {
        TestKernel kernel = new TestKernel(p);
        long circle = 1L << 32;
        double tau = p.rowBound() * 0x1p32 / p.q();
        long quarter = 1L << 30;
        SplittableRandom random = SEED.random("circle");
        long low = (long) Math.ceil(tau);
        long[] interesting = {0, 1, low - 1, low, low + 1, quarter / 2 - 1, quarter / 2, quarter / 2 + 1};
        for (int i = 0; i < 400_000; i++) {
            long c;
            if (i < 4 * 2 * interesting.length) {
                long d = interesting[i / 8];
                c = Math.floorMod(i % 4 * quarter + (i / 4 % 2 == 0 ? d : -d), circle);
            } else {
                c = i % 2 == 0 ? random.nextLong(circle) : i * 10_737L % circle;
            }
            int phase = (int) c;
            long inQuarter = c % quarter;
            long distance = Math.min(inQuarter, quarter - inQuarter);
            if (kernel.speaks(phase)) {
                assertThat((double) distance).isGreaterThanOrEqualTo(tau);
                assertThat(TestKernel.impliedBit(phase)).isEqualTo(PlainTwin.low(c, circle));
            } else {
                assertThat((double) distance).isLessThan(tau + 2);
            }
            for (int b = 0; b < 2; b++) {
                boolean tie = inQuarter == quarter / 2 && (c / quarter & 1) != b;
                if (!tie) {
                    assertThat(TestKernel.keyBit(phase, b)).isEqualTo(PlainTwin.keyBit(c, b, circle));
                }
            }
        }
    }

    /** Whatever v a right keyword has, and noise of up to q/8 either way: its bits lead back to its key bit. */
    @ParameterizedTest
    @MethodSource(ALL)
    void reconciliationSurvivesNoiseUpToAnEighth(NtruParameters p) {
        SplittableRandom random = SEED.random("reconciliation");
        int q = p.q();
        for (int i = 0; i < 500_000; i++) {
            int v = random.nextInt(q);
            int z = i % 3 == 0 ? q / 8 - 1 : i % 3 == 1 ? -(q / 8 - 1) : random.nextInt(-(q / 8), q / 8);
            int c = Math.floorMod(v - z, q);
            int b = PlainTwin.low(v, q);
            int k = PlainTwin.high(v, q);
            assertThat(PlainTwin.keyBit(c, b, q)).isEqualTo(k);
            if (Math.abs(z) < q / 8 - 2) {
                assertThat(TestKernel.keyBit(HotBlock.phase(c, q), b)).isEqualTo(k);
            }
        }
    }

    /** Compares what words of bits say of a slot with what its rows say one by one. */
    private static void requireBits(TestKernel kernel, int[] phases, RowBits bits, SlotTable table, int slot) {
        boolean admitted = true;
        byte[] column = new byte[phases.length / 8];
        byte[] key = new byte[phases.length / 8];
        for (int row = 0; row < phases.length; row++) {
            int bit = table.bit(row, slot);
            admitted &= !kernel.speaks(phases[row]) || bit == TestKernel.impliedBit(phases[row]);
            column[row >> 3] |= (byte) (bit << (row & 7));
            key[row >> 3] |= (byte) (TestKernel.keyBit(phases[row], bit) << (row & 7));
        }
        assertThat(table.column(slot)).isEqualTo(column);
        assertThat(bits.admit(column)).isEqualTo(admitted);
        assertThat(bits.slotKey(column)).isEqualTo(key);
    }

    @ParameterizedTest
    @MethodSource(ALL)
    void whatNoRowContradictsNoHotRowDoesAndManyTrapdoorsAtATimeChangeNoVerdict(NtruParameters p)
            throws MalformedEncodingException {
        TestKernel kernel = new TestKernel(p);
        NtruIndexSealer sealer = TestKeys.sealer(p, "TestKernelTwinTest/many");
        List<StoredBlock> blocks = new ArrayList<>();
        int cap = p.maxKeywords();
        for (int b = 0; b < 23; b++) {
            List<Posting> postings = new ArrayList<>();
            for (int i = 0; i < (b % 3 == 0 ? cap : b % 3 == 1 ? 3 : Math.min(20, cap)); i++) {
                postings.add(Posting.of(TestKeys.keyword(i + 40 * b % 90), 0));
            }
            blocks.add(SCHEME.storedForm(
                    sealer.seal(TestKeys.DOMAIN, TestKeys.context(b), 3, postings)
                            .getFirst(),
                    TestKeys.context(b)));
        }
        int hits = 0;
        List<PreparedTrapdoor> all = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            PreparedTrapdoor prepared = SCHEME.prepare(TestKeys.scoped(p, TestKeys.keyword(i)));
            all.add(prepared);
            int[] window =
                    TestKernel.window(TestKeys.trapdoor(p, TestKeys.keyword(i)).t());
            for (StoredBlock block : blocks) {
                byte[] hot = block.hot();
                boolean may = kernel.mayMatch(hot, 0, window);
                int[] phases = Rows.phases(p, hot, 0, window);
                SlotTable table = StoredForm.table(hot, block.cold(), p);
                RowBits bits = new RowBits(kernel, phases);
                BitSet survivors = kernel.survivors(hot, phases);
                for (int slot = 0; slot < table.slots(); slot++) {
                    requireBits(kernel, phases, bits, table, slot);
                    if (!bits.admit(table.column(slot))) {
                        survivors.clear(slot);
                    }
                }
                assertThat(may || survivors.isEmpty()).isTrue();
                int found = SCHEME.match(prepared, block).size();
                assertThat(survivors.cardinality()).isGreaterThanOrEqualTo(found);
                hits += found;
            }
        }
        assertThat(hits).isGreaterThan(100);
        for (StoredBlock block : blocks) {
            assertThat(SCHEME.matchTrapdoors(all, block))
                    .isEqualTo(all.stream().map(t -> SCHEME.match(t, block)).toList());
        }
    }

    @Test
    void theWindowIsTheNegacyclicProductsRow() {
        NtruParameters p = NtruParameters.N512_Q24;
        int[] t = TestKeys.trapdoor(p, TestKeys.keyword(0)).t();
        int[] window = TestKernel.window(t);
        assertThat(window).hasSize(2 * p.n());
        for (int i = 0; i < p.n(); i++) {
            assertThat(window[p.n() - 1 - i]).isEqualTo(t[i]);
            assertThat(window[2 * p.n() - 1 - i]).isEqualTo(-t[i]);
        }
    }
}
