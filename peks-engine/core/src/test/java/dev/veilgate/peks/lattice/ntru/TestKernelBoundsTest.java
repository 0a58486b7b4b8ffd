package dev.veilgate.peks.lattice.ntru;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Drives the 32-bit inner product of Test to its worst cases, both signs: sums that wrap thousands of times are still
 * the exact sum modulo 2^32, and so still the coefficient of A·t within half a unit a term.
 */
class TestKernelBoundsTest {
    private static final int LIMIT = 1 << NtruParameters.TRAPDOOR_COEFFICIENT_BITS - 1;

    @ParameterizedTest
    @MethodSource("dev.veilgate.peks.lattice.ntru.NtruParameters#all")
    void sumsWrapExactly(NtruParameters p) {
        int n = p.n();
        int q = p.q();
        List<int[]> as = List.of(
                filled(n, q - 1),
                filled(n, 0),
                filled(n, 1),
                filled(n, q / 2),
                filled(n, q / 2 + 1),
                filled(n, q / 4),
                alternating(n, 0, q - 1),
                alternating(n, q / 2, q / 2 + 1),
                ramp(n, q));
        List<int[]> ts = List.of(
                filled(n, LIMIT - 1),
                filled(n, -LIMIT),
                alternating(n, LIMIT - 1, -LIMIT),
                alternating(n, -LIMIT, LIMIT - 1),
                unit(n, 0, -LIMIT),
                unit(n, n - 1, LIMIT - 1),
                filled(n, 1),
                filled(n, -1),
                filled(n, 0));
        for (int[] a : as) {
            byte[] hot = HotBlock.of(BlockPayload.create(BlockPayload.VERSION, p, new PostingForm(1, 1), 0, a));
            for (int[] t : ts) {
                int[] phases = Rows.phases(p, hot, 0, TestKernel.window(t));
                int[] exact = PlainTwin.kept(p, PlainTwin.product(p, a, t));
                long worst = Arrays.stream(t).mapToLong(Math::abs).sum() / 2 + 1;
                for (int row = 0; row < p.kept(); row += row < 4 || row > p.kept() - 5 ? 1 : 37) {
                    int phase = phases[row];
                    int j = row * p.stride();
                    BigInteger sum = BigInteger.ZERO;
                    for (int i = 0; i < n; i++) {
                        long factor = i <= j ? t[j - i] : -(long) t[n + j - i];
                        long angle = HotBlock.phase(a[i], q) & 0xffff_ffffL;
                        sum = sum.add(BigInteger.valueOf(angle * factor));
                    }
                    assertThat(phase).isEqualTo(sum.intValue());
                    // the angle of the exact coefficient, as a distance on the circle; it may be half the circle or
                    // more
                    long error = Math.abs((long) (phase - HotBlock.phase(exact[row], q)));
                    assertThat(error).isLessThanOrEqualTo(worst);
                }
            }
        }
    }

    private static int[] filled(int n, int value) {
        int[] out = new int[n];
        Arrays.fill(out, value);
        return out;
    }

    private static int[] alternating(int n, int even, int odd) {
        int[] out = new int[n];
        for (int i = 0; i < n; i++) {
            out[i] = i % 2 == 0 ? even : odd;
        }
        return out;
    }

    private static int[] unit(int n, int at, int value) {
        int[] out = new int[n];
        out[at] = value;
        return out;
    }

    private static int[] ramp(int n, int q) {
        int[] out = new int[n];
        for (int i = 0; i < n; i++) {
            out[i] = (int) ((long) i * (q - 1) / (n - 1));
        }
        return out;
    }
}
