package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.peks.StoredBlock;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;

/**
 * Refuses a forged A. If A·t is predictable for every short t, a few slots match every trapdoor. It is predictable when a small multiplier m,
 * of the ring in which the kept coefficients live, makes m·A nearly 0 modulo q, for enough different m: then A·t lies near few points of
 * its torus (specification, section 4, says which families of A that are, and what is left of each). So three kinds of m are tried:
 *
 * <p><b>Integers d</b>, up to {@value #MAX_DENOMINATOR}, powers of two up to {@value #MAX_POWER_OF_TWO}, and 2P for the norms P of small
 * ideals. d·A is nearly 0 where A is near a multiple of q/d; a short A is that for d = 1, whatever its norm is compared with that of an
 * honest one, A = (q/2)(1 + x + ... + x^(N-1)) for d = 2. More than 2/5 of the coefficients of d·A within q/8 of 0 are refused, which is
 * a radius relative to q/d: an honest A has a quarter of them there, deviation 0.0096 at N = 2048.
 *
 * <p><b>Sums of few powers of y</b>, and twice such sums: {@link SparseMultiplier}, of A and of 2A. Where an ideal of norm P is shifted by q/2, a sum of an odd number of
 * powers takes A to q/2 instead of 0; where P has no sums of four powers, only 2A shows the ideal. 2A is as uniform as A, since q is odd.
 *
 * <p><b>Different d for different coefficients</b>: a coefficient is <em>generic</em> when it is farther than {@value #RADIUS} from every
 * multiple of q/d, for all d but the 2P; a block needs N/2 generic coefficients.
 *
 * <p>Counts are taken of some coefficients that the sender does not know beforehand, and of all where the sample is not clear.
 */
final class MaskCheck {
    static final String REFUSAL = "must not be degenerate: it would match trapdoors of any keyword";
    static final int RADIUS = 128;
    static final int MAX_DENOMINATOR = 64;
    static final int MAX_POWER_OF_TWO = 1 << 14;
    /** Norms of ideals are tried below q/(16·48). */
    private static final int MAX_NORM_DIVISOR = 16 * 48;

    /** q/8, as a phase. */
    private static final int NEAR = 1 << 29;

    private static final int SAMPLE = 512;
    private static final int CHUNK = 8;
    private static final int ALIKE_SAMPLE = 64;
    private static final double CLEAR_SHARE = 0.3;
    private static final double GENERIC_CLEAR_SHARE = 0.75;
    private static final int BUCKETS = 1 << 14;

    private static final Map<NtruParameters, MaskCheck> CHECKS = new ConcurrentHashMap<>();

    private final int n;
    private final int q;
    private final int kept;
    private final int sampled;
    private final int shift;
    /** Every d that is tried, ascending. */
    private final int[] denominators;
    /** Disjoint forbidden intervals, ascending, both ends inclusive, and a sentinel. */
    private final int[] starts;

    private final int[] ends;
    /** Per bucket of values, the first interval that ends in it or later. */
    private final int[] firstOfBucket;

    private MaskCheck(int n, int q, int kept) {
        this.n = n;
        this.q = q;
        this.kept = kept;
        this.sampled = Math.min(n, SAMPLE);
        List<Integer> small = smallDenominators();
        List<Integer> all = new ArrayList<>(small);
        all.addAll(jointDenominators(q, kept));
        denominators = all.stream().mapToInt(d -> d).toArray();
        List<int[]> intervals = new ArrayList<>();
        for (int d : small) {
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

    private static List<Integer> smallDenominators() {
        List<Integer> small = new ArrayList<>();
        for (int d = 1; d <= MAX_POWER_OF_TWO; d = d < MAX_DENOMINATOR ? d + 1 : 2 * d) {
            small.add(d);
        }
        return small;
    }

    /** 2P for every P = p^k below the limit that is the norm of a prime ideal over p: k is the order of p modulo 2L. An element of norm 2 can be added. */
    private static List<Integer> jointDenominators(int q, int kept) {
        int limit = q / MAX_NORM_DIVISOR;
        List<Integer> joint = new ArrayList<>();
        for (int p = 3; p < limit; p += 2) {
            long norm = p;
            long power = p % (2 * kept);
            while (power != 1 && norm < limit) {
                norm *= p;
                power = power * p % (2 * kept);
            }
            if (norm < limit && BigInteger.valueOf(p).isProbablePrime(30)) {
                joint.add(2 * (int) norm);
            }
        }
        return joint;
    }

    /** Whether A, with N coefficients in [0, q), passes. */
    boolean isGeneric(int[] a) {
        return isGeneric(a, HotBlock.phases(a, q), new SecretChoices());
    }

    /**
     * Whether A passes.
     *
     * @param a      N coefficients in [0, q)
     * @param phases {@link HotBlock#phases} of it
     * @param coins  not known to the sender
     */
    boolean isGeneric(int[] a, int[] phases, RandomGenerator coins) {
        int[] sampleOfA = new int[sampled];
        int[] sample = new int[sampled];
        sample(a, phases, coins, sampleOfA, sample);
        if (genericCoefficients(sampleOfA) < GENERIC_CLEAR_SHARE * sampled && genericCoefficients(a) < n / 2) {
            return false;
        }
        int clear = (int) (CLEAR_SHARE * sampled);
        for (int d : denominators) {
            if (nearMultiples(sample, d) > clear && isConcentrated(nearMultiples(phases, d), n)) {
                return false;
            }
        }
        return !SparseMultiplier.exists(phases, kept, coins) && !SparseMultiplier.exists(doubled(phases), kept, coins);
    }

    /** The phases of 2A. */
    private static int[] doubled(int[] phases) {
        int[] doubled = new int[phases.length];
        for (int i = 0; i < doubled.length; i++) {
            doubled[i] = 2 * phases[i];
        }
        return doubled;
    }

    /** Chunks of A, evenly spaced from a random one at a random odd distance; whole chunks, for a vector loop reads what lies together. */
    private void sample(int[] a, int[] phases, RandomGenerator coins, int[] sampleOfA, int[] sample) {
        int chunks = n / CHUNK; // a power of two
        int chunk = coins.nextInt(chunks);
        int distance = 2 * coins.nextInt(chunks / 2) + 1;
        for (int at = 0; at < sampled; at += CHUNK) {
            System.arraycopy(a, chunk * CHUNK, sampleOfA, at, CHUNK);
            System.arraycopy(phases, chunk * CHUNK, sample, at, CHUNK);
            chunk = chunk + distance & chunks - 1;
        }
    }

    /** Coefficients x with d·x within q/8 of a multiple of q: those within q/(8d) of a multiple of q/d. */
    private static int nearMultiples(int[] phases, int d) {
        int near = 0;
        for (int phase : phases) {
            int rest = phase * d;
            near += (rest ^ rest >> 31) - NEAR >>> 31;
        }
        return near;
    }

    /** Whether so many of n coefficients are near 0 that it is no chance: more than 2/5, where a quarter is expected. */
    private static boolean isConcentrated(int near, int n) {
        return 5L * near > 2L * n;
    }

    /** Whether more than 2/5 of these phases are within 1/8 turn of 0. */
    static boolean isConcentrated(int[] phases) {
        return isConcentrated(nearMultiples(phases, 1), phases.length);
    }

    /** Whether two of these blocks have the same A, or two whose difference is short. */
    static boolean haveTwoAlike(List<StoredBlock> blocks) {
        RandomGenerator coins = new SecretChoices();
        for (int i = 1; i < blocks.size(); i++) {
            byte[] hot = blocks.get(i).hot();
            for (int j = 0; j < i; j++) {
                byte[] other = blocks.get(j).hot();
                if (hot[1] == other[1] && areAlike(hot, other, coins)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean areAlike(byte[] hot, byte[] other, RandomGenerator coins) {
        int n = StoredForm.parameters(hot).n();
        int[] difference = new int[ALIKE_SAMPLE];
        int start = coins.nextInt(n / ALIKE_SAMPLE) * ALIKE_SAMPLE;
        difference(hot, other, start, difference);
        if (!isConcentrated(difference)) {
            return false;
        }
        int[] all = new int[n];
        difference(hot, other, 0, all);
        return isConcentrated(all);
    }

    private static void difference(byte[] hot, byte[] other, int start, int[] difference) {
        for (int i = 0; i < difference.length; i++) {
            int at = HotBlock.PHASES_AT + 4 * (start + i);
            difference[i] = (int) HotBlock.INT.get(hot, at) - (int) HotBlock.INT.get(other, at);
        }
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
