package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.ring.CoefficientPacking;
import java.util.Arrays;

/**
 * The payload of an {@code ntru-peks} index block, as it travels:
 *
 * <pre>
 *   version = 3 | parameter set | slots - 1 | records - 1 | cells/16     1 byte each
 *   A                                                                    N coefficients, packed
 *   binding                                                              32 bytes
 *   slots and cells                                                      {@link SlotTable}
 * </pre>
 *
 * There are 1 or a multiple of 16 slots, at most 256, and at most two cells a slot. Version 2, which was sealed until
 * 2026-11, has no binding and an A that its sender could choose.
 */
final class BlockPayload {
    static final int VERSION = 3;
    /** The version whose A is not shifted. */
    static final int UNSHIFTED_VERSION = 2;

    static final int MAX_SLOTS = 256;
    static final int SLOT_MULTIPLE = 16;
    static final int BINDING_BYTES = 32;
    private static final int HEADER_BYTES = 5;

    private final NtruParameters parameters;
    private final SlotTable table;
    private final int[] a;
    private final byte[] bytes;

    private BlockPayload(NtruParameters parameters, PostingForm form, int cells, int[] a, byte[] bytes) {
        this.parameters = parameters;
        this.table = new SlotTable(bytes, tableAt(parameters, bytes[0]), parameters.kept(), form, cells);
        this.a = a;
        this.bytes = bytes;
    }

    /**
     * A payload whose binding, slots and cells are still empty: to be filled through {@link #bind} and {@link #table}.
     */
    static BlockPayload create(int version, NtruParameters parameters, PostingForm form, int cells, int[] a) {
        byte[] bytes = new byte[size(version, parameters, form, cells)];
        bytes[0] = (byte) version;
        bytes[1] = (byte) parameters.code();
        bytes[2] = (byte) (form.slots() - 1);
        bytes[3] = (byte) (form.records() - 1);
        bytes[4] = (byte) (cells / PostingForm.CELL_MULTIPLE);
        putMask(parameters, bytes, a);
        return new BlockPayload(parameters, form, cells, a, bytes);
    }

    private static void putMask(NtruParameters parameters, byte[] bytes, int[] a) {
        Arrays.fill(bytes, HEADER_BYTES, publicPart(parameters), (byte) 0);
        CoefficientPacking.pack(a, parameters.ring().modulus().bits(), bytes, HEADER_BYTES);
    }

    /** Writes A, which was A0 before, and the binding that it was shifted by. */
    void bind(int[] shifted, byte[] binding) {
        System.arraycopy(shifted, 0, a, 0, a.length);
        putMask(parameters, bytes, a);
        System.arraycopy(binding, 0, bytes, publicPart(parameters), BINDING_BYTES);
    }

    /** The header and A0 in place of A: what the binding is a hash of. */
    byte[] publicPartWith(int[] a0) {
        byte[] part = Arrays.copyOf(bytes, publicPart(parameters));
        putMask(parameters, part, a0);
        return part;
    }

    /** The binding that came with A; not there in {@link #UNSHIFTED_VERSION}. */
    byte[] binding() {
        if (bytes[0] == UNSHIFTED_VERSION) {
            throw new IllegalStateException("a payload of version " + UNSHIFTED_VERSION + " has no binding");
        }
        int at = publicPart(parameters);
        return Arrays.copyOfRange(bytes, at, at + BINDING_BYTES);
    }

    /** {@link #VERSION} or {@link #UNSHIFTED_VERSION}. */
    int version() {
        return bytes[0];
    }

    /**
     * Takes over the array. Refuses everything that is not canonical; sizes are compared before anything is allocated.
     */
    static BlockPayload decode(byte[] bytes) throws MalformedEncodingException {
        ByteReader in = new ByteReader("ntru-peks", bytes);
        int version = in.uint8("version");
        if (version != VERSION && version != UNSHIFTED_VERSION) {
            throw new MalformedEncodingException("ntru-peks.version", "must be " + VERSION);
        }
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
        int size = size(version, parameters, form, cells);
        if (bytes.length != size) {
            throw new MalformedEncodingException("ntru-peks", "must have " + size + " bytes, has " + bytes.length);
        }
        int[] a = new int[parameters.n()];
        int width = parameters.ring().modulus().bits();
        CoefficientPacking.unpack(bytes, HEADER_BYTES, width, a, parameters.q(), "ntru-peks.a");
        return new BlockPayload(parameters, form, cells, a, bytes);
    }

    /** Slots of {@code keywords} keywords: padded, so that the size tells little. */
    static int paddedSlots(int keywords) {
        return (keywords + SLOT_MULTIPLE - 1) / SLOT_MULTIPLE * SLOT_MULTIPLE;
    }

    private static int maxSlots(NtruParameters parameters) {
        return paddedSlots(parameters.maxKeywords());
    }

    private static int size(int version, NtruParameters parameters, PostingForm form, int cells) {
        return tableAt(parameters, version) + SlotTable.size(parameters.kept(), form, cells);
    }

    /** Bytes up to and with A. */
    static int publicPart(NtruParameters parameters) {
        return HEADER_BYTES
                + CoefficientPacking.bytes(
                        parameters.n(), parameters.ring().modulus().bits());
    }

    /** Place of the first byte of the slots in a payload of this version. */
    static int tableAt(NtruParameters parameters, int version) {
        return publicPart(parameters) + (version == VERSION ? BINDING_BYTES : 0);
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
