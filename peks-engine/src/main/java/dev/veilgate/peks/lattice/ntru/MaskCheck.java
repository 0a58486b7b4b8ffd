package dev.veilgate.peks.lattice.ntru;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Refuses a forged A. If A·t is predictable for every short t, one slot matches every trapdoor. Two checks:
 *
 * <p><b>Each coefficient.</b> A = 0, a short A, A = (q/2)(1 + x + ... + x^(N-1)) (then A·t is q/2 times the parity of sum t), and in
 * general an A whose coefficients are nearly multiples of q/d for small d. A coefficient is <em>generic</em> when it is farther
 * than {@value #RADIUS} from every multiple of q/d, for d up to {@value #MAX_DENOMINATOR} and for d = 2^k up to {@value
 * #MAX_POWER_OF_TWO}; a block needs N/2 generic coefficients. An honest A, which is pseudorandom, falls below that with
 * probability under 2^-90; the forgeries have none.
 *
 * <p><b>All together.</b> The kept coefficients of A·t form a module over Z[y]/(y^L + 1). An ideal of norm P in that ring (one of
 * norm 7681 = 15·512 + 1, for L = 256) gives an A of multiples of q/P for which A·t takes P values only, so that P slots match every
 * trapdoor. So no 2P, for ideals of prime norm or a power of it up to q/(16·{@value #JOINT_RADIUS}), may have more than N/2 coefficients
 * within {@value #JOINT_RADIUS} of its multiples of q/(2P) (2P, since an element of norm 2 can be added). What is left are ideals of
 * larger norm: one full block then matches at most one trapdoor in 2^11 (N = 2048 and 1024: 2^11.4, 2^10.8).
 */
final class MaskCheck {
    static final String REFUSAL = "must not be degenerate: it would match every trapdoor";
    static final int RADIUS = 128;
    static final int MAX_DENOMINATOR = 64;
    static final int MAX_POWER_OF_TWO = 1 << 14;
    static final int JOINT_RADIUS = 48;

    private static final Map<NtruParameters, MaskCheck> CHECKS = new ConcurrentHashMap<>();
    private static final int BUCKETS = 1 << 14;

    private final int n;
    private final int q;
    private final int shift;
    /** 2P for the norms P of small ideals. */
    private final int[] jointDenominators;
    /** Disjoint forbidden intervals, ascending, both ends inclusive, and a sentinel. */
    private final int[] starts;

    private final int[] ends;
    /** Per bucket of values, the first interval that ends in it or later. */
    private final int[] firstOfBucket;

    private MaskCheck(int n, int q, int kept) {
        this.n = n;
        this.q = q;
        this.jointDenominators = jointDenominators(q, kept);
        List<int[]> intervals = new ArrayList<>();
        for (int d = 1; d <= MAX_POWER_OF_TWO; d = d < MAX_DENOMINATOR ? d + 1 : 2 * d) {
            for (long k = 0; k <= d; k++) {
                long floor = k * q / d;
                boolean exact = k * q % d == 0;
                int from = (int) Math.max(0, (exact ? floor : floor + 1) - RADIUS);
                int to = (int) Math.min(q - 1L, floor + RADIUS);
                intervals.add(new int[] {from, to});
            }
        }
        intervals.sort((x, y) -> Integer.compare(x[0], y[0]));
        List<int[]> merged = new ArrayList<>();
        for (int[] interval : intervals) {
            int[] last = merged.isEmpty() ? null : merged.getLast();
            if (last != null && interval[0] <= last[1] + 1) {
                last[1] = Math.max(last[1], interval[1]);
            } else {
                merged.add(interval);
            }
        }
        merged.add(new int[] {Integer.MAX_VALUE, Integer.MAX_VALUE});
        starts = merged.stream().mapToInt(i -> i[0]).toArray();
        ends = merged.stream().mapToInt(i -> i[1]).toArray();
        shift = Math.max(0, 32 - Integer.numberOfLeadingZeros(q - 1) - Integer.numberOfTrailingZeros(BUCKETS));
        firstOfBucket = new int[(q - 1 >>> shift) + 1];
        for (int bucket = 0, i = 0; bucket < firstOfBucket.length; bucket++) {
            while (ends[i] < bucket << shift) {
                i++;
            }
            firstOfBucket[bucket] = i;
        }
    }

    static MaskCheck of(NtruParameters parameters) {
        return CHECKS.computeIfAbsent(parameters, p -> new MaskCheck(p.n(), p.q(), p.kept()));
    }

    /** Whether A, with coefficients in [0, q), passes both checks. */
    boolean isGeneric(int[] a) {
        return genericCoefficients(a) >= n / 2 && !hasSmallIdeal(a);
    }

    private boolean hasSmallIdeal(int[] a) {
        int[] phases = HotBlock.phases(a, q);
        for (int d : jointDenominators) {
            if (nearMultiples(phases, d, (int) ((long) JOINT_RADIUS * d * (1L << 32) / q)) > n / 2) {
                return true;
            }
        }
        return false;
    }

    /** Coefficients whose phase is within radius/d of a multiple of 2^32/d. */
    private static int nearMultiples(int[] phases, int d, int radius) {
        int near = 0;
        for (int phase : phases) {
            int rest = phase * d;
            near += (rest ^ rest >> 31) - radius >>> 31;
        }
        return near;
    }

    /** 2P for every P = p^k below the limit that is the norm of a prime ideal over p: k is the order of p modulo 2L. */
    private static int[] jointDenominators(int q, int kept) {
        int limit = q / (16 * JOINT_RADIUS);
        List<Integer> denominators = new ArrayList<>();
        for (int p = 3; p < limit; p += 2) {
            long norm = p;
            long power = p % (2 * kept);
            while (power != 1 && norm < limit) {
                norm *= p;
                power = power * p % (2 * kept);
            }
            if (norm < limit && BigInteger.valueOf(p).isProbablePrime(30)) {
                denominators.add(2 * (int) norm);
            }
        }
        return denominators.stream().mapToInt(d -> d).toArray();
    }

    int genericCoefficients(int[] a) {
        int generic = 0;
        for (int x : a) {
            int i = firstOfBucket[x >>> shift];
            while (ends[i] < x) {
                i++;
            }
            generic += x < starts[i] ? 1 : 0;
        }
        return generic;
    }
}
