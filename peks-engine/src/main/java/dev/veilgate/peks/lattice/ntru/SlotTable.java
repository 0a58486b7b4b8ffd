package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.peks.RecordSet;
import java.util.Arrays;

/**
 * The slots of an index block: a view of the bytes behind A in the payload, which are also the end of the stored cold value.
 *
 * <pre>
 *   b, row after row: bit of slot i in row j at j·slots + i      L·slots bits, least significant first
 *   tags                                                         16 bytes a slot
 *   posting lists, encrypted                                     ceil(records/8) bytes a slot; none for one record
 * </pre>
 */
final class SlotTable {
    private final byte[] bytes;
    private final int at;
    private final int rows;
    private final int slots;
    private final int records;

    /** A view of {@code bytes} from {@code at}. */
    SlotTable(byte[] bytes, int at, int rows, int slots, int records) {
        this.bytes = bytes;
        this.at = at;
        this.rows = rows;
        this.slots = slots;
        this.records = records;
    }

    static int size(int rows, int slots, int records) {
        return rows * slots / 8 + slots * (SlotHash.TAG_BYTES + postingBytes(records));
    }

    /** Bytes of one posting list: none where there is one record only. */
    static int postingBytes(int records) {
        return records == 1 ? 0 : (records + 7) / 8;
    }

    int slots() {
        return slots;
    }

    int records() {
        return records;
    }

    /** Bit of a slot in a row. */
    int bit(int row, int slot) {
        int index = row * slots + slot;
        return bytes[at + (index >> 3)] >> (index & 7) & 1;
    }

    /** Copies a row's bits, slot i to bit i, to bytes that are zero. */
    void copyRow(int row, byte[] to, int toAt) {
        if (slots == 1) {
            to[toAt] = (byte) bit(row, 0);
        } else {
            System.arraycopy(bytes, at + row * slots / 8, to, toAt, slots / 8); // whole bytes: a multiple of 16 slots
        }
    }

    /** The slot's bits b_i as bytes, least significant first. */
    byte[] column(int slot) {
        byte[] out = new byte[rows / 8];
        for (int row = 0; row < rows; row++) {
            out[row >> 3] |= (byte) (bit(row, slot) << (row & 7));
        }
        return out;
    }

    byte[] tag(int slot) {
        int from = tagsAt() + slot * SlotHash.TAG_BYTES;
        return Arrays.copyOfRange(bytes, from, from + SlotHash.TAG_BYTES);
    }

    byte[] postings(int slot) {
        int length = postingBytes(records);
        int from = postingsAt() + slot * length;
        return Arrays.copyOfRange(bytes, from, from + length);
    }

    /** Writes a slot into zeros: its bits, tag and encrypted posting list. */
    void putSlot(int slot, byte[] column, byte[] tag, byte[] postings) {
        for (int row = 0; row < rows; row++) {
            int index = row * slots + slot;
            int bit = column[row >> 3] >> (row & 7) & 1;
            bytes[at + (index >> 3)] |= (byte) (bit << (index & 7));
        }
        System.arraycopy(tag, 0, bytes, tagsAt() + slot * SlotHash.TAG_BYTES, SlotHash.TAG_BYTES);
        System.arraycopy(postings, 0, bytes, postingsAt() + slot * postings.length, postings.length);
    }

    /** The records of an opened posting list; the one record where there is no list. */
    RecordSet recordsOf(byte[] bitmap) {
        return records == 1 ? RecordSet.of(0) : RecordSet.fromBitmap(bitmap, records);
    }

    private int tagsAt() {
        return at + rows * slots / 8;
    }

    private int postingsAt() {
        return tagsAt() + slots * SlotHash.TAG_BYTES;
    }
}
