package dev.veilgate.peks.lattice.ntru;

import java.util.random.RandomGenerator;

/**
 * Looks for a multiplier m = 1 ± y^a ± y^b ± y^c ± y^d, or a shorter one, with m·A near 0: then the kept coefficients of A·t obey, for every
 * short t, a relation that few points of their torus obey, and slots can be filled without a trapdoor (specification, section 4).
 *
 * <p>The parts of A (coefficients r mod S, S = N/L) are points of a torus of S dimensions, one for each power of y: p_j = (A_(S·j), ...,
 * A_(S·j+S-1)), and p_(j+L) = -p_j. A multiplier makes signed sums of such points vanish, at every power of y alike. So one power is looked
 * at, the last one: the negatives of all points and of random pairs of them, {@value #TABLE_SIDE} times as many points, are put into a table by the cell of the torus that
 * they lie in; the last point plus each other one, and plus each of random pairs, {@value #SUM_SIDE} times as many points, are looked up; what is found is confirmed on all of
 * A. So all sums of up to three points are tried, and some of those of four and five.
 *
 * <p>A family of A whose kept products A·t lie near P points of the torus has about 2^31.4/P vanishing sums of five points, so that it is found in a block with
 * probability about 1 - exp(-1,560,000/P). Sums of four would be too few: there are norms P just above 2^20 that have none.
 *
 * <p>Noise in A that is well below a cell, 2^-14 turns of each coefficient, hides nothing: it moves A·t by tens of turns. What is found in the table and
 * fails on all of A is rare in an honest one (0.012 in the mean); an A of which it happens more than {@value #MAX_FAILURES} times, such as one with equal parts or one
 * made to keep this search busy, is refused as well.
 */
final class SparseMultiplier {
    /** Points on each side of the pairs in the table: a pair is one of each. */
    private static final int TABLE_SIDE = 39;
    /** Points on each side of the pairs that are looked up. */
    private static final int SUM_SIDE = 32;
    /** Cells of a coordinate. */
    private static final int CELL_BITS = 14;

    private static final int TABLE_BITS = 13;
    private static final int HASH_FACTOR = 0x9e3779b1;
    private static final int NONE = -1;
    private static final int MAX_FAILURES = 32;

    private final int[] phases;
    private final int stride;
    private final int kept;
    /** The first two coordinates of the signed points. */
    private final int[] x;

    private final int[] y;
    /** Key + 1 of what is there, or 0; and which points it is. */
    private final int[] keys = new int[1 << TABLE_BITS];

    private final int[] places = new int[1 << TABLE_BITS];
    private int failures;

    private SparseMultiplier(int[] phases, int kept) {
        this.phases = phases;
        this.kept = kept;
        this.stride = phases.length / kept;
        this.x = new int[2 * kept];
        this.y = new int[2 * kept];
        for (int j = 0; j < kept; j++) {
            x[j] = phases[stride * j];
            y[j] = phases[stride * j + 1];
            x[j + kept] = -x[j];
            y[j + kept] = -y[j];
        }
    }

    /**
     * Whether a multiplier is found, or A keeps those from being told from others.
     *
     * @param phases of A, N of them
     * @param kept   L
     * @param coins  which sums are tried; not known to the sender
     */
    static boolean exists(int[] phases, int kept, RandomGenerator coins) {
        return new SparseMultiplier(phases, kept).search(coins);
    }

    private boolean search(RandomGenerator coins) {
        int last = kept - 1;
        int opposite = last + kept; // what cancels the last point leaves no multiplier
        for (int i = 0; i < x.length; i++) {
            if (i != opposite) {
                put(x[i], y[i], i, NONE);
            }
        }
        int[] others = points(TABLE_SIDE, coins);
        for (int i : points(TABLE_SIDE, coins)) {
            for (int j : others) {
                put(x[i] + x[j], y[i] + y[j], i, j);
            }
        }
        if (isFound(x[last], y[last], NONE, NONE)) {
            return true;
        }
        for (int i = 0; i < x.length; i++) {
            if (i != opposite && isFound(x[last] + x[i], y[last] + y[i], i, NONE)) {
                return true;
            }
        }
        int[] added = points(SUM_SIDE, coins);
        for (int i : points(SUM_SIDE, coins)) {
            int sumX = x[last] + x[i];
            int sumY = y[last] + y[i];
            for (int j : added) {
                if (isFound(sumX + x[j], sumY + y[j], i, j)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Random signed points, none the opposite of the last one. */
    private int[] points(int count, RandomGenerator coins) {
        int opposite = 2 * kept - 1;
        int[] points = new int[count];
        for (int k = 0; k < count; k++) {
            points[k] = coins.nextInt(opposite); // it is the last of all
        }
        return points;
    }

    private void put(int sumX, int sumY, int i, int j) {
        int key = cell(-sumX, -sumY);
        int at = key * HASH_FACTOR >>> 32 - TABLE_BITS;
        keys[at] = key + 1;
        places[at] = i << 16 | j & 0xffff;
    }

    /** Whether the last point, i and j, whose sum this is, are completed by something in the table, or too much of it has failed. */
    private boolean isFound(int sumX, int sumY, int i, int j) {
        int key = cell(sumX, sumY);
        int at = key * HASH_FACTOR >>> 32 - TABLE_BITS;
        return keys[at] == key + 1
                && (isConfirmed(kept - 1, i, j, places[at] >> 16, (short) places[at]) || failures > MAX_FAILURES);
    }

    private static int cell(int atX, int atY) {
        return atX >>> 32 - CELL_BITS << CELL_BITS | atY >>> 32 - CELL_BITS;
    }

    /** Whether the multiplier that these points stand for makes A concentrated. */
    private boolean isConfirmed(int... points) {
        int[] multiplier = new int[kept];
        for (int s : points) {
            if (s >= 0) {
                multiplier[s % kept] += s < kept ? 1 : -1;
            }
        }
        int[] product = new int[phases.length];
        boolean isZero = true;
        for (int power = 0; power < kept; power++) {
            if (multiplier[power] != 0) {
                isZero = false;
                // the term that is p_power at the last power is y^(L-1-power) times A
                addShifted(product, (kept - 1 - power) * stride, multiplier[power]);
            }
        }
        if (isZero) {
            return false;
        }
        boolean confirmed = MaskCheck.isConcentrated(product);
        failures += confirmed ? 0 : 1;
        return confirmed;
    }

    private void addShifted(int[] product, int shift, int factor) {
        int n = phases.length;
        for (int at = 0; at < shift; at++) {
            product[at] -= factor * phases[at - shift + n];
        }
        for (int at = shift; at < n; at++) {
            product[at] += factor * phases[at - shift];
        }
    }
}
