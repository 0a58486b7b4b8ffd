package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.StoredBlock;
import java.util.Arrays;

/**
 * The two values that a store keeps of a block: {@link HotBlock}, and a cold one of the binding, the number of cells in
 * sixteens and the slot table.
 */
final class StoredForm {
    private static final int BINDING_BYTES = BlockPayload.BINDING_BYTES;
    /** Of a cold value: the binding, and the number of cells in sixteens. The table follows. */
    private static final int COLD_HEADER_BYTES = BINDING_BYTES + 1;

    private StoredForm() {}

    /**
     * The stored form of a payload.
     *
     * @param binding of the block, which its tags and pads are bound to
     */
    static StoredBlock of(BlockPayload payload, byte[] binding) {
        int tableAt = BlockPayload.tableAt(payload.parameters(), payload.version());
        byte[] cold = new byte[COLD_HEADER_BYTES + payload.bytes().length - tableAt];
        System.arraycopy(binding, 0, cold, 0, BINDING_BYTES);
        cold[BINDING_BYTES] = (byte) (payload.table().cells() / PostingForm.CELL_MULTIPLE);
        System.arraycopy(payload.bytes(), tableAt, cold, COLD_HEADER_BYTES, cold.length - COLD_HEADER_BYTES);
        return new StoredBlock(HotBlock.of(payload), cold);
    }

    /** The payload that was stored, byte for byte. */
    static byte[] payload(StoredBlock stored) {
        byte[] hot = stored.hot();
        NtruParameters p = parameters(hot);
        SlotTable table = table(hot, stored.cold(), p);
        int version = HotBlock.payloadVersion(hot);
        int[] a = HotBlock.a(hot, p);
        BlockPayload payload = BlockPayload.create(version, p, table.form(), table.cells(), a);
        if (version == BlockPayload.VERSION) {
            payload.bind(a, binding(stored.cold()));
        }
        byte[] bytes = payload.bytes();
        int tableAt = BlockPayload.tableAt(p, version);
        System.arraycopy(stored.cold(), COLD_HEADER_BYTES, bytes, tableAt, bytes.length - tableAt);
        return bytes;
    }

    /** @throws IllegalArgumentException for what is no hot value of this scheme */
    static NtruParameters parameters(byte[] hot) {
        try {
            if (hot.length > HotBlock.PHASES_AT && HotBlock.isHot(hot, 0)) {
                NtruParameters p = NtruParameters.byCode(hot[1] & 0xff);
                if (hot.length == HotBlock.size(p, HotBlock.slots(hot, 0))) {
                    return p;
                }
            }
        } catch (MalformedEncodingException e) {
            throw new IllegalArgumentException("the hot value is of no known parameter set", e);
        }
        throw new IllegalArgumentException("the hot value is not one of this scheme");
    }

    /** The slots of a stored block. */
    static SlotTable table(byte[] hot, byte[] cold, NtruParameters p) {
        PostingForm form = new PostingForm(HotBlock.slots(hot, 0), HotBlock.records(hot, 0));
        int cells = cold.length < COLD_HEADER_BYTES ? 0 : (cold[BINDING_BYTES] & 0xff) * PostingForm.CELL_MULTIPLE;
        if (cold.length != COLD_HEADER_BYTES + SlotTable.size(p.kept(), form, cells)) {
            throw new IllegalArgumentException("the cold value is not of this block");
        }
        return new SlotTable(cold, COLD_HEADER_BYTES, p.kept(), form, cells);
    }

    /** The binding of a cold value. */
    static byte[] binding(byte[] cold) {
        return Arrays.copyOf(cold, BINDING_BYTES);
    }
}
