package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.ring.CoefficientPacking;

/**
 * The payload of an {@code ntru-peks} index block, as it travels:
 *
 * <pre>
 *   version = 2 | parameter set | slots - 1 | records - 1 | cells/16     1 byte each
 *   A                                                                    N coefficients, packed
 *   slots and cells                                                      {@link SlotTable}
 * </pre>
 *
 * There are 1 or a multiple of 16 slots, at most 256, and at most two cells a slot.
 */
final class BlockPayload {
    static final int VERSION = 2;
    static final int MAX_SLOTS = 256;
    static final int SLOT_MULTIPLE = 16;
    private static final int HEADER_BYTES = 5;

    private final NtruParameters parameters;
    private final SlotTable table;
    private final int[] a;
    private final byte[] bytes;

    private BlockPayload(NtruParameters parameters, PostingForm form, int cells, int[] a, byte[] bytes) {
        this.parameters = parameters;
        this.table = new SlotTable(bytes, publicPart(parameters), parameters.kept(), form, cells);
        this.a = a;
        this.bytes = bytes;
    }

    /** A payload whose slots and cells are still empty: to be filled through {@link #table}. */
    static BlockPayload create(NtruParameters parameters, PostingForm form, int cells, int[] a) {
        byte[] bytes = new byte[size(parameters, form, cells)];
        bytes[0] = VERSION;
        bytes[1] = (byte) parameters.code();
        bytes[2] = (byte) (form.slots() - 1);
        bytes[3] = (byte) (form.records() - 1);
        bytes[4] = (byte) (cells / PostingForm.CELL_MULTIPLE);
        CoefficientPacking.pack(a, parameters.ring().modulus().bits(), bytes, HEADER_BYTES);
        return new BlockPayload(parameters, form, cells, a, bytes);
    }

    /** Refuses everything that is not canonical; sizes are compared before anything is allocated. */
    static BlockPayload decode(byte[] bytes) throws MalformedEncodingException {
        ByteReader in = new ByteReader("ntru-peks", bytes);
        in.expect("version", VERSION);
        NtruParameters parameters = NtruParameters.byCode(in.uint8("parameters"));
        PostingForm form = new PostingForm(in.uint8("slots") + 1, in.uint8("records") + 1);
        int slots = form.slots();
        if (slots != 1 && slots % SLOT_MULTIPLE != 0) {
            throw new MalformedEncodingException("ntru-peks.slots", "must be 1 or a multiple of " + SLOT_MULTIPLE);
        }
        if (slots > maxSlots(parameters)) {
            throw new MalformedEncodingException("ntru-peks.slots", "must be at most " + maxSlots(parameters));
        }
        int cells = in.uint8("cells") * PostingForm.CELL_MULTIPLE;
        if (cells > form.maxCells()) {
            throw new MalformedEncodingException("ntru-peks.cells", "must be at most " + form.maxCells());
        }
        int size = size(parameters, form, cells);
        if (bytes.length != size) {
            throw new MalformedEncodingException("ntru-peks", "must have " + size + " bytes, has " + bytes.length);
        }
        int[] a = new int[parameters.n()];
        int width = parameters.ring().modulus().bits();
        CoefficientPacking.unpack(bytes, HEADER_BYTES, width, a, parameters.q(), "ntru-peks.a");
        return new BlockPayload(parameters, form, cells, a, bytes.clone());
    }

    /** Slots of {@code keywords} keywords: padded, so that the size tells little. */
    static int paddedSlots(int keywords) {
        return (keywords + SLOT_MULTIPLE - 1) / SLOT_MULTIPLE * SLOT_MULTIPLE;
    }

    private static int maxSlots(NtruParameters parameters) {
        return paddedSlots(parameters.maxKeywords());
    }

    private static int size(NtruParameters parameters, PostingForm form, int cells) {
        return publicPart(parameters) + SlotTable.size(parameters.kept(), form, cells);
    }

    /** Bytes up to and with A. */
    static int publicPart(NtruParameters parameters) {
        return HEADER_BYTES
                + CoefficientPacking.bytes(
                        parameters.n(), parameters.ring().modulus().bits());
    }

    NtruParameters parameters() {
        return parameters;
    }

    /** The slots; a view of {@link #bytes}. */
    SlotTable table() {
        return table;
    }

    /** A in [0, q); the array itself. */
    int[] a() {
        return a;
    }

    /** The whole payload; the array itself. */
    byte[] bytes() {
        return bytes;
    }
}
