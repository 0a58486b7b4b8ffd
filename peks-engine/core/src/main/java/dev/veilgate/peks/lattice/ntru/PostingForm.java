package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.peks.RecordSet;

/**
 * How the slots of a block say where their keywords occur, before it is encrypted (specification, section 3): a field in each slot
 * and, where messages are large, cells that slots refer to.
 *
 * <pre>
 *   1 record                       no field: what matches, matches that record
 *   up to 64 records, or one slot  field: bitmap, ceil(records/8) bytes
 *   more                           field of 4 bytes x0 x1 x2 x3; cells of H = ceil(records/16) bytes
 *     1 to 4 records     field: the ordinals, ascending, the last one repeated
 *     5 to H             field refers to one cell: the ordinals, ascending, the last one repeated
 *     above H            field refers to two cells, in order: a bitmap in 2·H bytes
 *     reference (i, j)   x0 = 1 + floor(i/256) + 2·floor(j/256), x1 = 0, x2 = i mod 256, x3 = j mod 256; i = j for one cell
 * </pre>
 *
 * <p>A list has x0 at most x1 and a reference has not, so that they never look alike. Each set of records has one form; what
 * decodes to another form, or names a record that is not there, is no set. Most keywords of a log occur in one record or two, so
 * that the list saves most of a bitmap and the cells are few.
 *
 * @param slots   of the block
 * @param records of the message
 */
record PostingForm(int slots, int records) {
    /** The number of cells is padded with dummies to a multiple of this. */
    static final int CELL_MULTIPLE = 16;

    /** Most bytes of a field, and of the cells of a slot. */
    static final int MAX_BYTES = RecordSet.MAX_RECORDS / 8;

    /** Most records that always have a bitmap. */
    private static final int BITMAP_RECORDS = 64;

    private static final int LIST = 4;

    /** Whether fields are lists and references. */
    private boolean isCompact() {
        return slots > 1 && records > BITMAP_RECORDS;
    }

    /** Bytes of a slot's field. */
    int fieldBytes() {
        return isCompact() ? LIST : records == 1 ? 0 : (records + 7) / 8;
    }

    /** Bytes of a cell; 0 where there are none. */
    int cellBytes() {
        return isCompact() ? (records + 15) / 16 : 0;
    }

    /** Most cells that the block can have, padding included. */
    int maxCells() {
        return isCompact() ? padded(2 * slots) : 0;
    }

    /** A number of cells, padded. */
    static int padded(int cells) {
        return (cells + CELL_MULTIPLE - 1) / CELL_MULTIPLE * CELL_MULTIPLE;
    }

    /** Cells that a set of records takes: 0, 1 or 2. */
    int cells(RecordSet set) {
        int size = set.size();
        return !isCompact() || size <= LIST ? 0 : size <= cellBytes() ? 1 : 2;
    }

    /**
     * The field of a set of records.
     *
     * @param cells as many cells of the block as {@link #cells} says
     */
    byte[] field(RecordSet set, int... cells) {
        if (!isCompact()) {
            return records == 1 ? new byte[0] : set.toBitmap(records);
        }
        if (cells.length == 0) {
            return list(set, LIST);
        }
        int i = cells[0];
        int j = cells[cells.length - 1];
        return new byte[] {(byte) (1 + (i >> 8) + 2 * (j >> 8)), 0, (byte) i, (byte) j};
    }

    /** What the cells of a set of records hold, one behind the other; empty for a set without cells. */
    byte[] cellContent(RecordSet set) {
        return switch (cells(set)) {
            case 0 -> new byte[0];
            case 1 -> list(set, cellBytes());
            default -> set.toBitmap(16 * cellBytes());
        };
    }

    /** Ordinals, ascending, the last one repeated up to {@code length} bytes. */
    private static byte[] list(RecordSet set, int length) {
        byte[] out = new byte[length];
        int ordinal = -1;
        for (int i = 0; i < length; i++) {
            int next = set.next(ordinal + 1);
            ordinal = next < 0 ? ordinal : next;
            out[i] = (byte) ordinal;
        }
        return out;
    }

    /**
     * The cells that a field refers to.
     *
     * @param count cells of the block
     * @return none for a list, or for a reference to a cell that is not there
     */
    int[] references(byte[] field, int count) {
        if (!isCompact() || field[0] < 1 || field[0] > 4 || field[1] != 0) {
            return new int[0];
        }
        int i = (field[0] - 1 & 1) << 8 | field[2] & 0xff;
        int j = (field[0] - 1 >> 1) << 8 | field[3] & 0xff;
        if (i >= count || j >= count) {
            return new int[0];
        }
        return i == j ? new int[] {i} : new int[] {i, j};
    }

    /**
     * The records that a field and its cells name; empty where they are not the one form of a set.
     *
     * @param content what the cells of {@link #references} hold, one behind the other
     */
    RecordSet recordsOf(byte[] field, byte[] content) {
        if (records == 1) {
            return RecordSet.of(0);
        }
        if (!isCompact()) {
            return RecordSet.fromBitmap(field, records);
        }
        int h = cellBytes();
        if (content.length == 2 * h) {
            RecordSet set = RecordSet.fromBitmap(content, records);
            return set.size() > h && set.equals(RecordSet.fromBitmap(content, 16 * h)) ? set : RecordSet.of();
        }
        RecordSet set = ofList(content.length == 0 ? field : content);
        return content.length == 0 || set.size() > LIST ? set : RecordSet.of();
    }

    /** The records of a list; empty if it is not ascending, repeats another than the last one, or names one that is not there. */
    private RecordSet ofList(byte[] list) {
        int[] ordinals = new int[list.length];
        boolean repeated = false;
        for (int i = 0; i < list.length; i++) {
            ordinals[i] = list[i] & 0xff;
            boolean same = i > 0 && ordinals[i] == ordinals[i - 1];
            if (i > 0 && (ordinals[i] < ordinals[i - 1] || repeated && !same)) {
                return RecordSet.of();
            }
            repeated = same;
        }
        return ordinals[list.length - 1] < records ? RecordSet.of(ordinals) : RecordSet.of();
    }
}
