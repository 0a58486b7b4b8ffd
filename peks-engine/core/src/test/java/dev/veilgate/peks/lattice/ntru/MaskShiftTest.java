package dev.veilgate.peks.lattice.ntru;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.random.TestSeed;
import dev.veilgate.random.TwoSided;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** G and what it does to a mask. */
class MaskShiftTest {
    private static final TestSeed SEED = TestSeed.of(MaskShiftTest.class);
    private static final String ALL = "dev.veilgate.peks.lattice.ntru.NtruParameters#all";

    /**
     * SHA-256 of the coefficients of G(00 01 ... 1f), a byte each. Computed once with Python's hmac and a command
     * line's AES.
     */
    private static final Map<String, String> KNOWN = Map.of(
            "N512_Q24", "531ee50bd3ec5a9b3f4f933052c97c7bbb7429f6dcd9c31e3c3079a3cbb2dfd6",
            "N1024_Q27", "02bb56b1af3b9f4d458f8f9a37f9d75b3f650e5a4489d1940d9167f5d054bd94",
            "N2048_Q29", "2f771dd8c34081bd32edf5812134ca8b5e9a38c400e5f0bfec57e2d09c4c2d21");

    @ParameterizedTest
    @MethodSource(ALL)
    void hasKnownAnswers(NtruParameters p) throws Exception {
        byte[] binding = new byte[32];
        for (int i = 0; i < binding.length; i++) {
            binding[i] = (byte) i;
        }
        int[] rho = MaskShift.rho(p, binding);
        byte[] bytes = new byte[rho.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) rho[i];
        }
        assertThat(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes)))
                .isEqualTo(KNOWN.get(p.id()));
    }

    @ParameterizedTest
    @MethodSource(ALL)
    void isWhatItsDefinitionSays(NtruParameters p) {
        SplittableRandom random = SEED.random("definition/" + p);
        PublicKey key = TestKeys.of(p).publicKey();
        for (int i = 0; i < 20; i++) {
            byte[] binding = new byte[32];
            random.nextBytes(binding);
            assertThat(MaskShift.rho(p, binding)).isEqualTo(PlainTwin.rho(p, binding));
            int[] a0 = random.ints(p.n(), 0, p.q()).toArray();
            int[] a = PlainTwin.shifted(p, key, a0, binding);
            assertThat(MaskShift.unshifted(key, binding, a)).isEqualTo(a0);
        }
    }

    /** Each value as often as it should be, at each coefficient and beside each. */
    @ParameterizedTest
    @MethodSource(ALL)
    void hasItsDistribution(NtruParameters p) {
        SplittableRandom random = SEED.random("distribution/" + p);
        int draws = 2000;
        long[] values = new long[3];
        long[] neighbours = new long[9];
        long[] nonzero = new long[p.n()];
        for (int i = 0; i < draws; i++) {
            byte[] binding = new byte[32];
            random.nextBytes(binding);
            int[] rho = MaskShift.rho(p, binding);
            for (int j = 0; j < rho.length; j++) {
                values[rho[j] + 1]++;
                nonzero[j] += rho[j] != 0 ? 1 : 0;
                if (j > 0) {
                    neighbours[3 * (rho[j - 1] + 1) + rho[j] + 1]++;
                }
            }
        }
        double each = p.shiftVariance() / 2;
        double[] expected = {each, 1 - 2 * each, each};
        TwoSided check = new TwoSided();
        long all = Arrays.stream(values).sum();
        for (int v = 0; v < 3; v++) {
            Tosses.check(check, "value " + (v - 1), values[v], all, expected[v]);
            for (int w = 0; w < 3; w++) {
                Tosses.check(check, "neighbours", neighbours[3 * v + w], all - draws, expected[v] * expected[w]);
            }
        }
        for (long count : nonzero) {
            Tosses.check(check, "coefficient", count, draws, 2 * each);
        }
        assertThat(check.outliers()).isEmpty();
    }
}
