package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.ring.CoefficientPacking;
import dev.veilgate.peks.RecordSet;
import java.util.Arrays;

/**
 * The payload of an {@code ntru-peks} index block, as it travels:
 *
 * <pre>
 *   version = 1 | parameter set | slots - 1 | records - 1        1 byte each
 *   A                                                            N coefficients, packed
 *   b, row after row: bit of slot i in row j at j·slots + i      L·slots bits, least significant first
 *   tags                                                         16 bytes a slot
 *   posting lists, encrypted                                     ceil(records/8) bytes a slot; none for one record
 * </pre>
 *
 * There are 1 or a multiple of 16 slots, at most 256.
 */
final class BlockPayload {
    static final int VERSION = 1;
    static final int MAX_SLOTS = 256;
    static final int SLOT_MULTIPLE = 16;
    private static final int HEADER_BYTES = 4;

    private final NtruParameters parameters;
    private final int slots;
    private final int records;
    private final int[] a;
    private final byte[] bytes;

    private BlockPayload(NtruParameters parameters, int slots, int records, int[] a, byte[] bytes) {
        this.parameters = parameters;
        this.slots = slots;
        this.records = records;
        this.a = a;
        this.bytes = bytes;
    }

    /** A payload whose slots are still empty: to be filled by {@link #putSlot}. */
    static BlockPayload create(NtruParameters parameters, int slots, int records, int[] a) {
        byte[] bytes = new byte[size(parameters, slots, records)];
        bytes[0] = VERSION;
        bytes[1] = (byte) parameters.code();
        bytes[2] = (byte) (slots - 1);
        bytes[3] = (byte) (records - 1);
        CoefficientPacking.pack(a, parameters.ring().modulus().bits(), bytes, HEADER_BYTES);
        return new BlockPayload(parameters, slots, records, a, bytes);
    }

    /** Refuses everything that is not canonical; sizes are compared before anything is allocated. */
    static BlockPayload decode(byte[] bytes) throws MalformedEncodingException {
        ByteReader in = new ByteReader("ntru-peks", bytes);
        in.expect("version", VERSION);
        NtruParameters parameters = NtruParameters.byCode(in.uint8("parameters"));
        int slots = in.uint8("slots") + 1;
        int records = in.uint8("records") + 1;
        if (slots != 1 && slots % SLOT_MULTIPLE != 0) {
            throw new MalformedEncodingException("ntru-peks.slots", "must be 1 or a multiple of " + SLOT_MULTIPLE);
        }
        if (slots > maxSlots(parameters)) {
            throw new MalformedEncodingException("ntru-peks.slots", "must be at most " + maxSlots(parameters));
        }
        if (bytes.length != size(parameters, slots, records)) {
            throw new MalformedEncodingException(
                    "ntru-peks", "must have " + size(parameters, slots, records) + " bytes, has " + bytes.length);
        }
        int[] a = new int[parameters.n()];
        int width = parameters.ring().modulus().bits();
        CoefficientPacking.unpack(bytes, HEADER_BYTES, width, a, parameters.q(), "ntru-peks.a");
        return new BlockPayload(parameters, slots, records, a, bytes.clone());
    }

    /** Slots of {@code keywords} keywords: padded, so that the size tells little. */
    static int paddedSlots(int keywords) {
        return (keywords + SLOT_MULTIPLE - 1) / SLOT_MULTIPLE * SLOT_MULTIPLE;
    }

    private static int maxSlots(NtruParameters parameters) {
        return paddedSlots(parameters.maxKeywords());
    }

    static int size(NtruParameters parameters, int slots, int records) {
        return publicPart(parameters)
                + parameters.kept() * slots / 8
                + slots * (SlotHash.TAG_BYTES + postingBytes(records));
    }

    /** Bytes up to and with A. */
    static int publicPart(NtruParameters parameters) {
        return HEADER_BYTES
                + CoefficientPacking.bytes(
                        parameters.n(), parameters.ring().modulus().bits());
    }

    /** Bytes of one posting list: none where there is one record only. */
    static int postingBytes(int records) {
        return records == 1 ? 0 : (records + 7) / 8;
    }

    NtruParameters parameters() {
        return parameters;
    }

    int slots() {
        return slots;
    }

    int records() {
        return records;
    }

    /** A in [0, q); the array itself. */
    int[] a() {
        return a;
    }

    /** The whole payload; the array itself. */
    byte[] bytes() {
        return bytes;
    }

    /** Bit of a slot in a row. */
    int bit(int row, int slot) {
        int index = row * slots + slot;
        return bytes[publicPart(parameters) + (index >> 3)] >> (index & 7) & 1;
    }

    /** The slot's bits b_i as bytes, least significant first. */
    byte[] column(int slot) {
        byte[] out = new byte[parameters.kept() / 8];
        for (int row = 0; row < parameters.kept(); row++) {
            out[row >> 3] |= (byte) (bit(row, slot) << (row & 7));
        }
        return out;
    }

    byte[] tag(int slot) {
        int at = tagsAt() + slot * SlotHash.TAG_BYTES;
        return Arrays.copyOfRange(bytes, at, at + SlotHash.TAG_BYTES);
    }

    byte[] postings(int slot) {
        int length = postingBytes(records);
        int at = postingsAt() + slot * length;
        return Arrays.copyOfRange(bytes, at, at + length);
    }

    /** Writes a slot: its bits, tag and encrypted posting list. */
    void putSlot(int slot, byte[] column, byte[] tag, byte[] postings) {
        for (int row = 0; row < parameters.kept(); row++) {
            int index = row * slots + slot;
            int bit = column[row >> 3] >> (row & 7) & 1;
            bytes[publicPart(parameters) + (index >> 3)] |= (byte) (bit << (index & 7));
        }
        System.arraycopy(tag, 0, bytes, tagsAt() + slot * SlotHash.TAG_BYTES, SlotHash.TAG_BYTES);
        System.arraycopy(postings, 0, bytes, postingsAt() + slot * postings.length, postings.length);
    }

    /** The records of an opened posting list; the one record where there is no list. */
    RecordSet recordsOf(byte[] bitmap) {
        return records == 1 ? RecordSet.of(0) : RecordSet.fromBitmap(bitmap, records);
    }

    private int tagsAt() {
        return publicPart(parameters) + parameters.kept() * slots / 8;
    }

    private int postingsAt() {
        return tagsAt() + slots * SlotHash.TAG_BYTES;
    }
}
