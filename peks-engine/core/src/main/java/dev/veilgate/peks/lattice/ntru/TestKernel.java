package dev.veilgate.peks.lattice.ntru;

import java.util.BitSet;

/**
 * Test, the loop that a search spends its time in: whether a trapdoor may match a slot of a block, by early rejection
 * and without transforms (specification, section 5).
 *
 * <p>One coefficient of A·t_w is one inner product of A's phases with a window of the trapdoor:
 *
 * <pre>
 *   c_j = (A·t_w)_j = sum_i a_i·W[N-1-j + i],   W = (t_(N-1), ..., t_0, -t_(N-1), ..., -t_0)
 * </pre>
 *
 * For a right keyword v_j - c_j is below tau; so if c_j is farther than tau from every multiple of q/4, the slot's bit
 * must be floor(4·c_j/q) mod 2. For a wrong keyword that bit is a coin toss. Each such row halves the wrong slots of
 * all keywords at once, 64 of them in one instruction; rows with c_j near a multiple of q/4 say nothing.
 */
final class TestKernel {
    private static final int QUARTER_MASK = (1 << 30) - 1;

    private final int n;
    private final int stride;
    private final int hotRows;
    private final int rowsAt;
    /** A row speaks if its phase within the quarter is in [low, low + span). */
    private final int low;

    private final int span;

    TestKernel(NtruParameters p) {
        this.n = p.n();
        this.stride = p.stride();
        this.hotRows = p.hotRows();
        this.rowsAt = HotBlock.rowsAt(p);
        this.low = (int) Math.ceil(p.rowBound() * 0x1p32 / p.q());
        this.span = (1 << 30) - 2 * low;
    }

    /** W of a trapdoor. */
    static int[] window(int[] t) {
        int n = t.length;
        int[] window = new int[2 * n];
        for (int i = 0; i < n; i++) {
            window[n - 1 - i] = t[i];
            window[2 * n - 1 - i] = -t[i];
        }
        return window;
    }

    /** Whether the row says something about its bits. */
    boolean speaks(int phase) {
        return Integer.compareUnsigned((phase & QUARTER_MASK) - low, span) < 0;
    }

    /** The bit that a right keyword has in a row that {@link #speaks}. */
    static int impliedBit(int phase) {
        return phase >>> 30 & 1;
    }

    /**
     * The slot key's bit k from c_j and the slot's bit b: the quarter p of the circle that v lies in has p mod 2 = b
     * and is the nearest such to c_j; k = 1 for p = 1, 2.
     */
    static int keyBit(int phase, int b) {
        // b = 0: quarters 0 (k = 0) and 2 (k = 1), centres 1/8 and 5/8 turn; b = 1: quarters 3 (k = 0) and 1, at 7/8
        // and 3/8
        int half = 1 << 29;
        return b == 0 ? phase + half >>> 31 : 1 - (phase - half >>> 31);
    }

    /**
     * The narrow kernel: two rows at once, so that A is read once for both. Sums of products of 32-bit ints modulo
     * 2^32, which the JIT turns into vector instructions. Forms and figures: docs/adr/0001.
     *
     * @return the phases at {@code start} and at {@code start - stride}, in the lower and upper half
     */
    static long innerProducts(byte[] phases, int at, int[] window, int start, int stride, int n) {
        int first = 0;
        int second = 0;
        int startOfSecond = start - stride;
        for (int i = 0; i < n; i++) {
            int a = (int) HotBlock.INT.get(phases, at + 4 * i);
            first += a * window[start + i];
            second += a * window[startOfSecond + i];
        }
        return (long) second << 32 | first & 0xffff_ffffL;
    }

    /**
     * Whether some slot survives all hot rows.
     *
     * @param hot    a {@link HotBlock} of these parameters at index {@code at}
     * @param window {@link #window} of the trapdoor
     */
    boolean mayMatch(byte[] hot, int at, int[] window) {
        int slots = HotBlock.slots(hot, at);
        int words = HotBlock.words(slots);
        long alive0 = alive(slots, 0);
        long alive1 = alive(slots, 1);
        long alive2 = alive(slots, 2);
        long alive3 = alive(slots, 3);
        int rowAt = at + rowsAt;
        int start = n - 1;
        for (int row = 0; row < hotRows; row += 2, start -= 2 * stride, rowAt += 16 * words) {
            long phases = innerProducts(hot, at + HotBlock.PHASES_AT, window, start, stride, n);
            int phase = (int) phases;
            int nextPhase = (int) (phases >>> 32);
            int nextAt = rowAt + 8 * words;
            alive0 = narrowed(narrowed(alive0, hot, rowAt, phase), hot, nextAt, nextPhase);
            if (words > 1) {
                alive1 = narrowed(narrowed(alive1, hot, rowAt + 8, phase), hot, nextAt + 8, nextPhase);
                if (words > 2) {
                    alive2 = narrowed(narrowed(alive2, hot, rowAt + 16, phase), hot, nextAt + 16, nextPhase);
                    if (words > 3) {
                        alive3 = narrowed(narrowed(alive3, hot, rowAt + 24, phase), hot, nextAt + 24, nextPhase);
                    }
                }
            }
            if ((alive0 | alive1 | alive2 | alive3) == 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * The slots of 64 whose bit is the implied one, or all of them where the row does not speak. Without a branch:
     * whether a row speaks, and what it says, are coin tosses that no processor predicts.
     */
    private long narrowed(long alive, byte[] hot, int wordAt, int phase) {
        int place = (phase & QUARTER_MASK) - low;
        long silent = (place | span - 1 - place) >> 31; // all ones where place is outside [0, span)
        long flip = impliedBit(phase) - 1L; // 0 for an implied 1, all ones for an implied 0
        return alive & ((long) HotBlock.LONG.get(hot, wordAt) ^ flip | silent);
    }

    /**
     * The slots that no hot row contradicts.
     *
     * @param phases {@link KeptProduct#phases}
     */
    BitSet survivors(byte[] hot, int[] phases) {
        int slots = HotBlock.slots(hot, 0);
        int words = HotBlock.words(slots);
        long[] alive = new long[words];
        for (int word = 0; word < words; word++) {
            long left = alive(slots, word);
            for (int row = 0; row < hotRows; row++) {
                left = narrowed(left, hot, rowsAt + 8 * (row * words + word), phases[row]);
            }
            alive[word] = left;
        }
        return BitSet.valueOf(alive);
    }

    /** The slots 64·word to 64·word + 63 that exist. */
    static long alive(int slots, int word) {
        int left = slots - 64 * word;
        return left <= 0 ? 0 : -1L >>> Math.max(0, 64 - left);
    }
}
