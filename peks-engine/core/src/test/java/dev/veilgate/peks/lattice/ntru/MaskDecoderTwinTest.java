package dev.veilgate.peks.lattice.ntru;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.math.lattice.NtruBasis;
import dev.veilgate.random.TestSeed;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** r is found in every mask that has one in range, and in no other; as the integers say, and as the sender drew it. */
class MaskDecoderTwinTest {
    private static final TestSeed SEED = TestSeed.of(MaskDecoderTwinTest.class);
    private static final String ALL = "dev.veilgate.peks.lattice.ntru.NtruParameters#all";

    private static int[] polynomial(NtruParameters p, IntUnaryOperator coefficient) {
        int[] out = new int[p.n()];
        Arrays.setAll(out, coefficient);
        return out;
    }

    /** r·h + e1. */
    private static int[] mask(NtruParameters p, PublicKey key, int[] r, int[] e1) {
        int[] product = PlainTwin.product(p, key.h(), r);
        return polynomial(p, i -> Math.floorMod(product[i] + e1[i], p.q()));
    }

    private static MaskDecoder.Decoded decoded(NtruParameters p, int[] a) {
        return TestKeys.of(p).secretKey().decode(a);
    }

    @ParameterizedTest
    @MethodSource(ALL)
    void findsEveryROfTheRange(NtruParameters p) {
        SplittableRandom random = SEED.random("range/" + p);
        PublicKey key = TestKeys.of(p).publicKey();
        for (int round = 0; round < 300; round++) {
            int[] r = polynomial(p, i -> random.nextInt(5) - 2);
            int[] e1 = polynomial(p, i -> random.nextInt(3) - 1);
            int[] a = mask(p, key, r, e1);
            int[] before = a.clone();
            MaskDecoder.Decoded decoded = decoded(p, a);
            assertThat(decoded.isWellFormed()).isTrue();
            assertThat(decoded.mask()).isEqualTo(-1L);
            assertThat(decoded.r()).isEqualTo(r);
            int[] rHat = polynomial(p, i -> Math.floorMod(r[i], p.q()));
            p.ring().forwardInPlace(rHat);
            p.ring().toMontInPlace(rHat);
            assertThat(decoded.rHatMont()).isEqualTo(rHat);
            assertThat(a).isEqualTo(before);
            decoded.destroy();
            assertThat(decoded.r()).containsOnly(0);
            assertThat(decoded.rHatMont()).containsOnly(0);
        }
    }

    /**
     * The r and e1 whose products with the basis are largest: of the signs of a row, reversed, so that one coefficient
     * is the sum of all absolute values. It is what the bound says, and below it.
     */
    @ParameterizedTest
    @MethodSource(ALL)
    void findsThoseThatComeNearestToTheBound(NtruParameters p) {
        NtruBasis basis = TestKeys.of(p).secretKey().basis();
        PublicKey key = TestKeys.of(p).publicKey();
        int n = p.n();
        for (int[][] rows : new int[][][] {{basis.g(), basis.f()}, {basis.capitalG(), basis.capitalF()}}) {
            for (int at : new int[] {0, 1, n / 2, n - 1}) {
                for (int sign : new int[] {1, -1}) {
                    int[] r = polynomial(p, i -> 2 * sign * towards(rows[0], at, i));
                    int[] e1 = polynomial(p, i -> sign * towards(rows[1], at, i));
                    int[] a = mask(p, key, r, e1);
                    assertThat(Math.abs(coefficient(r, rows[0], at) + coefficient(e1, rows[1], at)))
                            .isEqualTo(MaskDecoder.largest(rows[0], rows[1]))
                            .isLessThan(p.q() / 8);
                    MaskDecoder.Decoded decoded = decoded(p, a);
                    assertThat(decoded.isWellFormed()).isTrue();
                    assertThat(decoded.r()).isEqualTo(r);
                }
            }
        }
    }

    /** The sign that coefficient i needs for its product with {@code row} to add to coefficient {@code at}. */
    private static int towards(int[] row, int at, int i) {
        int from = at - i;
        return from >= 0 ? (row[from] >= 0 ? 1 : -1) : row[from + row.length] >= 0 ? -1 : 1;
    }

    private static long coefficient(int[] a, int[] b, int at) {
        long sum = 0;
        for (int i = 0; i < a.length; i++) {
            int from = at - i;
            sum += from >= 0 ? (long) a[i] * b[from] : -(long) a[i] * b[from + b.length];
        }
        return sum;
    }

    /** A coefficient of r or e1 that is out of range: the same answer, which says nothing of it. */
    @ParameterizedTest
    @MethodSource(ALL)
    void refusesWhatIsOutOfRangeInOneCoefficient(NtruParameters p) {
        SplittableRandom random = SEED.random("out/" + p);
        PublicKey key = TestKeys.of(p).publicKey();
        for (int round = 0; round < 300; round++) {
            int[] r = polynomial(p, i -> random.nextInt(5) - 2);
            int[] e1 = polynomial(p, i -> random.nextInt(3) - 1);
            int at = random.nextInt(p.n());
            boolean ofR = random.nextBoolean();
            int sign = random.nextBoolean() ? 1 : -1;
            (ofR ? r : e1)[at] = sign * ((ofR ? 3 : 2) + (round % 3 == 0 ? random.nextInt(1000) : 0));
            MaskDecoder.Decoded decoded = decoded(p, mask(p, key, r, e1));
            assertThat(decoded.isWellFormed()).isFalse();
            assertThat(decoded.mask()).isZero();
            assertThat(decoded.r()).containsOnly(0);
            assertThat(decoded.rHatMont()).containsOnly(0);
        }
    }

    /** Families of forged masks, noise and honest ones, shifted or not, as the integers say. */
    @ParameterizedTest
    @MethodSource(ALL)
    void decidesAsTheIntegersDo(NtruParameters p) {
        SplittableRandom random = SEED.random("families/" + p);
        PlainOpening plain = new PlainOpening(TestKeys.of(p));
        PublicKey key = TestKeys.of(p).publicKey();
        Map<String, int[]> masks = new ForgedMasks(p, random).all();
        masks.put("noise", random.ints(p.n(), 0, p.q()).toArray());
        masks.put("honest", ForgedBlock.honestA(p, "MaskDecoderTwinTest"));
        int wellFormed = 0;
        for (Map.Entry<String, int[]> family : masks.entrySet()) {
            byte[] binding = new byte[32];
            random.nextBytes(binding);
            for (int[] a : new int[][] {family.getValue(), PlainTwin.shifted(p, key, family.getValue(), binding)}) {
                int[] expected = plain.r(a).orElse(new int[p.n()]);
                MaskDecoder.Decoded decoded = decoded(p, a);
                assertThat(decoded.isWellFormed())
                        .as(family.getKey())
                        .isEqualTo(plain.r(a).isPresent());
                assertThat(decoded.r()).as(family.getKey()).isEqualTo(expected);
                wellFormed += decoded.isWellFormed() ? 1 : 0;
            }
        }
        assertThat(wellFormed).isBetween(6, 12); // zero, ternary, a constant 1, honest; shifted or not
    }
}
