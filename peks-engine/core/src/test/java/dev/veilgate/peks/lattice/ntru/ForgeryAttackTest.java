package dev.veilgate.peks.lattice.ntru;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.KeyId;
import dev.veilgate.peks.PreparedTrapdoor;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.SlotMatch;
import dev.veilgate.peks.StoredBlock;
import dev.veilgate.random.CoinStream;
import dev.veilgate.random.TestSeed;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A sender who forges A so that A·t is known without t: one slot then matches every search. The forgeries are refused on arrival;
 * and, going round that check, they do match everything, so that the check is needed and nothing else stands in their way.
 */
class ForgeryAttackTest {
    private static final TestSeed SEED = TestSeed.of(ForgeryAttackTest.class);
    private static final String ALL = "dev.veilgate.peks.lattice.ntru.NtruParameters#all";
    private static final NtruIndexScheme SCHEME = NtruIndexScheme.accepting(NtruParameters.all());
    private static final int TRAPDOORS = 300;

    private static List<PreparedTrapdoor> prepared(NtruParameters p) throws MalformedEncodingException {
        List<PreparedTrapdoor> out = new ArrayList<>();
        for (int i = 0; i < TRAPDOORS; i++) {
            out.add(SCHEME.prepare(TestKeys.scoped(p, TestKeys.keyword(i))));
        }
        return out;
    }

    private static int hits(NtruParameters p, StoredBlock block) throws MalformedEncodingException {
        int hits = 0;
        for (PreparedTrapdoor trapdoor : prepared(p)) {
            hits += SCHEME.match(trapdoor, block).isEmpty() ? 0 : 1;
        }
        return hits;
    }

    private static int[] filled(NtruParameters p, IntUnaryOperator coefficient) {
        int[] a = new int[p.n()];
        Arrays.setAll(a, i -> Math.floorMod(coefficient.applyAsInt(i), p.q()));
        return a;
    }

    /** A random multiple of q/d, off by at most {@code noise}. */
    private static int near(NtruParameters p, int d, int noise, SplittableRandom random) {
        long multiple = Math.round((double) random.nextInt(d) * p.q() / d);
        return (int) Math.floorMod(multiple + random.nextInt(-noise, noise + 1), (long) p.q());
    }

    private static Map<String, int[]> forgeries(NtruParameters p) {
        SplittableRandom random = SEED.random("" + p);
        int q = p.q();
        Map<String, int[]> out = new LinkedHashMap<>();
        out.put("zero", filled(p, i -> 0));
        out.put("ternary", filled(p, i -> random.nextInt(3) - 1));
        out.put("short", filled(p, i -> random.nextInt(-100, 101)));
        out.put("constant", filled(p, i -> 1));
        out.put("one coefficient", filled(p, i -> i == 0 ? 123_456 : 0));
        out.put("q/2", filled(p, i -> q / 2));
        out.put("q/2 and its neighbour", filled(p, i -> q / 2 + random.nextInt(2)));
        out.put("-q/2 with noise", filled(p, i -> q / 2 + random.nextInt(-60, 61)));
        out.put("q/3 and q/7", filled(p, i -> near(p, i % 2 == 0 ? 3 : 7, 20, random)));
        for (int d : new int[] {3, 4, 5, 7, 12, 61, 63, 64}) {
            out.put("q/" + d, filled(p, i -> near(p, d, 0, random)));
            out.put("q/" + d + " with noise", filled(p, i -> near(p, d, 120, random)));
        }
        for (int k = 1; k <= 14; k++) {
            int d = 1 << k;
            out.put("q/2^" + k, filled(p, i -> near(p, d, 1, random)));
        }
        return out;
    }

    @ParameterizedTest
    @MethodSource(ALL)
    void forgeriesAreRefusedOnArrival(NtruParameters p) {
        forgeries(p).forEach((name, a) -> {
            ForgedBlock forged = new ForgedBlock(p, 16, 1, a);
            assertThatThrownBy(() -> SCHEME.admit(forged.block(), ForgedBlock.CONTEXT, id -> true))
                    .as(name)
                    .isInstanceOf(MalformedEncodingException.class)
                    .hasMessageStartingWith("ntru-peks.a");
            byte[] ciphertext = new Ciphertext(p, a, new int[p.n()], new byte[32]).encode();
            assertThatThrownBy(() -> Ciphertext.decode(ciphertext))
                    .as(name)
                    .isInstanceOf(MalformedEncodingException.class)
                    .hasMessageStartingWith("ciphertext.a");
            assertThat(MaskCheck.of(p).genericCoefficients(a)).as(name).isLessThanOrEqualTo(1);
        });
    }

    /** Two fifths of the coefficients are odd multiples of q/2^14, the others are far from them: one more is refused. What passes is no forgery. */
    @ParameterizedTest
    @MethodSource(ALL)
    void twoFifthsOfTheCoefficientsMayBeNearMultiples(NtruParameters p) throws MalformedEncodingException {
        SplittableRandom random = SEED.random("two fifths/" + p);
        int d = 1 << 14;
        int[] enough = filled(p, i -> farFromMultiples(p, d, random));
        int[] places = places(p);
        for (int place : places) {
            enough[place] = oddMultiple(p, d, random);
        }
        int[] tooMany = enough.clone();
        tooMany[places[0] + 1] = oddMultiple(p, d, random);
        assertThat(MaskCheck.of(p).isGeneric(enough)).isTrue();
        assertRefused(p, "one more", tooMany);
        assertThat(hits(p, guessing(p, enough).stored())).isZero();
        SCHEME.admit(guessing(p, enough).block(), ForgedBlock.CONTEXT, id -> true);
    }

    /** 2/5 of the coefficients, rounded down; the one behind the first is not among them. */
    private static int[] places(NtruParameters p) {
        int[] places = new int[2 * p.n() / 5];
        Arrays.setAll(places, i -> i * 5 / 2);
        return places;
    }

    private static int oddMultiple(NtruParameters p, int d, SplittableRandom random) {
        return (int) Math.round((double) (2 * random.nextInt(d / 2) + 1) * p.q() / d);
    }

    private static int farFromMultiples(NtruParameters p, int d, SplittableRandom random) {
        int x = random.nextInt(p.q());
        while (Math.abs(centred((long) x * d, p.q())) <= p.q() / 8 + d) {
            x = random.nextInt(p.q());
        }
        return x;
    }

    /** Half of the coefficients are multiples of q/3 or zeros: too many, wherever they are. */
    @ParameterizedTest
    @MethodSource(ALL)
    void halfOfTheCoefficientsMustNotBeMultiples(NtruParameters p) {
        SplittableRandom random = SEED.random("half/" + p);
        for (boolean firstHalf : new boolean[] {true, false}) {
            for (boolean zeros : new boolean[] {true, false}) {
                int[] half = filled(p, i -> zeros ? 0 : near(p, 3, 0, random));
                for (int i = 0; i < p.n() / 2; i++) {
                    half[firstHalf ? i : 2 * i] = random.nextInt(p.q());
                }
                assertRefused(p, "half", half);
            }
        }
    }

    /** Each coefficient is a multiple of q/d for another d, so that few are for any: fewer than N/2 generic ones are refused. */
    @ParameterizedTest
    @MethodSource(ALL)
    void halfOfTheCoefficientsMustBeGeneric(NtruParameters p) {
        SplittableRandom random = SEED.random("generic/" + p);
        int[] half = filled(p, i -> i % 2 == 0 ? near(p, 31 + i / 2 % 34, 0, random) : random.nextInt(p.q()));
        for (int i = 1; i < p.n(); i += 2) {
            while (!isGeneric(half[i], p.q())) {
                half[i] = random.nextInt(p.q());
            }
        }
        assertThat(MaskCheck.of(p).genericCoefficients(half)).isEqualTo(p.n() / 2);
        int[] fewer = half.clone();
        fewer[1] = 0;
        assertRefused(p, "fewer", fewer);
    }

    /** Slots that open to whoever has A·t near 0 or near q/2, everywhere: what an attacker writes who knows no t. */
    private static ForgedBlock guessing(NtruParameters p, int[] a) {
        ForgedBlock forged = new ForgedBlock(p, 16, 1, a);
        int[] v = new int[p.kept()];
        for (int slot = 0; slot < 16; slot++) {
            Arrays.fill(v, (int) ((slot % 4 * 2L + 1) * p.q() / 8));
            forged.seal(slot, v);
        }
        return forged;
    }

    @ParameterizedTest
    @MethodSource(ALL)
    void withoutTheCheckForgeriesMatchEverything(NtruParameters p) throws MalformedEncodingException {
        Map<String, int[]> forgeries = forgeries(p);
        for (String name : new String[] {"zero", "ternary", "constant", "q/2", "q/2 and its neighbour"}) {
            assertThat(hits(p, guessing(p, forgeries.get(name)).stored()))
                    .as(name)
                    .isEqualTo(TRAPDOORS);
        }
        // one slot is enough for a short A, two for q/2: even and odd sums
        int[] v = new int[p.kept()];
        Arrays.fill(v, p.q() / 8);
        ForgedBlock single = new ForgedBlock(p, 1, 1, forgeries.get("zero"));
        single.seal(0, v);
        assertThat(hits(p, single.stored())).isEqualTo(TRAPDOORS);
        ForgedBlock even = new ForgedBlock(p, 1, 1, forgeries.get("q/2"));
        even.seal(0, v);
        int hits = hits(p, even.stored());
        Tosses.assertShare("even sums", hits, TRAPDOORS, 0.5);
    }

    /** The fixture that goes round the check builds what the check lets through, or this class would show nothing. */
    @ParameterizedTest
    @MethodSource(ALL)
    void goingRoundTheCheckIsTheOnlyDifference(NtruParameters p) throws MalformedEncodingException {
        ForgedBlock honest = guessing(p, ForgedBlock.honestA(p, "fixture"));
        StoredBlock admitted = SCHEME.admit(honest.block(), ForgedBlock.CONTEXT, id -> true);
        assertThat(honest.stored().hot()).isEqualTo(admitted.hot());
        assertThat(honest.stored().cold()).isEqualTo(admitted.cold());
    }

    /** Such eigenvectors, plain, with q/2 added everywhere, half of them replaced by q/2, and with noise, are refused on arrival. */
    @ParameterizedTest
    @MethodSource(ALL)
    void idealsOfSmallNormAreRefused(NtruParameters p) {
        SplittableRandom random = SEED.random("ideals/" + p);
        for (int prime : new int[] {7681, 10753, 12289}) {
            int[] plain = eigenvector(p, prime).plain().a;
            int stride = p.n() / p.kept();
            assertRefused(p, "plain", plain);
            assertRefused(p, "with q/2", filled(p, i -> (plain[i] + p.q() / 2) % p.q()));
            assertRefused(p, "half q/2", filled(p, i -> i % stride < stride / 2 ? plain[i] : p.q() / 2));
            assertRefused(p, "noise", filled(p, i -> Math.floorMod(plain[i] + random.nextInt(-20, 21), p.q())));
        }
    }

    private static void assertRefused(NtruParameters p, String name, int[] a) {
        assertThatThrownBy(() -> SCHEME.admit(new ForgedBlock(p, 16, 1, a).block(), ForgedBlock.CONTEXT, id -> true))
                .as(name)
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageStartingWith("ntru-peks.a");
    }

    /**
     * Why: Z[y]/(y^256 + 1), in which the kept coefficients live, has an ideal of norm 7681 = 15·512 + 1. With A a multiple of
     * its eigenvector, A·t has only 7681 values, so that a slot matches one trapdoor in 7681, a full block one in 30. No such ideal is
     * smaller, but for those above 2, whose A are multiples of q/2.
     */
    @ParameterizedTest
    @MethodSource(ALL)
    void anIdealOfSmallNormMatchesItsShareOfTrapdoors(NtruParameters p) throws MalformedEncodingException {
        int prime = 7681;
        StoredBlock forged = eigenvector(p, prime).stored();
        int slots = BlockPayload.paddedSlots(p.maxKeywords());
        Random random = new Random(SEED.random("ideal").nextLong());
        int tries = 8000;
        int hits = 0;
        KeyId key = TestKeys.of(p).publicKey().id();
        for (int i = 0; i < tries; i++) { // trapdoors are Gaussian whatever the keyword: these cost no sampler
            int[] t = new int[p.n()];
            Arrays.setAll(t, j -> (int) Math.round(random.nextGaussian() * p.sigma()));
            ScopedTrapdoor trapdoor =
                    new ScopedTrapdoor(NtruIndexScheme.ID, p.id(), key, "", "", new Trapdoor(p, t).encode());
            hits += SCHEME.match(SCHEME.prepare(trapdoor), forged).size();
        }
        double share = (double) slots / prime;
        assertThat((double) hits).isBetween(0.4 * share * tries - 8, 1.6 * share * tries + 8);
    }

    /** Ideals are refused up to the largest norm whose denominator is tried; beyond, sparse multipliers find most. */
    @ParameterizedTest
    @MethodSource(ALL)
    void idealsAreRefusedUpToTheStatedNorm(NtruParameters p) {
        int limit = p.q() / (16 * 48);
        int largest = 0;
        for (int prime = 513; prime < limit; prime += 512) {
            largest = BigInteger.valueOf(prime).isProbablePrime(64) ? prime : largest;
        }
        assertRefused(p, "largest", eigenvector(p, largest).plain().a);
        // the prime ideals above 257 have norm 257^2
        SplittableRandom random = SEED.random("257/" + p);
        int[] of257 = filled(p, i -> near(p, 257, 20, random));
        if (257 * 257 < limit) {
            assertRefused(p, "multiples of q/257", of257);
        }
    }

    /** Two fifths of the coefficients on the grid of an ideal leave noise enough; one more is refused. */
    @ParameterizedTest
    @MethodSource(ALL)
    void twoFifthsOfTheCoefficientsMayBeNearAnIdeal(NtruParameters p) throws MalformedEncodingException {
        int prime = 7681;
        SplittableRandom random = SEED.random("two fifths of an ideal/" + p);
        int[] ideal = eigenvector(p, prime).plain().a;
        int[] a = filled(p, i -> farFromMultiples(p, 2 * prime, random));
        int[] places = places(p);
        for (int place : places) {
            a[place] = ideal[place];
        }
        ForgedBlock part = eigenvector(p, prime);
        System.arraycopy(a, 0, part.plain().a, 0, a.length);
        assertThat(MaskCheck.of(p).isGeneric(a)).isTrue();
        assertThat(hits(p, part.stored())).isZero();
        int more = places[0] + 1;
        a[more] = ideal[more];
        assertThat(MaskCheck.of(p).isGeneric(a)).isFalse();
    }

    private static long centred(long x, long q) {
        long r = Math.floorMod(x, q);
        return r > q / 2 ? r - q : r;
    }

    /** A = sum of x^k·c_k·u(x^(N/256)), u = q/P·(1, z^-1, z^-2, ...): y·u = z·u modulo P, so that A·t is t(z) times u. */
    static ForgedBlock eigenvector(NtruParameters p, int prime) {
        return eigenvector(p, prime, SEED.random("eigenvector"));
    }

    static ForgedBlock eigenvector(NtruParameters p, int prime, SplittableRandom random) {
        int stride = p.n() / p.kept();
        long root = 0;
        for (long x = 2; root == 0; x++) {
            long r = power(x, (prime - 1) / (2L * p.kept()), prime);
            root = power(r, p.kept(), prime) == prime - 1 ? r : 0;
        }
        long inverse = power(root, prime - 2, prime);
        int[] a = new int[p.n()];
        for (int k = 0; k < stride; k++) {
            long u = 1L + random.nextInt(prime - 1);
            for (int i = 0; i < p.kept(); i++) {
                a[stride * i + k] = scaled(u, prime, p.q());
                u = u * inverse % prime;
            }
        }
        int slots = BlockPayload.paddedSlots(p.maxKeywords());
        ForgedBlock forged = new ForgedBlock(p, slots, 1, a);
        for (int slot = 0; slot < slots; slot++) {
            int[] v = new int[p.kept()];
            long u = slot + 1L;
            for (int j = 0; j < v.length; j++) {
                v[j] = scaled(u, prime, p.q());
                u = u * inverse % prime;
            }
            forged.seal(slot, v);
        }
        return forged;
    }

    /** round(u·q/P) mod q. */
    private static int scaled(long u, long prime, long q) {
        return (int) ((2 * u * q + prime) / (2 * prime) % q);
    }

    static long power(long base, long exponent, long prime) {
        long result = 1;
        for (long b = base % prime, e = exponent; e > 0; e >>= 1, b = b * b % prime) {
            result = (e & 1) == 1 ? result * b % prime : result;
        }
        return result;
    }

    @ParameterizedTest
    @MethodSource(ALL)
    void honestMasksPass(NtruParameters p) {
        PublicKey publicKey = TestKeys.of(p).publicKey();
        int least = Integer.MAX_VALUE;
        double mean = 0;
        int blocks = 1000;
        try (CoinStream coins = CoinStream.fresh(TestKeys.random("ForgeryAttackTest/honest/" + p))) {
            for (int i = 0; i < blocks; i++) {
                try (BlockMask.Opened mask = BlockMask.draw(publicKey, coins).open()) {
                    assertThat(MaskCheck.of(p).isGeneric(mask.a())).isTrue();
                    int generic = MaskCheck.of(p).genericCoefficients(mask.a());
                    least = Math.min(least, generic);
                    mean += (double) generic / blocks;
                }
            }
        }
        if (p == NtruParameters.N2048_Q29) {
            assertThat(least).isGreaterThanOrEqualTo(2000);
            assertThat(mean).isBetween(2030.0, 2032.0);
        }
        // eight standard deviations from the mean, which leaves the limit far away
        double share = mean / p.n();
        assertThat((double) least).isGreaterThan(mean - 8 * Math.sqrt(p.n() * share * (1 - share)));
        assertThat(mean - 8 * Math.sqrt(p.n() * share * (1 - share))).isGreaterThan(p.n() / 2.0);
    }

    /** The exact binomial tail below N/2, from the share of generic values. */
    @ParameterizedTest
    @MethodSource(ALL)
    void honestMasksAreHardlyEverRefused(NtruParameters p) {
        int q = p.q();
        List<long[]> forbidden = new ArrayList<>();
        for (int d = 1; d <= 1 << 14; d = d < 64 ? d + 1 : 2 * d) {
            for (long k = 0; k <= d; k++) {
                long from = Math.ceilDiv(k * q, d) - 128;
                forbidden.add(new long[] {Math.max(0, from), Math.min(q - 1, k * q / d + 128)});
            }
        }
        forbidden.sort((x, y) -> Long.compare(x[0], y[0]));
        long count = 0;
        long last = -1;
        for (long[] interval : forbidden) {
            count += Math.max(0, interval[1] - Math.max(interval[0], last + 1) + 1);
            last = Math.max(last, interval[1]);
        }
        double generic = 1 - (double) count / q;
        double term = p.n() * Math.log(1 - generic); // of the tail's sum, as logarithms
        double tail = term;
        for (int k = 1; k < p.n() / 2; k++) {
            term += Math.log((double) (p.n() - k + 1) / k * generic / (1 - generic));
            tail = Math.max(tail, term) + Math.log1p(Math.exp(-Math.abs(tail - term)));
        }
        assertThat(tail / Math.log(2)).isLessThan(-98);
        // more than 2/5 of them where a quarter is expected, of each d and each multiplier: Chernoff's bound
        double divergence = 0.4 * Math.log(0.4 / 0.25) + 0.6 * Math.log(0.6 / 0.75);
        assertThat(p.n() * divergence / Math.log(2)).isGreaterThan(p == NtruParameters.N512_Q24 ? 39 : 79);
    }

    /** The fast count against the definition, at the edges of every forbidden interval and at random. */
    @ParameterizedTest
    @MethodSource(ALL)
    void coefficientsAreCountedByTheDefinition(NtruParameters p) {
        MaskCheck check = MaskCheck.of(p);
        SplittableRandom random = SEED.random("definition");
        int q = p.q();
        for (int i = 0; i < 120_000; i++) {
            int x;
            if (i % 3 == 0) {
                x = random.nextInt(q);
            } else {
                int d = i % 3 == 1 ? 1 + random.nextInt(64) : 1 << random.nextInt(15);
                long multiple = random.nextLong(d + 1L) * q / d;
                int offset = random.nextInt(-3, 4) + (random.nextBoolean() ? 128 : -128);
                x = (int) Math.min(q - 1L, Math.max(0, multiple + offset));
            }
            assertThat(check.genericCoefficients(new int[] {x}) == 1).isEqualTo(isGeneric(x, q));
        }
        for (int x : new int[] {0, 1, 128, 129, q - 1, q - 128, q - 129, q / 2, q / 2 + 1}) {
            assertThat(check.genericCoefficients(new int[] {x}) == 1).isEqualTo(isGeneric(x, q));
        }
    }

    /** Farther than 128 from every k·q/d: |x·d - k·q| > 128·d for the nearest k. */
    private static boolean isGeneric(long x, long q) {
        for (int d = 1; d <= 1 << 14; d = d < 64 ? d + 1 : 2 * d) {
            long rest = x * d % q;
            if (Math.min(rest, q - rest) <= 128L * d) {
                return false;
            }
        }
        return true;
    }

    /** With an honest A, slots of any making match no one: not bits all equal, not garbage, not one slot many times over. */
    @ParameterizedTest
    @MethodSource(ALL)
    void strangeSlotsUnderAnHonestMaskMatchNobody(NtruParameters p) throws MalformedEncodingException {
        SplittableRandom random = SEED.random("strange/" + p);
        int[] a = ForgedBlock.honestA(p, "strange");
        int slots = 16;
        byte[] zeros = new byte[32];
        byte[] ones = new byte[32];
        Arrays.fill(ones, (byte) -1);
        byte[][] alternatives = {zeros, ones};
        ForgedBlock equalBits = new ForgedBlock(p, slots, 1, a);
        ForgedBlock garbage = new ForgedBlock(p, slots, 1, a);
        ForgedBlock repeated = new ForgedBlock(p, slots, 1, a);
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
            assertThat(hits(p, SCHEME.admit(forged.block(), ForgedBlock.CONTEXT, id -> true)))
                    .isZero();
        }
    }

    /** No honest sender seals a keyword that no record contains; a hit without records would only confuse whoever asked. */
    @ParameterizedTest
    @MethodSource(ALL)
    void aSlotThatNamesNoRecordIsNoMatch(NtruParameters p) throws MalformedEncodingException {
        int[] a = ForgedBlock.honestA(p, "no record");
        Trapdoor trapdoor = TestKeys.trapdoor(p, TestKeys.keyword(5));
        int[] v = PlainTwin.kept(p, PlainTwin.product(p, a, trapdoor.t()));
        byte[] key = PlainTwin.bits(v, p, true);
        PreparedTrapdoor prepared = SCHEME.prepare(TestKeys.scoped(p, TestKeys.keyword(5)));
        for (byte bitmap : new byte[] {0, (byte) 0xfe, 1}) { // of one record, the first of eight bits
            ForgedBlock forged = new ForgedBlock(p, 16, 9, a);
            byte[] records = {bitmap == (byte) 0xfe ? 0 : bitmap, bitmap == (byte) 0xfe ? bitmap : 0};
            forged.plain().fields[3] = PlainBlock.cryptField(key, forged.binding(), records);
            forged.seal(3, v);
            assertThat(SCHEME.match(prepared, SCHEME.admit(forged.block(), ForgedBlock.CONTEXT, id -> true)))
                    .hasSize(bitmap == 1 ? 1 : 0);
        }
    }

    /** A keyword many times in one block is found many times, by its own trapdoor alone. */
    @Test
    void aRepeatedKeywordIsStillOneKeyword() throws MalformedEncodingException {
        NtruParameters p = NtruParameters.N2048_Q29;
        int[] a = ForgedBlock.honestA(p, "repeated");
        Trapdoor trapdoor = TestKeys.trapdoor(p, TestKeys.keyword(5));
        int[] v = PlainTwin.kept(p, PlainTwin.product(p, a, trapdoor.t()));
        ForgedBlock forged = new ForgedBlock(p, 256, 1, a);
        for (int slot = 0; slot < 256; slot++) {
            forged.seal(slot, v);
        }
        StoredBlock stored = SCHEME.admit(forged.block(), ForgedBlock.CONTEXT, id -> true);
        List<PreparedTrapdoor> prepared = prepared(p);
        for (int i = 0; i < TRAPDOORS; i++) {
            List<SlotMatch> matches = SCHEME.match(prepared.get(i), stored);
            assertThat(matches).hasSize(i == 5 ? 256 : 0);
        }
    }
}
