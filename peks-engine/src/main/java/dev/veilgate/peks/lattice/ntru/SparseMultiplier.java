package dev.veilgate.peks.lattice.ntru;

import java.util.random.RandomGenerator;

/**
 * Looks for a multiplier m = 1 ± y^a ± y^b ± y^c, or a shorter one, with m·A near 0: then the kept coefficients of A·t obey, for every
 * short t, a relation that few points of their torus obey, and slots can be filled without a trapdoor (specification, section 4).
 *
 * <p>The parts of A (coefficients r mod S, S = N/L) are points of a torus of S dimensions, one for each power of y: p_j = (A_(S·j), ...,
 * A_(S·j+S-1)), and p_(j+L) = -p_j. A multiplier makes signed sums of such points vanish, at every power of y alike. So one power is looked
 * at, the last one, and a candidate is then confirmed on all of A. All sums of up to three points are tried and, of those of four, {@value
 * #TRIALS}·{@value #OTHERS} random pairs with every third. A family of A whose kept products A·t lie near P points of the torus has about
 * 2^24.4/P such multipliers, so that it is found in a block with probability about 1 - exp(-{@value #TRIALS}·{@value #OTHERS}·3·2^7.4/P).
 */
final class SparseMultiplier {
    private static final int TRIALS = 16;
    private static final int OTHERS = 64;
    /** Cells of the torus of two coordinates: 2^-8 turns each way. Points that are half as far apart are found. */
    private static final int CELL_BITS = 8;

    private static final int SHIFT = 32 - CELL_BITS;
    private static final int HALF_CELL = 1 << SHIFT - 1;
    /** No point. */
    private static final int NONE = -1;

    private final int[] phases;
    private final int stride;
    private final int kept;
    /** Two pairs of coordinates of which a sum is looked at before others. */
    private final Plane near;

    private final Plane far;

    /** The signed points in two of their coordinates. */
    private static final class Plane {
        final int[] x;
        final int[] y;
        /** Which cells have a point within half a cell: a bit each. */
        private final long[] occupied = new long[1 << 2 * CELL_BITS - 6];

        Plane(int[] phases, int stride, int kept, int first, int second) {
            x = new int[2 * kept];
            y = new int[2 * kept];
            for (int j = 0; j < kept; j++) {
                x[j] = phases[stride * j + first];
                y[j] = phases[stride * j + second];
                x[j + kept] = -x[j];
                y[j + kept] = -y[j];
            }
            for (int s = 0; s < x.length; s++) {
                occupy(x[s] - HALF_CELL, y[s] - HALF_CELL);
                occupy(x[s] - HALF_CELL, y[s] + HALF_CELL);
                occupy(x[s] + HALF_CELL, y[s] - HALF_CELL);
                occupy(x[s] + HALF_CELL, y[s] + HALF_CELL);
            }
        }

        private void occupy(int atX, int atY) {
            int cell = atX >>> SHIFT << CELL_BITS | atY >>> SHIFT;
            occupied[cell >>> 6] |= 1L << cell;
        }

        /** Whether a point is near to minus this one; sometimes also where none is. */
        boolean hasNegative(int atX, int atY) {
            int cell = -atX >>> SHIFT << CELL_BITS | -atY >>> SHIFT;
            return (occupied[cell >>> 6] >>> cell & 1) != 0;
        }
    }

    private SparseMultiplier(int[] phases, int kept) {
        this.phases = phases;
        this.kept = kept;
        this.stride = phases.length / kept;
        this.near = new Plane(phases, stride, kept, 0, 1);
        this.far = new Plane(phases, stride, kept, 2 % stride, 3 % stride);
    }

    /**
     * Whether a multiplier is found.
     *
     * @param phases of A, N of them
     * @param kept   L
     * @param coins  which sums of four are tried; not known to the sender
     */
    static boolean exists(int[] phases, int kept, RandomGenerator coins) {
        return new SparseMultiplier(phases, kept).search(coins);
    }

    private boolean search(RandomGenerator coins) {
        int last = kept - 1;
        int points = 2 * kept;
        if (completes(near.x[last], near.y[last], NONE, NONE)) {
            return true;
        }
        for (int i = 0; i < points; i++) {
            if (i != last + kept && completes(near.x[last] + near.x[i], near.y[last] + near.y[i], i, NONE)) {
                return true;
            }
        }
        int[] others = new int[OTHERS];
        for (int k = 0; k < OTHERS; k++) {
            others[k] = notOpposite(last, coins);
        }
        for (int trial = 0; trial < TRIALS; trial++) {
            int i = notOpposite(last, coins);
            int opposite = (i + kept) % points;
            int x = near.x[last] + near.x[i];
            int y = near.y[last] + near.y[i];
            for (int j : others) {
                if (j != opposite && completes(x + near.x[j], y + near.y[j], i, j)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** A random point that does not cancel the last one: what is left would say nothing. */
    private int notOpposite(int last, RandomGenerator coins) {
        int s = coins.nextInt(2 * kept - 1);
        return s < last + kept ? s : s + 1;
    }

    /** Whether some point brings the sum of the last one, i and j, which is (x, y) in the near plane, near to 0 everywhere. */
    private boolean completes(int x, int y, int i, int j) {
        return near.hasNegative(x, y) && completesFar(i, j) && search(x, y, i, j);
    }

    private boolean completesFar(int i, int j) {
        int last = kept - 1;
        return far.hasNegative(
                far.x[last] + (i < 0 ? 0 : far.x[i]) + (j < 0 ? 0 : far.x[j]),
                far.y[last] + (i < 0 ? 0 : far.y[i]) + (j < 0 ? 0 : far.y[j]));
    }

    private boolean search(int x, int y, int i, int j) {
        for (int k = 0; k < near.x.length; k++) {
            if (Math.abs(x + near.x[k]) <= 2 * HALF_CELL
                    && Math.abs(y + near.y[k]) <= 2 * HALF_CELL
                    && isNearZero(i, j, k)
                    && isConfirmed(i, j, k)) {
                return true;
            }
        }
        return false;
    }

    private boolean isNearZero(int i, int j, int k) {
        for (int r = 0; r < stride; r++) {
            int sum = coordinate(kept - 1, r) + coordinate(i, r) + coordinate(j, r) + coordinate(k, r);
            if (Math.abs((long) sum) > 2 * HALF_CELL) {
                return false;
            }
        }
        return true;
    }

    private int coordinate(int s, int r) {
        if (s < 0) {
            return 0;
        }
        return s < kept ? phases[stride * s + r] : -phases[stride * (s - kept) + r];
    }

    /** Whether the multiplier that the last point, i, j and k stand for is not 0 and makes A concentrated. */
    private boolean isConfirmed(int i, int j, int k) {
        int[] multiplier = new int[kept];
        multiplier[kept - 1] = 1;
        for (int s : new int[] {i, j, k}) {
            if (s >= 0) {
                multiplier[s % kept] += s < kept ? 1 : -1;
            }
        }
        int[] product = new int[phases.length];
        boolean zero = true;
        for (int power = 0; power < kept; power++) {
            if (multiplier[power] != 0) {
                zero = false;
                // the term that is p_power at the last power is y^(L-1-power) times A
                addShifted(product, (kept - 1 - power) * stride, multiplier[power]);
            }
        }
        return !zero && MaskCheck.isConcentrated(product);
    }

    private void addShifted(int[] product, int shift, int factor) {
        int n = phases.length;
        for (int at = 0; at < n; at++) {
            int source = at - shift;
            product[at] += source < 0 ? -factor * phases[source + n] : factor * phases[source];
        }
    }
}
