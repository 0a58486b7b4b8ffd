package dev.veilgate.peks.lattice.ntru;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntToLongFunction;

/**
 * Masks that were found to be good for forgeries while a sender chose A itself: for short t their kept products A·t are
 * predictable, so that some hundred slots matched many trapdoors. Now a sender chooses such an A0 only.
 */
final class ForgedMasks {
    private final NtruParameters p;
    private final SplittableRandom random;

    ForgedMasks(NtruParameters p, SplittableRandom random) {
        this.p = p;
        this.random = random;
    }

    /** Masks of each family, by name. */
    Map<String, int[]> all() {
        Map<String, int[]> out = new LinkedHashMap<>();
        int q = p.q();
        out.put("zero", filled(i -> 0));
        out.put("ternary", filled(i -> random.nextInt(3) - 1));
        out.put("short", filled(i -> random.nextInt(-100, 101)));
        out.put("constant", filled(i -> 1));
        out.put("one coefficient", filled(i -> i == 0 ? 123_456 : 0));
        out.put("q/2", filled(i -> q / 2));
        out.put("q/2 with noise", filled(i -> q / 2 + random.nextInt(-60, 61)));
        for (int d : new int[] {3, 7, 64, 1 << 12}) {
            out.put("multiples of q/" + d, filled(i -> Math.round((double) random.nextInt(d) * q / d)));
        }
        out.put("another q/d in each part", filled(i -> {
            int d = 2 + i % p.stride();
            return Math.round((double) random.nextInt(d) * q / d);
        }));
        out.put("powers of y^16", filled(i -> i / p.stride() % 16 == 0 ? random.nextInt(q) : 0));
        out.put("equal parts", equalParts());
        for (double amplitude : new double[] {30, 182, 1000, 1_000_000, q / 20.0}) {
            out.put("wave of " + amplitude, waves(amplitude, 1));
        }
        out.put("wave and q/2", plus(waves(182, 1), filled(i -> q / 2)));
        for (int embeddings : new int[] {2, 3, 6, 12}) {
            out.put(embeddings + " waves", waves(182, embeddings));
        }
        for (int prime : new int[] {7681, 101_377, 1_256_449}) {
            out.put("ideal of norm " + prime, ideal(prime));
            out.put("ideal of norm " + prime + " and q/2", plus(ideal(prime), filled(i -> q / 2)));
        }
        out.put("ideal and a wave", plus(ideal(7681), waves(60, 1)));
        return out;
    }

    int[] filled(IntToLongFunction coefficient) {
        int[] a = new int[p.n()];
        Arrays.setAll(a, i -> (int) Math.floorMod(coefficient.applyAsLong(i), (long) p.q()));
        return a;
    }

    private int[] equalParts() {
        int[] part = new int[p.kept()];
        Arrays.setAll(part, i -> random.nextInt(p.q()));
        return filled(i -> part[i / p.stride()]);
    }

    int[] plus(int[] a, int[] b) {
        return filled(i -> (long) a[i] + b[i]);
    }

    /**
     * A sum of waves in so many embeddings of y, that are exp(i·pi·(2e + 1)/L), with random phases: all kept
     * coefficients of A·t are then sums of as many waves.
     */
    int[] waves(double amplitude, int embeddings) {
        double[] sum = new double[p.n()];
        for (int k = 0; k < embeddings; k++) {
            int e = random.nextInt(p.kept() / 2);
            for (int r = 0; r < p.stride(); r++) {
                double phase = random.nextDouble(2 * Math.PI);
                for (int j = 0; j < p.kept(); j++) {
                    sum[p.stride() * j + r] += amplitude * Math.cos(Math.PI * j * (2 * e + 1) / p.kept() + phase);
                }
            }
        }
        return filled(i -> Math.round(sum[i]));
    }

    /**
     * A mask from the ideal of norm P = 1 mod 2L of Z[y]/(y^L + 1): A = sum of x^k·c_k·u(y), u = q/P·(1, z^-1, z^-2,
     * ...), so that A·t has P values.
     */
    int[] ideal(int prime) {
        long inverse = power(root(prime), prime - 2L, prime);
        int[] a = new int[p.n()];
        for (int k = 0; k < p.stride(); k++) {
            long u = 1L + random.nextInt(prime - 1);
            for (int i = 0; i < p.kept(); i++) {
                a[p.stride() * i + k] = (int) ((2 * u * p.q() + prime) / (2L * prime) % p.q());
                u = u * inverse % prime;
            }
        }
        return a;
    }

    /** A root of y^L + 1 modulo a prime. */
    private long root(int prime) {
        for (long x = 2; ; x++) {
            long r = power(x, (prime - 1) / (2L * p.kept()), prime);
            if (power(r, p.kept(), prime) == prime - 1) {
                return r;
            }
        }
    }

    private static long power(long base, long exponent, long prime) {
        return BigInteger.valueOf(base)
                .modPow(BigInteger.valueOf(exponent), BigInteger.valueOf(prime))
                .longValueExact();
    }
}
