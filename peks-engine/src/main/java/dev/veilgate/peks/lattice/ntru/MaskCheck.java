package dev.veilgate.peks.lattice.ntru;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Refuses a forged A. If A·t is predictable for every short t, one slot matches every trapdoor: so it is for A = 0, for a
 * short A, for A = (q/2)(1 + x + ... + x^(N-1)) (then A·t is q/2 times the parity of sum t), and in general for an A whose
 * coefficients are nearly rational multiples of q.
 *
 * <p>A coefficient is <em>generic</em> when it is farther than {@value #RADIUS} from every multiple of q/d, for d up to
 * {@value #MAX_DENOMINATOR} and for d = 2^k up to {@value #MAX_POWER_OF_TWO}; a block needs N/2 generic coefficients. An
 * honest A, which is pseudorandom, falls below that with probability under 2^-100; the forgeries have none.
 */
final class MaskCheck {
    static final String REFUSAL = "must not be degenerate: it would match every trapdoor";
    static final int RADIUS = 128;
    static final int MAX_DENOMINATOR = 64;
    static final int MAX_POWER_OF_TWO = 1 << 14;

    private static final Map<NtruParameters, MaskCheck> CHECKS = new ConcurrentHashMap<>();
    private static final int BUCKETS = 1 << 14;

    private final int n;
    private final int shift;
    /** Disjoint forbidden intervals, ascending, both ends inclusive, and a sentinel. */
    private final int[] starts;

    private final int[] ends;
    /** Per bucket of values, the first interval that ends in it or later. */
    private final int[] firstOfBucket;

    private MaskCheck(int n, int q) {
        this.n = n;
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
        return CHECKS.computeIfAbsent(parameters, p -> new MaskCheck(p.n(), p.q()));
    }

    /** Whether at least N/2 coefficients, each in [0, q), are generic. */
    boolean isGeneric(int[] a) {
        return genericCoefficients(a) >= n / 2;
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
