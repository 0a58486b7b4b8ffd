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
 * <p>Noise in A that is well below a cell, 2^-8 turns of each coefficient, hides nothing: it moves A·t by hundreds of turns.
 */
final class SparseMultiplier {
    /** Points on each side of the pairs in the table: a pair is one of each. */
    private static final int TABLE_SIDE = 39;
    /** Points on each side of the pairs that are looked up. */
    private static final int SUM_SIDE = 32;
    /** Bits of a cell's number, from up to three coordinates. */
    private static final int KEY_BITS = 24;

    private static final int TABLE_BITS = 13;
    private static final int HASH_FACTOR = 0x9e3779b1;
    private static final int NONE = -1;

    private final int[] phases;
    private final int stride;
    private final int kept;
    private final int cellBits;
    /** Up to three coordinates of the signed points; those that are not there are 0. */
    private final int[] x;

    private final int[] y;
    private final int[] z;
    /** Key + 1 of what is there, or 0; and which points it is. */
    private final int[] keys = new int[1 << TABLE_BITS];

    private final int[] places = new int[1 << TABLE_BITS];

    private SparseMultiplier(int[] phases, int kept) {
        this.phases = phases;
        this.kept = kept;
        this.stride = phases.length / kept;
        this.cellBits = KEY_BITS / Math.min(stride, 3);
        this.x = new int[2 * kept];
        this.y = new int[2 * kept];
        this.z = new int[2 * kept];
        for (int j = 0; j < kept; j++) {
            x[j] = phases[stride * j];
            y[j] = phases[stride * j + 1];
            z[j] = stride < 3 ? 0 : phases[stride * j + 2];
            x[j + kept] = -x[j];
            y[j + kept] = -y[j];
            z[j + kept] = -z[j];
        }
    }

    /**
     * Whether a multiplier is found.
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
                put(x[i], y[i], z[i], i, NONE);
            }
        }
        int[] others = points(TABLE_SIDE, coins);
        for (int i : points(TABLE_SIDE, coins)) {
            for (int j : others) {
                put(x[i] + x[j], y[i] + y[j], z[i] + z[j], i, j);
            }
        }
        if (isFound(x[last], y[last], z[last], NONE, NONE)) {
            return true;
        }
        for (int i = 0; i < x.length; i++) {
            if (i != opposite && isFound(x[last] + x[i], y[last] + y[i], z[last] + z[i], i, NONE)) {
                return true;
            }
        }
        int[] added = points(SUM_SIDE, coins);
        for (int i : points(SUM_SIDE, coins)) {
            int sumX = x[last] + x[i];
            int sumY = y[last] + y[i];
            int sumZ = z[last] + z[i];
            for (int j : added) {
                if (isFound(sumX + x[j], sumY + y[j], sumZ + z[j], i, j)) {
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

    private void put(int sumX, int sumY, int sumZ, int i, int j) {
        int key = cell(-sumX, -sumY, -sumZ);
        int at = key * HASH_FACTOR >>> 32 - TABLE_BITS;
        keys[at] = key + 1;
        places[at] = i << 16 | j & 0xffff;
    }

    /** Whether the last point, i and j, whose sum this is, are completed by something in the table. */
    private boolean isFound(int sumX, int sumY, int sumZ, int i, int j) {
        int key = cell(sumX, sumY, sumZ);
        int at = key * HASH_FACTOR >>> 32 - TABLE_BITS;
        return keys[at] == key + 1 && isConfirmed(kept - 1, i, j, places[at] >> 16, (short) places[at]);
    }

    private int cell(int atX, int atY, int atZ) {
        int shift = 32 - cellBits;
        int key = atX >>> shift << cellBits | atY >>> shift;
        return stride < 3 ? key : key << cellBits | atZ >>> shift;
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
        return !isZero && MaskCheck.isConcentrated(product);
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
