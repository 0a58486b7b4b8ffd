package dev.veilgate.peks.lattice.ntru;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.ring.Modulus;
import dev.veilgate.math.ring.RingSampling;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.Posting;
import dev.veilgate.peks.SlotMatch;
import dev.veilgate.peks.StoredBlock;
import dev.veilgate.random.CoinStream;
import dev.veilgate.random.TwoSided;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Measures the noise of right keywords on blocks as they travel, both ways: above its bound keywords would be missed,
 * below its width the keywords' secrets would show. Sealers that leave out r, e1 or the flood must fail the same check.
 *
 * <p>How noise shows on the wire: let u be the distance of c = A·t from the nearest multiple of q/4. The slot's bit
 * tells whether v = c + n is on the other side of it. For u uniform in (-W, W), {@code E[|u|·crossed] = E[n^2]/(4W)}.
 */
class NoiseBoundsStatTest {
    private static final String ALL = "dev.veilgate.peks.lattice.ntru.NtruParameters#all";

    private static int blocks(NtruParameters p) {
        return 5000 / p.maxKeywords();
    }

    @ParameterizedTest
    @MethodSource(ALL)
    void theNoiseOnTheWireHasTheWidthOfTheProofAndTheFlood(NtruParameters p) throws MalformedEncodingException {
        Meter meter = new Meter(p);
        NtruIndexSealer sealer = TestKeys.sealer(p, "NoiseBoundsStatTest");
        List<Posting> postings = new ArrayList<>();
        for (int i = 0; i < p.maxKeywords(); i++) {
            postings.add(Posting.of(TestKeys.keyword(i), 0));
        }
        List<Trapdoor> trapdoors = TestKeys.trapdoors(p, 0, p.maxKeywords());
        NtruIndexScheme scheme = NtruIndexScheme.accepting(NtruParameters.all());
        for (int b = 0; b < blocks(p); b++) {
            IndexBlock block = sealer.seal(TestKeys.DOMAIN, TestKeys.context(0), 1, postings)
                    .getFirst();
            PlainBlock plain = PlainBlock.parse(block.payload());
            StoredBlock stored = scheme.storedForm(block, TestKeys.context(0));
            for (int i = 0; i < trapdoors.size(); i++) {
                List<SlotMatch> found = scheme.match(scheme.prepare(TestKeys.scoped(p, TestKeys.keyword(i))), stored);
                assertThat(found).hasSize(1);
                meter.add(i, plain.a, plain.columns[found.getFirst().slot()], trapdoors.get(i));
            }
        }
        assertThat(meter.check().outliers()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource(ALL)
    void anHonestTwinOfTheSealerPassesTheSameCheck(NtruParameters p) {
        assertThat(twin(p, true, true, true, true).check().outliers()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource(ALL)
    void sealersThatLeaveSomethingOutFailTheSameCheck(NtruParameters p) {
        assertThat(twin(p, true, true, true, false).check().outliers())
                .as("no flood")
                .isNotEmpty();
        assertThat(twin(p, true, true, false, true).check().outliers())
                .as("no e1")
                .isNotEmpty();
        assertThat(twin(p, true, false, true, true).check().outliers())
                .as("no rho")
                .isNotEmpty();
        assertThat(twin(p, false, true, true, true).check().outliers())
                .as("no r")
                .isNotEmpty();
        for (boolean e1 : new boolean[] {true, false}) {
            for (boolean flood : new boolean[] {true, false}) {
                assertThat(twin(p, false, false, e1, flood).check().outliers())
                        .as("neither r nor rho")
                        .isNotEmpty();
            }
        }
    }

    /** Sealing by the equations, each random part drawn or left out. */
    private static Meter twin(NtruParameters p, boolean r, boolean rho, boolean e1, boolean flood) {
        Meter meter = new Meter(p);
        PublicKey publicKey = TestKeys.of(p).publicKey();
        Modulus modulus = p.ring().modulus();
        int keywords = p.maxKeywords();
        List<Trapdoor> trapdoors = TestKeys.trapdoors(p, 0, keywords);
        int[][] hashes = new int[keywords][];
        for (int i = 0; i < keywords; i++) {
            hashes[i] = PlainTwin.hash(p, publicKey, TestKeys.DOMAIN, TestKeys.keyword(i));
        }
        try (CoinStream coins =
                CoinStream.fresh(TestKeys.random("NoiseBoundsStatTest/twin/" + p + r + rho + e1 + flood))) {
            int blocks = r == rho
                    ? blocks(p) / (r ? 2 : 20)
                    : 2 * blocks(p); // without r and rho it shows at once, without rho late
            for (int b = 0; b < blocks; b++) {
                int[] rs = ternary(p, coins, r);
                if (rho) {
                    addShift(p, rs, coins);
                }
                int[] a = PlainTwin.product(p, publicKey.h(), rs);
                int[] e = ternary(p, coins, e1);
                for (int i = 0; i < a.length; i++) {
                    a[i] = modulus.canonical(a[i] + e[i]);
                }
                for (int i = 0; i < keywords; i++) {
                    int[] v = PlainTwin.kept(p, PlainTwin.product(p, hashes[i], rs));
                    for (int j = 0; j < v.length; j++) {
                        int e2 = coins.nextInt(2 * p.floodBound() + 1) - p.floodBound();
                        v[j] = modulus.canonical(v[j] + (flood ? e2 : 0));
                    }
                    meter.add(i, a, PlainTwin.bits(v, p, false), trapdoors.get(i));
                }
            }
        }
        return meter;
    }

    private static void addShift(NtruParameters p, int[] r, CoinStream coins) {
        byte[] binding = new byte[32];
        coins.nextBytes(binding);
        int[] rho = PlainTwin.rho(p, binding);
        for (int i = 0; i < r.length; i++) {
            r[i] += rho[i];
        }
    }

    private static int[] ternary(NtruParameters p, CoinStream coins, boolean drawn) {
        int[] out = new int[p.n()];
        if (drawn) {
            RingSampling.ternary(coins, out);
        }
        return out;
    }

    /**
     * z = (r0 + rho)·s - e1·t of real masks, which no wire shows: it has the width of the proof, and stays below its
     * tail.
     */
    @ParameterizedTest
    @MethodSource(ALL)
    void theNoiseOfShiftedMasksHasTheWidthOfTheProof(NtruParameters p) {
        PublicKey publicKey = TestKeys.of(p).publicKey();
        Modulus modulus = p.ring().modulus();
        int keywords = 20;
        List<Trapdoor> trapdoors = TestKeys.trapdoors(p, 0, keywords);
        double limit = p.rowTail() * p.noiseWidth();
        double ratio = 0;
        double fourth = 0;
        int blocks = 300;
        long samples = (long) blocks * keywords * p.kept();
        double largest = 0;
        double[] variances = new double[keywords];
        int[][] hat = new int[keywords][];
        for (int i = 0; i < keywords; i++) {
            variances[i] = variance(p, i, trapdoors.get(i));
            hat[i] = PlainTwin.hash(p, publicKey, TestKeys.DOMAIN, TestKeys.keyword(i));
            p.ring().forwardInPlace(hat[i]);
        }
        try (CoinStream coins = CoinStream.fresh(TestKeys.random("NoiseBoundsStatTest/masks/" + p))) {
            for (int b = 0; b < blocks; b++) {
                byte[] binding = new byte[32];
                coins.nextBytes(binding);
                try (BlockMask.Opened mask = BlockMask.draw(publicKey, coins).open()) {
                    mask.shift(publicKey, binding);
                    for (int i = 0; i < keywords; i++) {
                        int[] c = PlainTwin.kept(
                                p,
                                PlainTwin.product(p, mask.a(), trapdoors.get(i).t()));
                        int[] v = PlainTwin.keptProduct(p, mask, hat[i]);
                        double variance = variances[i];
                        for (int j = 0; j < v.length; j++) {
                            double z = modulus.centred(modulus.subtract(v[j], c[j]));
                            assertThat(Math.abs(z)).isLessThan(limit);
                            largest = Math.max(largest, Math.abs(z) / Math.sqrt(variance));
                            ratio += z * z / variance / samples;
                            fourth += z * z * z * z / variance / variance / samples;
                        }
                    }
                }
            }
        }
        // Norms of r and e1 differ from block to block: sqrt(1/(4N)) of their mean
        double tolerance = TwoSided.LIMIT * (Math.sqrt(2.0 / samples) + Math.sqrt(0.25 / p.n() / blocks));
        assertThat(ratio).isBetween(1 - tolerance, 1 + tolerance);
        assertThat(fourth).isBetween(2.9, 3.1); // of a Gaussian: 3
        assertThat(largest).isBetween(4.0, p.rowTail());
    }

    /** 2/3·||(s, t)||^2 + E[rho^2]·||s||^2 of a trapdoor: what its noise without e2 has in the mean. */
    private static double variance(NtruParameters p, int keyword, Trapdoor trapdoor) {
        PublicKey publicKey = TestKeys.of(p).publicKey();
        int[] target = PlainTwin.hash(p, publicKey, TestKeys.DOMAIN, TestKeys.keyword(keyword));
        int[] product = PlainTwin.product(p, publicKey.h(), trapdoor.t());
        double sum = 0;
        for (int j = 0; j < p.n(); j++) {
            double s = p.ring().modulus().centred(p.ring().modulus().subtract(target[j], product[j]));
            double t = trapdoor.t()[j];
            sum += 2.0 / 3 * (s * s + t * t) + p.shiftVariance() * s * s;
        }
        return sum;
    }

    /** Reads the noise off bits and A, and says how far it is from what it should be. */
    private static final class Meter {
        private static final int BINS = 16;

        private final NtruParameters p;
        private final double window;
        private final double binWidth;
        private final Map<Integer, double[]> profiles = new HashMap<>();
        private final Map<Integer, Double> variances = new HashMap<>();
        private final long[] crossed = new long[BINS];
        private final double[] expected = new double[BINS];
        private final double[] variance = new double[BINS];
        private long crossedUp;
        private long crossedAll;
        private double samples;
        private double sum;
        private double sumOfSquares;
        private double designed;
        private double farthest;
        private int pairs;

        Meter(NtruParameters p) {
            this.p = p;
            double sigmaZ = p.floodBound() / 2.0;
            this.window = 8 * sigmaZ;
            this.binWidth = 4.8 * sigmaZ / BINS;
            assertThat(window).isLessThan(p.q() / 8.0);
        }

        void add(int keyword, int[] a, byte[] column, Trapdoor trapdoor) {
            double ofMask = variances.computeIfAbsent(keyword, k -> variance(p, k, trapdoor));
            double[] profile = profiles.computeIfAbsent(keyword, k -> profile(Math.sqrt(ofMask)));
            int[] c = PlainTwin.kept(p, PlainTwin.product(p, a, trapdoor.t()));
            double quarter = p.q() / 4.0;
            double flood = p.floodBound();
            pairs++;
            for (int j = 0; j < c.length; j++) {
                double u = c[j] - Math.rint(c[j] / quarter) * quarter;
                boolean cross = PlainTwin.low(c[j], p.q()) != (column[j >> 3] >> (j & 7) & 1);
                if (cross) {
                    farthest = Math.max(farthest, Math.abs(u));
                }
                if (Math.abs(u) >= window) {
                    continue;
                }
                double x = cross ? Math.abs(u) : 0;
                samples++;
                sum += x;
                sumOfSquares += x * x;
                designed += ofMask + flood * (flood + 1) / 3;
                crossedAll += cross ? 1 : 0;
                crossedUp += cross && u < 0 ? 1 : 0;
                int bin = (int) (Math.abs(u) / binWidth);
                if (bin < BINS) {
                    crossed[bin] += cross ? 1 : 0;
                    expected[bin] += profile[bin];
                    variance[bin] += profile[bin] * (1 - profile[bin]);
                }
            }
        }

        /** P(n > |u|) for |u| in each bin, n Gaussian plus uniform: by summing up. */
        private double[] profile(double sigma) {
            double[] out = new double[BINS];
            int steps = 40;
            for (int bin = 0; bin < BINS; bin++) {
                for (int i = 0; i < steps; i++) {
                    double u = (bin + (i + 0.5) / steps) * binWidth;
                    for (int k = 0; k < steps; k++) {
                        double e2 = ((k + 0.5) / steps * 2 - 1) * p.floodBound();
                        out[bin] += tail((u - e2) / sigma) / steps / steps;
                    }
                }
            }
            return out;
        }

        /** P(X > x) of a standard Gaussian, to 10^-7 (Abramowitz and Stegun 26.2.17). */
        private static double tail(double x) {
            if (x < 0) {
                return 1 - tail(-x);
            }
            double k = 1 / (1 + 0.2316419 * x);
            double series = 0.319381530 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429)));
            return Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI) * k * series;
        }

        /** Second moment, symmetry, shape and reach of the noise, each two-sidedly. */
        TwoSided check() {
            TwoSided check = new TwoSided();
            double mean = sum / samples;
            double measured = 4 * window * mean;
            double target = designed / samples;
            double error = 4 * window * Math.sqrt((sumOfSquares / samples - mean * mean) / samples);
            double blocks = (double) pairs / p.maxKeywords();
            double ofBlocks = target * Math.sqrt(0.25 / p.n() / blocks); // norms of r and e1 differ
            check.normal("variance", (measured - target) / Math.hypot(Math.max(error, target * 1e-3), ofBlocks));
            Tosses.check(check, "sign", crossedUp, crossedAll, 0.5);
            double chi = 0;
            for (int bin = 0; bin < BINS; bin++) {
                double d = crossed[bin] - expected[bin];
                chi += d * d / variance[bin];
            }
            check.chiSquare("shape", chi, BINS);
            double sigmaZ = p.floodBound() / 2.0;
            check.normal("reach", farthest > 2.5 * sigmaZ && farthest < p.rowBound() ? 0 : Double.NaN);
            return check;
        }
    }
}
