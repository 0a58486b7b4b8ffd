package dev.veilgate.peks.lattice.ntru;

/**
 * Bits that the phases of A·t_w imply for a slot, of all L rows in a few words: those that a right keyword can have,
 * and those of its slot key then. A slot's bits are read once and compared 64 at a time.
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

    /** @param phases {@link KeptProduct#phases} */
    RowBits(TestKernel kernel, int[] phases) {
        int words = phases.length / 64;
        this.speaking = new long[words];
        this.implied = new long[words];
        this.keyOfZero = new long[words];
        this.keyOfOne = new long[words];
        for (int word = 0; word < words; word++) {
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

    @Override
    public String toString() {
        return "RowBits[hidden]";
    }
}
