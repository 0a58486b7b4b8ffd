package dev.veilgate.peks;

import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;

/** A set of record ordinals of one message: 0 to 255. Immutable. */
public final class RecordSet {
    /** Most records of a message. */
    public static final int MAX_RECORDS = 256;

    private final BitSet bits;

    private RecordSet(BitSet bits) {
        this.bits = bits;
    }

    /** @throws IllegalArgumentException for an ordinal below 0 or above 255 */
    public static RecordSet of(int... ordinals) {
        BitSet bits = new BitSet(MAX_RECORDS);
        for (int ordinal : ordinals) {
            if (ordinal < 0 || ordinal >= MAX_RECORDS) {
                throw new IllegalArgumentException("record ordinals are 0 to " + (MAX_RECORDS - 1));
            }
            bits.set(ordinal);
        }
        return new RecordSet(bits);
    }

    /** The set of a bitmap, least significant bit first; bits from {@code recordCount} on are ignored. */
    public static RecordSet fromBitmap(byte[] bitmap, int recordCount) {
        BitSet bits = BitSet.valueOf(bitmap);
        bits.clear(recordCount, Math.max(recordCount, bits.length()));
        return new RecordSet(bits);
    }

    /** The bitmap of the ordinals below {@code recordCount}, in ceil(recordCount/8) bytes. */
    public byte[] toBitmap(int recordCount) {
        return Arrays.copyOf(bits.get(0, recordCount).toByteArray(), (recordCount + 7) / 8);
    }

    /** The union with another set. */
    public RecordSet union(RecordSet other) {
        BitSet union = (BitSet) bits.clone();
        union.or(other.bits);
        return new RecordSet(union);
    }

    /** What is in both sets. */
    public RecordSet intersection(RecordSet other) {
        BitSet both = (BitSet) bits.clone();
        both.and(other.bits);
        return new RecordSet(both);
    }

    /** What is not in another set. */
    public RecordSet without(RecordSet other) {
        BitSet rest = (BitSet) bits.clone();
        rest.andNot(other.bits);
        return new RecordSet(rest);
    }

    /** The ordinals below a bound. */
    public RecordSet below(int bound) {
        return bits.length() <= bound ? this : new RecordSet(bits.get(0, bound));
    }

    /** Whether the ordinal is in the set. */
    public boolean contains(int ordinal) {
        return ordinal >= 0 && bits.get(ordinal);
    }

    /** Whether the set is empty. */
    public boolean isEmpty() {
        return bits.isEmpty();
    }

    /** How many ordinals there are. */
    public int size() {
        return bits.cardinality();
    }

    /** The smallest ordinal that is {@code from} or more, or -1. */
    public int next(int from) {
        return bits.nextSetBit(from);
    }

    /** The largest ordinal, or -1. */
    public int last() {
        return bits.length() - 1;
    }

    /** The ordinals, ascending. */
    public IntStream ordinals() {
        return bits.stream();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RecordSet that && bits.equals(that.bits);
    }

    @Override
    public int hashCode() {
        return bits.hashCode();
    }

    @Override
    public String toString() {
        return bits.toString();
    }
}
