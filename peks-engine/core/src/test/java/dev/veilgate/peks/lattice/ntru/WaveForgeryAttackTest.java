package dev.veilgate.peks.lattice.ntru;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.ForgedBlockException;
import dev.veilgate.peks.PreparedTrapdoor;
import dev.veilgate.peks.StoredBlock;
import dev.veilgate.random.CoinStream;
import dev.veilgate.random.TestSeed;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Forgeries of A that no absolute distance shows. An A that lies in few complex embeddings of R[y]/(y^L + 1) is a sum of waves: whatever t is, all kept
 * coefficients of A·t are a sum of waves too, with two unknown real numbers each, and some hundred slots cover the likely ones. No key is
 * needed. {@link SlotCover} fills the slots.
 */
class WaveForgeryAttackTest {
    private static final TestSeed SEED = TestSeed.of(WaveForgeryAttackTest.class);
    private static final NtruParameters P = NtruParameters.N2048_Q29;
    private static final NtruIndexScheme SCHEME = new NtruIndexScheme();
    private static final int TRAPDOORS = 100;

    /** Waves of an amplitude in the embeddings of y that are exp(i·pi·(2e + 1)/L), with random phases. */
    static int[] waves(double amplitude, SplittableRandom random, int... embeddings) {
        double[] sum = new double[P.n()];
        int stride = P.stride();
        for (int e : embeddings) {
            for (int r = 0; r < stride; r++) {
                double phase = random.nextDouble(2 * Math.PI);
                for (int j = 0; j < P.kept(); j++) {
                    sum[stride * j + r] += amplitude * Math.cos(Math.PI * j * (2 * e + 1) / P.kept() + phase);
                }
            }
        }
        return Arrays.stream(sum)
                .mapToInt(x -> (int) Math.floorMod(Math.round(x), (long) P.q()))
                .toArray();
    }

    static int[] plus(int[] a, int[] b) {
        int[] sum = new int[a.length];
        Arrays.setAll(sum, i -> (a[i] + b[i]) % P.q());
        return sum;
    }

    static int[] constant(int x) {
        int[] a = new int[P.n()];
        Arrays.fill(a, x);
        return a;
    }

    private static Map<String, int[]> forgeries() {
        SplittableRandom random = SEED.random("forgeries");
        Map<String, int[]> out = new LinkedHashMap<>();
        int[] known = new int[P.n()];
        Arrays.setAll(
                known,
                i -> Math.floorMod(Math.round(182 * Math.cos(Math.PI * (i / 8) / 256 + i % 8 * Math.PI / 8)), P.q()));
        out.put("the wave of amplitude 182", known);
        out.put("the same and q/2", plus(known, constant(P.q() / 2)));
        out.put("the same and q/4", plus(known, constant(P.q() / 4)));
        for (double amplitude : new double[] {30, 91, 182, 400, 1000, 10_000, 1_000_000, P.q() / 20.0}) {
            int e = random.nextInt(P.kept() / 2);
            out.put("amplitude " + amplitude, waves(amplitude, random, e));
            out.put("amplitude " + amplitude + " and q/2", plus(waves(amplitude, random, e), constant(P.q() / 2)));
            out.put("two, amplitude " + amplitude, waves(amplitude, random, e, e + 1));
            out.put("three, amplitude " + amplitude, waves(amplitude, random, e, e + 3, e + 90));
        }
        int[] ideal = ForgeryAttackTest.eigenvector(P, 7681).plain().a;
        out.put("an ideal of norm 7681 times a wave", plus(ideal, waves(60, random, 3)));
        out.put(
                "an ideal of norm 7681 times a wave and q/2",
                plus(plus(ideal, constant(P.q() / 2)), waves(150, random, 3)));
        int[] far = ForgeryAttackTest.eigenvector(P, primeFrom(350_000)).plain().a;
        out.put("an ideal of norm above 350,000 times a wave", plus(far, waves(40, random, 3)));
        return out;
    }

    private static List<PreparedTrapdoor> trapdoors() throws MalformedEncodingException {
        List<PreparedTrapdoor> out = new ArrayList<>();
        for (int i = 0; i < TRAPDOORS; i++) {
            out.add(SCHEME.prepare(TestKeys.scoped(P, TestKeys.keyword(i))));
        }
        return out;
    }

    private static int hits(StoredBlock block) throws MalformedEncodingException {
        int hits = 0;
        for (PreparedTrapdoor trapdoor : trapdoors()) {
            hits += SCHEME.match(trapdoor, block).isEmpty() ? 0 : 1;
        }
        return hits;
    }

    @Test
    void areRefusedOnArrival() {
        forgeries()
                .forEach((name, a) -> assertThatThrownBy(() ->
                                SCHEME.admit(new ForgedBlock(P, 16, 1, a).block(), ForgedBlock.CONTEXT, id -> true))
                        .as(name)
                        .isInstanceOf(ForgedBlockException.class)
                        .hasMessageStartingWith("ntru-peks.a"));
    }

    /** Each of them is generic by the distance of 128 alone, but for the smallest: what is refused is refused for another reason. */
    @Test
    void passTheAbsoluteDistance() {
        assertThat(MaskCheck.of(P).genericCoefficients(forgeries().get("the wave of amplitude 182")))
                .isGreaterThan(P.n() / 2);
    }

    /** Going round the checks: one block matches nearly every trapdoor of a key that its maker never saw. */
    @ParameterizedTest
    @ValueSource(strings = {"the wave of amplitude 182", "the same and q/2"})
    void withoutTheChecksOneBlockMatchesNearlyAllTrapdoors(String name) throws MalformedEncodingException {
        int[] a = forgeries().get(name);
        ForgedBlock forged = new SlotCover(P, 1024, SEED.random("cover")).block(a);
        assertThat(hits(forged.stored())).as(name).isGreaterThan(TRAPDOORS * 3 / 4);
        // the check that knows nothing of waves refuses it too
        assertThat(probes("probes").match(forged.stored())).isTrue();
    }

    /** The probes see what matches a tenth of all trapdoors, though not in each block; honest blocks pass. */
    @Test
    void probesRefuseInProportionToWhatMatches() throws MalformedEncodingException {
        SplittableRandom random = SEED.random("thousand");
        StoredBlock weak = new SlotCover(P, 1024, SEED.random("cover of a weak one"))
                .block(waves(1000, random, 5))
                .stored();
        double share = share(weak, 4000, random);
        assertThat(share).isBetween(0.02, 0.5);
        int refused = 0;
        int tries = 400;
        for (int i = 0; i < tries; i++) {
            refused += probes("weak/" + i).match(weak) ? 1 : 0;
        }
        assertThat((double) refused / tries)
                .isBetween(0.7 * (1 - Math.pow(1 - share, 16)), Math.min(1, 1.4 * (1 - Math.pow(1 - share, 16))));
    }

    private static double share(StoredBlock block, int tries, SplittableRandom random) {
        int hits = 0;
        for (int i = 0; i < tries; i++) {
            PreparedVector t = new PreparedVector(P, SlotCover.vector(P, random));
            hits += t.mayMatch(block.hot(), 0) && !t.decodeSurvivors(block).isEmpty() ? 1 : 0;
        }
        return (double) hits / tries;
    }

    private static ProbeVectors probes(String label) {
        return new ProbeVectors(P, TestKeys.random("probes/" + label));
    }

    @Test
    void probesAreDrawnAnew() throws MalformedEncodingException {
        int[] drawn = new int[1];
        SecureRandom counting = new SecureRandom() {
            private static final long serialVersionUID = 1L;
            private final transient Supplier<SecureRandom> source = () -> TestKeys.random("drawn anew/" + drawn[0]);

            @Override
            public void nextBytes(byte[] bytes) {
                drawn[0]++;
                source.get().nextBytes(bytes);
            }
        };
        ProbeVectors probes = new ProbeVectors(P, counting);
        StoredBlock honest = new ForgedBlock(P, 16, 1, ForgedBlock.honestA(P, "anew")).stored();
        for (int i = 0; i < 2 * ProbeVectors.BLOCKS; i++) {
            assertThat(probes.match(honest)).isFalse();
        }
        assertThat(drawn[0]).isEqualTo(2);
    }

    /**
     * Ideals above the norms that are tried as denominators are found by sparse multipliers, more than two thousand times as often as they match a
     * given trapdoor. 1,256,449 and 1,689,601 have no multiplier of four terms: a forger can choose the norm.
     */
    @ParameterizedTest
    @ValueSource(ints = {703_489, 1_256_449, 1_689_601, 4_205_569})
    void idealsOfLargerNormAreFoundBySparseMultipliers(int prime) {
        SplittableRandom random = SEED.random("larger/" + prime);
        int found = 0;
        int tries = 600;
        for (int i = 0; i < tries; i++) {
            int[] a = ForgeryAttackTest.eigenvector(P, prime, random).plain().a;
            found += SparseMultiplier.exists(HotBlock.phases(a, P.q()), P.kept(), random) ? 1 : 0;
        }
        double rate = -Math.log1p(-(double) found / tries);
        double expected = 1_560_000.0 / prime;
        assertThat(rate).as("norm " + prime).isBetween(0.6 * expected, 3 * expected);
        assertThat(rate)
                .isGreaterThan(2000 * 256.0 / prime); // a block matches a trapdoor with probability 256/P at most
    }

    /** Many blocks of one ideal in one message, each of another A, would match a share of trapdoors that one alone does not. */
    @ParameterizedTest
    @ValueSource(ints = {703_489, 1_256_449, 4_205_569})
    void manyBlocksOfOneIdealAreRefusedBeforeTheyMatchMuch(int prime) {
        SplittableRandom random = SEED.random("many/" + prime);
        int longest = 0;
        for (int message = 0; message < 20; message++) {
            int admitted = 0;
            while (admitted < 256
                    && !SparseMultiplier.exists(
                            HotBlock.phases(
                                    ForgeryAttackTest.eigenvector(P, prime, random)
                                            .plain()
                                            .a,
                                    P.q()),
                            P.kept(),
                            random)) {
                admitted++;
            }
            longest = Math.max(longest, admitted);
        }
        assertThat(longest * 256.0 / prime).as("share of trapdoors").isLessThan(0.002);
    }

    static int primeFrom(int from) {
        int prime = from / 512 * 512 + 1;
        while (!BigInteger.valueOf(prime).isProbablePrime(64)) {
            prime += 512;
        }
        return prime;
    }

    /** Noise that hides an ideal from its denominator, some turns of A·t, does not hide it from sparse multipliers. */
    @Test
    void noiseDoesNotHideAnIdeal() {
        SplittableRandom random = SEED.random("noise");
        int prime = primeFrom(100_000);
        int[] hidden = plus(ForgeryAttackTest.eigenvector(P, prime, random).plain().a, waves(5000, random, 7));
        int[] phases = HotBlock.phases(hidden, P.q());
        int nearMultiples = 0;
        int found = 0;
        for (int phase : phases) {
            nearMultiples += Math.abs((long) (phase * 2 * prime)) <= 1L << 29 ? 1 : 0;
        }
        for (int i = 0; i < 100; i++) {
            found += SparseMultiplier.exists(phases, P.kept(), random) ? 1 : 0;
        }
        assertThat(nearMultiples).isLessThan(2 * P.n() / 5);
        assertThat(found).isGreaterThan(90);
    }

    @Test
    void honestMasksHaveNoSparseMultiplierAndNoDenominator() {
        SplittableRandom random = SEED.random("honest");
        PublicKey key = TestKeys.of(P).publicKey();
        try (CoinStream coins = CoinStream.fresh(TestKeys.random("honest masks"))) {
            for (int i = 0; i < 2000; i++) {
                try (BlockMask.Opened mask = BlockMask.draw(key, coins).open()) {
                    int[] phases = HotBlock.phases(mask.a(), P.q());
                    assertThat(SparseMultiplier.exists(phases, P.kept(), random))
                            .isFalse();
                    assertThat(MaskCheck.of(P).isGeneric(mask.a())).isTrue();
                }
            }
        }
    }

    /** With equal parts an ideal gives few cells, in which true relations would hide each other. */
    @Test
    void anIdealWithEqualPartsIsRefused() {
        SplittableRandom random = SEED.random("equal parts");
        for (int i = 0; i < 20; i++) {
            int[] a = ForgeryAttackTest.eigenvector(P, primeFrom(8_000_000), random)
                    .plain()
                    .a;
            for (int j = 0; j < a.length; j++) {
                a[j] = a[j / P.stride() * P.stride()];
            }
            assertThat(SparseMultiplier.exists(HotBlock.phases(a, P.q()), P.kept(), random))
                    .isTrue();
        }
    }

    /** Differences of four random points: sums of three vanish at one power often, and nowhere on all of A. Looking at each would take a second. */
    @Test
    void anAThatKeepsTheSearchBusyIsRefused() {
        SplittableRandom random = SEED.random("busy");
        int[][] points = new int[4][];
        Arrays.setAll(points, i -> random.ints(P.stride()).toArray());
        for (int tries = 0; tries < 20; tries++) {
            int[] phases = new int[P.n()];
            for (int j = 0; j < P.kept(); j++) {
                int from = random.nextInt(4);
                int to = (from + 1 + random.nextInt(3)) % 4;
                for (int r = 0; r < P.stride(); r++) {
                    phases[P.stride() * j + r] = points[from][r] - points[to][r];
                }
            }
            assertThat(SparseMultiplier.exists(phases, P.kept(), random)).isTrue();
        }
    }

    /** Multiples of q/2 see of a vector only what is odd in it: vectors that differ in signs alone would be one. */
    @Test
    void probesAreDifferentModuloTwo() throws MalformedEncodingException {
        SplittableRandom random = SEED.random("modulo 2");
        StoredBlock odd = new SlotCover(P, 1024, SEED.random("cover modulo 2"))
                .block(ForgeryRates.powerOfTwo(12, random))
                .stored();
        double share = share(odd, 4000, random);
        assertThat(share).isBetween(0.02, 0.2);
        ProbeVectors probes = probes("modulo 2");
        int refused = 0;
        for (int i = 0; i < 300; i++) {
            refused += probes.match(odd) ? 1 : 0;
        }
        assertThat(refused / 300.0).isGreaterThan(0.6 * (1 - Math.pow(1 - share, ProbeVectors.PROBES)));
    }

    /** Who repeats a block that passed has the same chance to be refused as before. */
    @Test
    void aBlockThatPassedOnceMayBeRefusedTheNextTime() throws MalformedEncodingException {
        StoredBlock weak = new SlotCover(P, 1024, SEED.random("cover of a weak one"))
                .block(waves(1000, SEED.random("weak"), 5))
                .stored();
        ProbeVectors probes = probes("same generation");
        int refused = 0;
        for (int i = 0; i < 300; i++) {
            refused += probes.match(weak) ? 1 : 0;
        }
        assertThat(refused).isBetween(60, 290);
    }

    /** A multiplier that is 0 makes every A vanish: the search must not take it for one. */
    @Test
    void noMultiplierIsZero() {
        int[] phases = HotBlock.phases(ForgedBlock.honestA(P, "zero multiplier"), P.q());
        for (int i = 0; i < 3000; i++) {
            assertThat(SparseMultiplier.exists(phases, P.kept(), new SplittableRandom(i)))
                    .isFalse();
        }
    }

    @Test
    void blocksOfOneMessageMustNotShareTheirMask() throws MalformedEncodingException {
        int[] a = ForgedBlock.honestA(P, "shared");
        StoredBlock first = new ForgedBlock(P, 16, 1, a).stored();
        StoredBlock other = new ForgedBlock(P, 32, 1, ForgedBlock.honestA(P, "own")).stored();
        SCHEME.requireSeparateRandomness(List.of(first, other));
        int[] nearly = a.clone();
        SplittableRandom random = SEED.random("nearly");
        for (int i = 0; i < nearly.length; i++) {
            nearly[i] = Math.floorMod(nearly[i] + random.nextInt(-1_000_000, 1_000_001), P.q());
        }
        for (int[] again : new int[][] {a, nearly}) {
            StoredBlock second = new ForgedBlock(P, 48, 1, again).stored();
            assertThatThrownBy(() -> SCHEME.requireSeparateRandomness(List.of(first, other, second)))
                    .isInstanceOf(ForgedBlockException.class);
        }
    }
}
