package dev.veilgate.peks.lattice.ntru;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The transform against the rows, which are exact. */
class KeptProductTest {
    private static final String ALL = "dev.veilgate.peks.lattice.ntru.NtruParameters#all";
    private static final int LIMIT = 1 << NtruParameters.TRAPDOOR_COEFFICIENT_BITS - 1;

    @ParameterizedTest
    @MethodSource(ALL)
    void isTheProductOfHonestMasksAndTrapdoors(NtruParameters p) {
        KeptProduct product = new KeptProduct(p);
        for (int i = 0; i < 60; i++) {
            int[] t = TestKeys.trapdoor(p, TestKeys.keyword(i)).t();
            byte[] hot = hot(p, ForgedBlock.honestA(p, "product/" + i + p));
            byte[] moved = new byte[hot.length + 5];
            System.arraycopy(hot, 0, moved, 5, hot.length);
            KeptProduct.Transformed transformed = product.transform(t);
            int[] phases = product.phases(hot, 0, transformed);
            assertThat(product.phases(moved, 5, transformed)).isEqualTo(phases);
            assertThat(farthest(phases, Rows.phases(p, hot, 0, TestKernel.window(t))))
                    .isLessThanOrEqualTo(16);
        }
    }

    /** Each coefficient of A meets each of t_w at the right place, and with the right sign. */
    @ParameterizedTest
    @MethodSource(ALL)
    void isTheProductOfMonomials(NtruParameters p) {
        KeptProduct product = new KeptProduct(p);
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 300; i++) {
            int[] a = new int[p.n()];
            int[] t = new int[p.n()];
            int kept = random.nextInt(p.kept()) * p.stride();
            int at = i < 2 ? i * (p.n() - 1) : random.nextInt(p.n());
            a[at] = 1;
            t[Math.floorMod(kept - at, p.n())] = 5;
            byte[] hot = hot(p, a);
            int[] phases = product.phases(hot, 0, product.transform(t));
            assertThat(phases).isEqualTo(Rows.phases(p, hot, 0, TestKernel.window(t)));
            assertThat(Arrays.stream(phases).filter(phase -> phase != 0)).hasSize(1);
        }
    }

    /** However large the sums: an error of 2^12 is a millionth of a turn. */
    @ParameterizedTest
    @MethodSource(ALL)
    void errsByLittleWhateverIsMultiplied(NtruParameters p) {
        KeptProduct product = new KeptProduct(p);
        SplittableRandom random = new SplittableRandom(8);
        int[] edges = {p.q() / 2, p.q() / 2 + 1, p.q() / 2 - 1, p.q() / 2 + 2};
        for (int i = 0; i < 200; i++) {
            int[] a = new int[p.n()];
            int[] t = new int[p.n()];
            for (int k = 0; k < p.n(); k++) { // all of one sign, alternating, and by chance
                a[k] = edges[i % 4 < 2 ? i % 4 : i % 4 == 2 ? k % 2 : random.nextInt(4)];
                boolean negative = i % 3 == 0 ? k % 2 == 0 : i % 3 == 1 ? k < i * p.n() / 200 : random.nextBoolean();
                t[k] = negative ? -LIMIT : LIMIT - 1;
            }
            byte[] hot = hot(p, a);
            assertThat(farthest(
                            product.phases(hot, 0, product.transform(t)), Rows.phases(p, hot, 0, TestKernel.window(t))))
                    .isLessThan(1 << 12);
        }
    }

    private static byte[] hot(NtruParameters p, int[] a) {
        return HotBlock.of(BlockPayload.create(BlockPayload.VERSION, p, new PostingForm(16, 1), 0, a));
    }

    /** On the circle. */
    private static int farthest(int[] phases, int[] exact) {
        assertThat(phases).hasSameSizeAs(exact);
        int farthest = 0;
        for (int i = 0; i < phases.length; i++) {
            farthest = Math.max(farthest, Math.abs(phases[i] - exact[i]));
        }
        return farthest;
    }
}
