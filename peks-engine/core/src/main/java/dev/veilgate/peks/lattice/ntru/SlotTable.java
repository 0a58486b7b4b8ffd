package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.peks.RecordSet;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * The slots of an index block: a view of the bytes behind A in the payload, which are also the end of the stored cold value.
 *
 * <pre>
 *   b, row after row: bit of slot i in row j at j·slots + i      L·slots bits, least significant first
 *   tags                                                         13 bytes a slot
 *   fields, encrypted                                            {@link PostingForm#fieldBytes} a slot
 *   cells, encrypted                                             {@link PostingForm#cellBytes} a cell
 * </pre>
 */
final class SlotTable {
    private final byte[] bytes;
    private final int at;
    private final int rows;
    private final PostingForm form;
    private final int cells;

    /** A view of {@code bytes} from {@code at}. */
    SlotTable(byte[] bytes, int at, int rows, PostingForm form, int cells) {
        this.bytes = bytes;
        this.at = at;
        this.rows = rows;
        this.form = form;
        this.cells = cells;
    }

    static int size(int rows, PostingForm form, int cells) {
        int slots = form.slots();
        return rows * slots / 8 + slots * (SlotHash.TAG_BYTES + form.fieldBytes()) + cells * form.cellBytes();
    }

    int slots() {
        return form.slots();
    }

    PostingForm form() {
        return form;
    }

    int cells() {
        return cells;
    }

    /** Bit of a slot in a row. */
    int bit(int row, int slot) {
        int index = row * form.slots() + slot;
        return bytes[at + (index >> 3)] >> (index & 7) & 1;
    }

    /** Copies a row's bits, slot i to bit i, to bytes that are zero. */
    void copyRow(int row, byte[] to, int toAt) {
        int slots = form.slots();
        if (slots == 1) {
            to[toAt] = (byte) bit(row, 0);
        } else {
            System.arraycopy(bytes, at + row * slots / 8, to, toAt, slots / 8); // whole bytes: a multiple of 16 slots
        }
    }

    /**
     * Writes the bits of slots {@code first} to {@code first + 31}, as far as they exist, into zeros.
     *
     * @param words bits of row {@code row} + i: bit k is slot {@code first} + k
     */
    void putBits(int row, int first, int[] words) {
        int slots = form.slots();
        for (int i = 0; i < words.length; i++) {
            int index = (row + i) * slots + first;
            if (slots == 1) {
                bytes[at + (index >> 3)] |= (byte) ((words[i] & 1) << (index & 7));
                continue;
            }
            for (int k = 0; k < Math.min(4, (slots - first) / 8); k++) {
                bytes[at + index / 8 + k] = (byte) (words[i] >> 8 * k);
            }
        }
    }

    /** The slot's bits b_i as bytes, least significant first. */
    byte[] column(int slot) {
        byte[] out = new byte[rows / 8];
        int slots = form.slots();
        int index = slot; // of the row's bit; not by bit(): this is what a hit waits for
        for (int i = 0; i < out.length; i++) {
            int eight = 0;
            for (int row = 0; row < 8; row++, index += slots) {
                eight |= (bytes[at + (index >> 3)] >> (index & 7) & 1) << row;
            }
            out[i] = (byte) eight;
        }
        return out;
    }

    /** All rows, each in whole words of 64 slots: bit i of word k is slot 64·k + i. */
    long[] rowWords() {
        int words = HotBlock.words(form.slots());
        byte[] row = new byte[8 * words];
        long[] out = new long[rows * words];
        for (int j = 0; j < rows; j++) {
            copyRow(j, row, 0);
            for (int word = 0; word < words; word++) {
                out[j * words + word] = (long) HotBlock.LONG.get(row, 8 * word);
            }
        }
        return out;
    }

    /**
     * The records of a slot; empty if its tag is not that of this key.
     *
     * @param column {@link #column} of the slot
     * @param hash   of the block
     */
    RecordSet open(int slot, byte[] column, byte[] slotKey, SlotHash hash) {
        byte[] field = field(slot);
        byte[] opened = field.clone();
        hash.cryptField(slotKey, opened);
        byte[] content = cells(form.references(opened, cells));
        if (!MessageDigest.isEqual(tag(slot), hash.tag(slotKey, column, field, content))) {
            return RecordSet.of();
        }
        hash.cryptCells(slotKey, content);
        return form.recordsOf(opened, content);
    }

    byte[] tag(int slot) {
        int from = tagsAt() + slot * SlotHash.TAG_BYTES;
        return Arrays.copyOfRange(bytes, from, from + SlotHash.TAG_BYTES);
    }

    /** The slot's field, encrypted. */
    byte[] field(int slot) {
        int length = form.fieldBytes();
        int from = fieldsAt() + slot * length;
        return Arrays.copyOfRange(bytes, from, from + length);
    }

    /** Cells, encrypted, one behind the other. */
    byte[] cells(int[] places) {
        int length = form.cellBytes();
        byte[] out = new byte[places.length * length];
        for (int i = 0; i < places.length; i++) {
            System.arraycopy(bytes, cellsAt() + places[i] * length, out, i * length, length);
        }
        return out;
    }

    /** Writes a slot's tag and encrypted field. */
    void putSlot(int slot, byte[] tag, byte[] field) {
        System.arraycopy(tag, 0, bytes, tagsAt() + slot * SlotHash.TAG_BYTES, SlotHash.TAG_BYTES);
        System.arraycopy(field, 0, bytes, fieldsAt() + slot * field.length, field.length);
    }

    /** Writes encrypted cells. */
    void putCells(int[] places, byte[] content) {
        int length = form.cellBytes();
        for (int i = 0; i < places.length; i++) {
            System.arraycopy(content, i * length, bytes, cellsAt() + places[i] * length, length);
        }
    }

    private int tagsAt() {
        return at + rows * form.slots() / 8;
    }

    private int fieldsAt() {
        return tagsAt() + form.slots() * SlotHash.TAG_BYTES;
    }

    private int cellsAt() {
        return fieldsAt() + form.slots() * form.fieldBytes();
    }
}
