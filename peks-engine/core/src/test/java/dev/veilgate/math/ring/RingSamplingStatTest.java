package dev.veilgate.math.ring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.peks.lattice.ntru.NtruParameters;
import dev.veilgate.random.CoinStream;
import dev.veilgate.random.TestSeed;
import dev.veilgate.random.TwoSided;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ternary and uniform ring elements have the distribution that the security estimates assume, by checks that a biased, an
 * all-zero and a too regular sampler fail; and hashing to the ring is the function that a plain twin computes.
 */
class RingSamplingStatTest {
    private static final TestSeed SEED = TestSeed.of(RingSamplingStatTest.class);
    private static final int N = 2000;
    private static final int POLYNOMIALS = 1000;

    @Test
    void ternaryDigitsAreUniformAndIndependent() {
        CoinStream coins = SEED.coins("ternary");
        assertThat(ternaryOutliers(out -> RingSampling.ternary(coins, out))).isEmpty();
    }

    @Test
    void saboteursOfTernaryDigitsAreFoundOut() {
        CoinStream coins = SEED.coins("ternary saboteurs");
        Consumer<int[]> zero = out -> Arrays.fill(out, 0);
        assertThat(ternaryOutliers(zero)).isNotEmpty();
        Consumer<int[]> biased = out -> {
            RingSampling.ternary(coins, out);
            for (int i = 0; i < out.length; i++) {
                if (coins.nextByte() == 0) { // one digit in 256
                    out[i] = 0;
                }
            }
        };
        assertThat(ternaryOutliers(biased)).isNotEmpty();
        Consumer<int[]> byteModulo3 = out -> Arrays.setAll(out, i -> coins.nextByte() % 3 - 1);
        assertThat(ternaryOutliers(byteModulo3)).isNotEmpty();
        Consumer<int[]> withoutRejection = out -> {
            int x = 0;
            for (int i = 0; i < out.length; i++) {
                x = i % 5 == 0 ? coins.nextByte() : x / 3;
                out[i] = x % 3 - 1;
            }
        };
        assertThat(ternaryOutliers(withoutRejection)).isNotEmpty();
        Consumer<int[]> binomial = out -> Arrays.setAll(out, i -> {
            int first = coins.nextByte() & 1;
            return first - (coins.nextByte() & 1);
        });
        assertThat(ternaryOutliers(binomial)).isNotEmpty();
        Consumer<int[]> repeated = out -> {
            RingSampling.ternary(coins, out);
            for (int i = 1; i < out.length; i += 100) {
                out[i] = out[i - 1];
            }
        };
        assertThat(ternaryOutliers(repeated)).isNotEmpty();
        int[] turn = {0};
        Consumer<int[]> tooRegular = out -> Arrays.setAll(out, i -> turn[0]++ % 3 - 1);
        assertThat(ternaryOutliers(tooRegular)).isNotEmpty();
    }

    /** Single digits at each place of a byte, pairs at distances 1 to 6, and the norm of the polynomials. */
    private static List<String> ternaryOutliers(Consumer<int[]> sampler) {
        long[][] digits = new long[5][3];
        long[] values = new long[3];
        long[][] pairs = new long[6][9];
        double norms = 0;
        double norms2 = 0;
        int[] a = new int[N];
        for (int k = 0; k < 4 * POLYNOMIALS; k++) {
            Arrays.fill(a, 7);
            sampler.accept(a);
            int norm = 0;
            for (int i = 0; i < N; i++) {
                requireWithin(a[i], -1, 1);
                digits[i % 5][a[i] + 1]++;
                values[a[i] + 1]++;
                norm += a[i] * a[i];
            }
            for (int d = 1; d <= 6; d++) {
                for (int i = k % 2; i + d < N; i += 2 * d) { // disjoint pairs
                    pairs[d - 1][3 * a[i] + a[i + d] + 4]++;
                }
            }
            norms += norm;
            norms2 += (norm - N * 2 / 3.0) * (norm - N * 2 / 3.0);
        }
        TwoSided check = new TwoSided();
        check.equalCounts("digits", values);
        for (int i = 0; i < 5; i++) {
            check.equalCounts("digits at place " + i, digits[i]);
        }
        for (int d = 1; d <= 6; d++) {
            check.equalCounts("pairs at distance " + d, pairs[d - 1]);
        }
        check.mean("norm", norms, 4 * POLYNOMIALS, N * 2 / 3.0, N * 2 / 9.0);
        check.variance("variance of the norm", norms2, 4 * POLYNOMIALS, N * 2 / 9.0);
        return check.outliers();
    }

    private static void requireWithin(int x, int least, int largest) {
        if (x < least || x > largest) {
            throw new AssertionError(x + " is out of range");
        }
    }

    /** Whatever the length, the digits are those of the accepted bytes in base 3, lowest first. */
    @Test
    void ternaryDigitsAreThoseOfTheAcceptedBytes() {
        for (int length : new int[] {0, 1, 4, 5, 6, 512, 2048}) {
            CoinStream coins = SEED.coins("digits");
            int[] out = new int[length];
            RingSampling.ternary(coins, out);
            CoinStream same = SEED.coins("digits");
            List<Integer> expected = new ArrayList<>();
            while (expected.size() < length) {
                int x = same.nextByte();
                if (x < 243) {
                    String digits = Integer.toString(x + 243, 3).substring(1);
                    for (int i = 4; i >= 0; i--) {
                        expected.add(digits.charAt(i) - '1');
                    }
                }
            }
            assertThat(out)
                    .isEqualTo(expected.stream().limit(length).mapToInt(i -> i).toArray());
            assertThat(coins.nextByte()).as("no coin more").isEqualTo(same.nextByte());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 17, 257, 12_289, 16_770_049, 134_215_681, 536_813_569, 1_073_741_789})
    void uniformCoefficientsAreUniform(int q) {
        Modulus modulus = new Modulus(q);
        CoinStream coins = SEED.coins("uniform " + q);
        assertThat(uniformOutliers(q, out -> RingSampling.uniform(coins, modulus, out)))
                .isEmpty();
    }

    @Test
    void saboteursOfUniformCoefficientsAreFoundOut() {
        CoinStream coins = SEED.coins("uniform saboteurs");
        int q = 12_289; // 14 bits, 3/4 of 2^14: what is done without rejection shows
        assertThat(uniformOutliers(q, out -> Arrays.fill(out, 0))).isNotEmpty();
        assertThat(uniformOutliers(q, out -> Arrays.setAll(out, i -> (coins.nextInt() & 0x3fff) % q)))
                .isNotEmpty();
        assertThat(uniformOutliers(q, out -> Arrays.setAll(out, i -> Math.min(coins.nextInt() & 0x3fff, q - 1))))
                .isNotEmpty();
        assertThat(uniformOutliers(q, out -> Arrays.setAll(out, i -> coins.nextInt(q - 1))))
                .isNotEmpty();
        assertThat(uniformOutliers(q, out -> Arrays.setAll(out, i -> coins.nextInt(q) & ~1)))
                .isNotEmpty();
        int[] turn = {0};
        assertThat(uniformOutliers(q, out -> Arrays.setAll(out, i -> turn[0] = (turn[0] + 7) % q)))
                .isNotEmpty();
    }

    /** High digits, residues modulo 8, pairs of neighbours, and the value q - 1. */
    private static List<String> uniformOutliers(int q, Consumer<int[]> sampler) {
        int ranges = Math.min(q, 64);
        long[] high = new long[ranges];
        long[] low = new long[Math.min(q, 8)];
        int side = Math.min(q, 5);
        long[] pairs = new long[side * side];
        long[] largest = new long[2];
        int[] a = new int[N];
        for (int k = 0; k < POLYNOMIALS; k++) {
            Arrays.fill(a, -1);
            sampler.accept(a);
            for (int i = 0; i < N; i++) {
                requireWithin(a[i], 0, q - 1);
                high[(int) ((long) a[i] * ranges / q)]++;
                low[a[i] % low.length]++;
                largest[a[i] == q - 1 ? 1 : 0]++;
                if ((i & 1) == 1) {
                    pairs[(int) ((long) a[i - 1] * side / q) * side + (int) ((long) a[i] * side / q)]++;
                }
            }
        }
        double[] halves = portions(q, side);
        double[] squares = new double[side * side];
        for (int i = 0; i < squares.length; i++) {
            squares[i] = halves[i / side] * halves[i % side];
        }
        double[] residues = new double[low.length];
        for (int i = 0; i < low.length; i++) {
            residues[i] = ((q - i + low.length - 1) / low.length) / (double) q;
        }
        TwoSided check = new TwoSided();
        check.counts("high digits", high, portions(q, ranges));
        check.counts("residues", low, residues);
        check.counts("pairs", pairs, squares);
        if ((long) N * POLYNOMIALS / q >= 12) {
            check.counts("the largest value", largest, new double[] {1 - 1.0 / q, 1.0 / q});
        }
        return check.outliers();
    }

    /** Of the numbers below q, the portion with floor(x·parts/q) = i. */
    private static double[] portions(int q, int parts) {
        double[] out = new double[parts];
        for (long i = 0; i < parts; i++) {
            long from = (i * q + parts - 1) / parts;
            long to = ((i + 1) * q + parts - 1) / parts;
            out[(int) i] = (to - from) / (double) q;
        }
        return out;
    }

    @Test
    void hashIsDeterministicAndDependsOnEveryBitOfTheInput() {
        for (NtruParameters set : NtruParameters.all()) {
            Modulus modulus = new Modulus(set.q());
            byte[] input = "veilgate/h1/1 level error".getBytes(StandardCharsets.US_ASCII);
            int[] hash = hash(input, modulus, set.n());
            assertThat(hash(input.clone(), modulus, set.n())).isEqualTo(hash);
            Set<String> seen = new HashSet<>(Set.of(Arrays.toString(hash)));
            for (int bit = 0; bit < 8 * input.length; bit++) {
                byte[] other = input.clone();
                other[bit / 8] ^= (byte) (1 << (bit & 7));
                int[] otherHash = hash(other, modulus, set.n());
                assertThat(seen.add(Arrays.toString(otherHash))).isTrue();
                int equal = 0;
                for (int i = 0; i < set.n(); i++) {
                    equal += otherHash[i] == hash[i] ? 1 : 0;
                }
                assertThat(equal).as("equal coefficients, 2^-13 expected").isLessThanOrEqualTo(2);
            }
            assertThat(seen.add(Arrays.toString(hash(new byte[0], modulus, set.n()))))
                    .isTrue();
            assertThat(seen.add(Arrays.toString(hash(Arrays.copyOf(input, input.length + 1), modulus, set.n()))))
                    .isTrue();
        }
    }

    @Test
    void hashesAreUniform() {
        int[] counter = {0};
        for (NtruParameters set : NtruParameters.all()) {
            Modulus modulus = new Modulus(set.q());
            assertThat(uniformOutliers(
                            set.q(),
                            out -> RingSampling.hashToRingHat(
                                    ByteBuffer.allocate(12)
                                            .putInt(set.q())
                                            .putInt(counter[0]++)
                                            .array(),
                                    modulus,
                                    out)))
                    .isEmpty();
        }
    }

    @Test
    void hashIsTheTwinsAndTheOneOnRecord() throws IOException, GeneralSecurityException {
        List<String> record;
        try (var in = Objects.requireNonNull(
                RingSamplingStatTest.class.getResourceAsStream("/dev/veilgate/math/hash-to-ring.txt"))) {
            record = new String(in.readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .toList();
        }
        List<String> twins = new ArrayList<>();
        List<String> ours = new ArrayList<>();
        for (NtruParameters set : NtruParameters.all()) {
            Modulus modulus = new Modulus(set.q());
            for (byte[] input : new byte[][] {{}, {0}, "abc".getBytes(StandardCharsets.US_ASCII), new byte[1000]}) {
                int[] twin = plainHash(input, set.q(), set.n());
                int[] hash = hash(input, modulus, set.n());
                assertThat(hash).isEqualTo(twin);
                twins.add(line(set, input, twin));
                ours.add(line(set, input, hash));
            }
        }
        assertThat(twins).isEqualTo(record);
        assertThat(ours).isEqualTo(record);
    }

    private static String line(NtruParameters set, byte[] input, int[] hash) throws GeneralSecurityException {
        ByteBuffer bytes = ByteBuffer.allocate(4 * hash.length).order(ByteOrder.LITTLE_ENDIAN);
        for (int x : hash) {
            bytes.putInt(x);
        }
        HexFormat hex = HexFormat.of();
        return "%d %d %s %s"
                .formatted(set.n(), set.q(), hex.formatHex(sha256(input)), hex.formatHex(sha256(bytes.array())));
    }

    private static int[] hash(byte[] input, Modulus modulus, int n) {
        int[] out = new int[n];
        RingSampling.hashToRingHat(input, modulus, out);
        return out;
    }

    /** SHA-256 to a seed, its AES-256-CTR keystream as little-endian words, masked to the bits of q, those below q. */
    private static int[] plainHash(byte[] input, int q, int n) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/CTR/NoPadding");
        cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(sha256(input), "AES"), new IvParameterSpec(new byte[16]));
        ByteBuffer words = ByteBuffer.wrap(cipher.doFinal(new byte[16 * n])).order(ByteOrder.LITTLE_ENDIAN);
        int bits = 0;
        while (1L << bits < q) {
            bits++;
        }
        int[] out = new int[n];
        for (int i = 0; i < n; ) {
            long word = (words.getInt() & 0xffff_ffffL) % (1L << bits);
            if (word < q) {
                out[i++] = (int) word;
            }
        }
        return out;
    }

    private static byte[] sha256(byte[] input) throws GeneralSecurityException {
        return MessageDigest.getInstance("SHA-256").digest(input);
    }
}
