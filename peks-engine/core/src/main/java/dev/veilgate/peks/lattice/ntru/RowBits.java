package dev.veilgate.peks.lattice.ntru;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Bits that the phases of A·t_w, or r·H1(w) itself, imply for a slot, of all L rows in a few words: those that a right
 * keyword can have, and those of its slot key then. A slot's bits are read once and compared 64 at a time.
 *
 * <p>Row j is bit j mod 64 of word j/64.
 */
final class RowBits {
    private final long[] speaking;
    private final long[] implied;
    /** The slot key's bits where the slot's are 0. */
    private final long[] keyOfZero;
    /** The slot key's bits where the slot's are 1. */
    private final long[] keyOfOne;

    private RowBits(int words) {
        this.speaking = new long[words];
        this.implied = new long[words];
        this.keyOfZero = new long[words];
        this.keyOfOne = new long[words];
    }

    /** @param phases {@link KeptProduct#phases} */
    RowBits(TestKernel kernel, int[] phases) {
        this(phases.length / 64);
        for (int word = 0; word < speaking.length; word++) {
            long speaks = 0;
            long implies = 0;
            long ofZero = 0;
            long ofOne = 0;
            for (int i = 63; i >= 0; i--) {
                int phase = phases[64 * word + i];
                speaks = speaks << 1 | (kernel.speaks(phase) ? 1 : 0);
                implies = implies << 1 | TestKernel.impliedBit(phase);
                ofZero = ofZero << 1 | TestKernel.keyBit(phase, 0);
                ofOne = ofOne << 1 | TestKernel.keyBit(phase, 1);
            }
            speaking[word] = speaks;
            implied[word] = implies;
            keyOfZero[word] = ofZero;
            keyOfOne[word] = ofOne;
        }
    }

    /**
     * Bits of v = u + e2 for known u and any e2 within the flood bound. The quarters of u - bound and u + bound are
     * one, whose bit the slot has to have, or two neighbours, of which the slot's bit names one. Without a branch.
     *
     * @param u kept coefficients of r·H1(w), in [0, q)
     */
    static RowBits within(NtruParameters p, int[] u) {
        int q = p.q();
        int flood = p.floodBound();
        RowBits bits = new RowBits(u.length / 64);
        for (int row = 0; row < u.length; row++) {
            int below = u[row] - flood;
            int above = u[row] + flood - q;
            int first = quarter(below + (below >> 31 & q), q);
            int last = quarter(above + (above >> 31 & q), q);
            int change = first ^ last;
            long odd = first & 1;
            int even = first ^ change & -(first & 1); // the one whose bit is 0, if there are two
            int other = first ^ change & (first & 1) - 1;
            int word = row >> 6;
            bits.speaking[word] |= (change & 1L ^ 1) << row;
            bits.implied[word] |= odd << row;
            bits.keyOfZero[word] |= (even + 1L >> 1 & 1) << row;
            bits.keyOfOne[word] |= (other + 1L >> 1 & 1) << row;
        }
        return bits;
    }

    /** floor(4x/q). */
    private static int quarter(int x, int q) {
        int quarter1 = (int) (q / 4L);
        int half = (int) (2L * q / 4);
        int quarter3 = (int) (3L * q / 4);
        return (half - x >>> 31) + (quarter1 - x >>> 31) + (quarter3 - x >>> 31);
    }

    /**
     * The slots that no row contradicts, with the same work whatever they are.
     *
     * @param rows   {@link SlotTable#rowWords}
     * @param slots  of the block
     * @param allowed all ones, or 0 to find none
     */
    BitSet admitted(long[] rows, int slots, long allowed) {
        int words = HotBlock.words(slots);
        long[] alive = new long[words];
        for (int word = 0; word < words; word++) {
            long left = TestKernel.alive(slots, word) & allowed;
            for (int row = 0, at = word; at < rows.length; row++, at += words) {
                long speaks = -(speaking[row >> 6] >>> row & 1);
                long bit = -(implied[row >> 6] >>> row & 1);
                left &= ~((rows[at] ^ bit) & speaks);
            }
            alive[word] = left;
        }
        return BitSet.valueOf(alive);
    }

    /**
     * Whether no row that speaks contradicts a slot.
     *
     * @param column {@link SlotTable#column}
     */
    boolean admit(byte[] column) {
        long contradicting = 0;
        for (int word = 0; word < speaking.length; word++) {
            contradicting |= ((long) HotBlock.LONG.get(column, 8 * word) ^ implied[word]) & speaking[word];
        }
        return contradicting == 0;
    }

    /** The slot key of a right keyword, least significant bit first. */
    byte[] slotKey(byte[] column) {
        byte[] key = new byte[column.length];
        for (int word = 0; word < speaking.length; word++) {
            long bits = (long) HotBlock.LONG.get(column, 8 * word);
            HotBlock.LONG.set(key, 8 * word, bits & keyOfOne[word] | ~bits & keyOfZero[word]);
        }
        return key;
    }

    /** Erases the bits. */
    void erase() {
        Arrays.fill(speaking, 0);
        Arrays.fill(implied, 0);
        Arrays.fill(keyOfZero, 0);
        Arrays.fill(keyOfOne, 0);
    }

    @Override
    public String toString() {
        return "RowBits[hidden]";
    }
}
