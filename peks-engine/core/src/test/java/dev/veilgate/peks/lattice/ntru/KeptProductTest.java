package dev.veilgate.peks.lattice.ntru;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.math.ring.NegacyclicNtt;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The transform against the ring, which is exact. */
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
            assertThat(phases).isEqualTo(exact(p, ForgedBlock.honestA(p, "product/" + i + p), t));
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
            assertThat(phases).isEqualTo(exact(p, a, t));
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
            assertThat(farthest(product.phases(hot, 0, product.transform(t)), exact(p, a, t)))
                    .isLessThan(1 << 12);
        }
    }

    /**
     * A may be chosen so that each of its phases is rounded to the side that a trapdoor's coefficient has: rows of
     * phases are then off by much more than an honest A's are, but this is not.
     */
    @ParameterizedTest
    @MethodSource(ALL)
    void doesNotAddUpTheRoundingOfPhases(NtruParameters p) {
        SplittableRandom random = new SplittableRandom(9);
        int[] t = TestKeys.trapdoor(p, TestKeys.keyword(0)).t();
        int[] a = new int[p.n()];
        for (int i = 0; i < a.length; i++) {
            int facing = i == 0 ? t[0] : -t[p.n() - i];
            double rounding;
            do {
                a[i] = random.nextInt(p.q());
                rounding = HotBlock.phase(a[i], p.q()) - a[i] * 0x1p32 / p.q();
                rounding -= 0x1p32 * Math.rint(rounding / 0x1p32);
            } while (facing > 0 ? rounding < 0.3 : rounding > -0.3);
        }
        byte[] hot = hot(p, a);
        int[] exact = exact(p, a, t);
        KeptProduct product = new KeptProduct(p);
        assertThat(product.phases(hot, 0, product.transform(t))).isEqualTo(exact);
        double tolerance = p.rowTail()
                / 2
                * Math.sqrt(Arrays.stream(t).asDoubleStream().map(x -> x * x).sum());
        assertThat((double) Math.abs(Rows.phases(p, hot, 0, TestKernel.window(t))[0] - exact[0]))
                .isGreaterThan(tolerance);
    }

    /** The phases of the kept coefficients of A·t, in the ring. */
    private static int[] exact(NtruParameters p, int[] a, int[] t) {
        NegacyclicNtt ring = p.ring();
        int[] product = a.clone();
        int[] factor = new int[t.length];
        Arrays.setAll(factor, i -> Math.floorMod(t[i], p.q()));
        ring.forwardInPlace(product);
        ring.forwardInPlace(factor);
        ring.toMontInPlace(factor);
        ring.multiplyHat(product, product, factor);
        ring.inverseInPlace(product);
        int[] phases = new int[p.kept()];
        Arrays.setAll(phases, row -> HotBlock.phase(product[row * p.stride()], p.q()));
        return phases;
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
