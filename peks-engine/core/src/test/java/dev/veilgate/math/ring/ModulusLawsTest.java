package dev.veilgate.math.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.peks.lattice.ntru.NtruParameters;
import dev.veilgate.random.TestSeed;
import java.math.BigInteger;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each operation modulo q is the one of big integers, for small, large, random and the parameter sets' primes. */
class ModulusLawsTest {
    private static final TestSeed SEED = TestSeed.of(ModulusLawsTest.class);
    private static final BigInteger RADIX = BigInteger.ONE.shiftLeft(32);
    /** The largest prime that is allowed. */
    private static final int LARGEST = 1_073_741_789;

    static IntStream primes() {
        SplittableRandom random = SEED.random("primes");
        IntStream fixed = IntStream.of(3, 5, 7, 13, 17, 257, 12_289, 65_537, (1 << 29) + 11, LARGEST);
        IntStream sets = NtruParameters.all().stream().mapToInt(NtruParameters::q);
        IntStream others = IntStream.range(0, 12)
                .map(i -> random.nextInt(2, 1 << random.nextInt(3, 31) - 1))
                .map(x -> BigInteger.valueOf(x).nextProbablePrime().intValueExact())
                .filter(x -> x > 2 && x < 1 << 30);
        return Stream.of(fixed, sets, others).flatMapToInt(s -> s);
    }

    /** 0, q - 1, what lies around the middle and around powers of two, and random values. */
    private static int[] values(int q, int random) {
        TreeSet<Integer> values = new TreeSet<>();
        for (int centre : new int[] {0, q / 4, q / 2, q - 1, 1 << 15, 1 << 16, 1 << 29}) {
            for (int d = -2; d <= 2; d++) {
                if (centre + d >= 0 && centre + d < q) {
                    values.add(centre + d);
                }
            }
        }
        SplittableRandom source = SEED.random("values of " + q);
        for (int i = 0; i < random; i++) {
            values.add(source.nextInt(q));
        }
        return values.stream().mapToInt(i -> i).toArray();
    }

    @ParameterizedTest
    @MethodSource("primes")
    void operationsOfTwoArgumentsAreThoseOfBigIntegers(int q) {
        Modulus modulus = new Modulus(q);
        BigInteger bigQ = BigInteger.valueOf(q);
        BigInteger inverseRadix = RADIX.modInverse(bigQ);
        int[] values = values(q, 40);
        for (int a : values) {
            BigInteger bigA = BigInteger.valueOf(a);
            for (int b : values) {
                BigInteger bigB = BigInteger.valueOf(b);
                BigInteger product = bigA.multiply(bigB);
                assertThat(modulus.add(a, b)).isEqualTo(residue(bigA.add(bigB), bigQ));
                assertThat(modulus.subtract(a, b)).isEqualTo(residue(bigA.subtract(bigB), bigQ));
                assertThat(modulus.multiply(a, b)).isEqualTo(residue(product, bigQ));
                assertThat(modulus.multiplyMont(a, b)).isEqualTo(residue(product.multiply(inverseRadix), bigQ));
                assertThat(modulus.multiplyMont(a, modulus.toMont(b))).isEqualTo(residue(product, bigQ));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("primes")
    void operationsOfOneArgumentAreThoseOfBigIntegers(int q) {
        Modulus modulus = new Modulus(q);
        BigInteger bigQ = BigInteger.valueOf(q);
        for (int a : values(q, 300)) {
            BigInteger bigA = BigInteger.valueOf(a);
            assertThat(modulus.toMont(a)).isEqualTo(residue(bigA.multiply(RADIX), bigQ));
            int centred = modulus.centred(a);
            assertThat(modulus.canonical(centred)).isEqualTo(a);
            assertThat(2L * centred).isBetween(-(long) q + 1, (long) q - 1);
            if (a != 0) {
                assertThat(modulus.inverse(a)).isEqualTo(bigA.modInverse(bigQ).intValueExact());
            }
            for (long e : new long[] {0, 1, 2, 3, q - 2, q - 1, q, 1L << 40, Long.MAX_VALUE}) {
                assertThat(modulus.power(a, e))
                        .isEqualTo(bigA.modPow(BigInteger.valueOf(e), bigQ).intValueExact());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("primes")
    void montgomeryReductionTakesEverythingBelowQTimesItsRadix(int q) {
        Modulus modulus = new Modulus(q);
        BigInteger bigQ = BigInteger.valueOf(q);
        BigInteger inverseRadix = RADIX.modInverse(bigQ);
        long limit = (long) q << 32;
        SplittableRandom random = SEED.random("reduction by " + q);
        for (int i = 0; i < 400; i++) {
            long p = i < 20
                    ? i
                    : i < 40 ? limit - 1 - (i - 20) : i < 60 ? ((long) q * (i - 40)) : random.nextLong(limit);
            assertThat(modulus.reduceMont(p))
                    .as("p = %d", p)
                    .isEqualTo(residue(BigInteger.valueOf(p).multiply(inverseRadix), bigQ));
        }
    }

    @ParameterizedTest
    @MethodSource("primes")
    void everyIntHasACanonicalRepresentative(int q) {
        Modulus modulus = new Modulus(q);
        SplittableRandom random = SEED.random("ints of " + q);
        IntStream edges =
                IntStream.of(0, 1, -1, q, -q, q - 1, 1 - q, q + 1, 2 * q - 1, Integer.MAX_VALUE, Integer.MIN_VALUE);
        IntStream.concat(edges, random.ints(300))
                .forEach(a -> assertThat(modulus.canonical(a))
                        .isEqualTo(residue(BigInteger.valueOf(a), BigInteger.valueOf(q))));
    }

    @ParameterizedTest
    @MethodSource("primes")
    void bitsHoldEveryCoefficientAndNoBitLess(int q) {
        Modulus modulus = new Modulus(q);
        assertThat(modulus.q()).isEqualTo(q);
        assertThat(1L << modulus.bits()).isGreaterThanOrEqualTo(q);
        assertThat(1L << modulus.bits() - 1).isLessThan(q);
    }

    @Test
    void zeroHasNoInverse() {
        for (int q : new int[] {3, 12_289, LARGEST}) {
            Modulus modulus = new Modulus(q);
            assertThatThrownBy(() -> modulus.inverse(0)).isInstanceOf(ArithmeticException.class);
            assertThatThrownBy(() -> modulus.inverse(q)).isInstanceOf(ArithmeticException.class);
        }
    }

    @Test
    void refusesModuliThatAreEvenTooSmallOrTooLarge() {
        for (int q : new int[] {
            Integer.MIN_VALUE, -3, -1, 0, 1, 2, 4, 12_288, (1 << 30) - 2, 1 << 30, (1 << 30) + 3, Integer.MAX_VALUE
        }) {
            assertThatIllegalArgumentException().as("q = %d", q).isThrownBy(() -> new Modulus(q));
        }
    }

    private static int residue(BigInteger x, BigInteger q) {
        return x.mod(q).intValueExact();
    }
}
