package dev.veilgate.sse.segments;

/**
 * Lengths of documents in one byte, for ranking: exact up to 16, and eight classes an octave above.
 *
 * <pre>
 *   of(n) = n                                  for n below 16
 *         = 16 + 8 (e - 4) + m                 for n = (8 + m) 2^(e-3) + less than 2^(e-3), 0 &lt;= m &lt;= 7
 * </pre>
 */
public final class LengthClass {
    private static final int EXACT = 16;

    private LengthClass() {}

    /**
     * The class of a length, 0 to 231.
     *
     * @param length 0 or more; more than an int counts as the greatest int
     */
    public static int of(long length) {
        int n = (int) Math.min(Integer.MAX_VALUE, length);
        if (n < EXACT) {
            return n;
        }
        int e = 31 - Integer.numberOfLeadingZeros(n);
        return EXACT + 8 * (e - 4) + (n >>> e - 3 & 7);
    }

    /** The least length of a class: at most an eighth below any other of it. */
    public static int least(int lengthClass) {
        if (lengthClass < EXACT) {
            return lengthClass;
        }
        int e = 4 + (lengthClass - EXACT) / 8;
        return 8 + (lengthClass - EXACT) % 8 << e - 3;
    }
}
