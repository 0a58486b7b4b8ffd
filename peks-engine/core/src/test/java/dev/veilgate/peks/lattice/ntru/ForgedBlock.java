package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.MessageContext;
import dev.veilgate.peks.StoredBlock;
import dev.veilgate.random.CoinStream;
import java.io.ByteArrayOutputStream;

/** A block put together by hand, slot by slot, as an attacker can who does without our sealer. */
final class ForgedBlock {
    static final MessageContext CONTEXT = TestKeys.context(0);

    private final PublicKey key;
    private final PlainBlock plain;
    private final byte[] binding;

    /** A block that goes round the check: A itself was chosen, and so the binding is wrong. */
    ForgedBlock(NtruParameters parameters, int slots, int records, int[] a) {
        this(parameters, slots, records, 0, a);
    }

    /** A block with cells that goes round the check. */
    ForgedBlock(NtruParameters parameters, int slots, int records, int cells, int[] a) {
        this(TestKeys.of(parameters).publicKey(), new PlainBlock(parameters, slots, records, cells, a), a);
    }

    private ForgedBlock(PublicKey key, PlainBlock plain, int[] a0) {
        this(key, CONTEXT, plain, a0);
    }

    private ForgedBlock(PublicKey key, MessageContext context, PlainBlock plain, int[] a0) {
        this.key = key;
        this.plain = plain;
        this.binding = plain.hash(wrap(key, new byte[0]), context, a0);
        plain.binding = binding.clone();
    }

    /** A block that is admitted: A0 was chosen, and A is what the shift makes of it. */
    static ForgedBlock shifted(NtruParameters parameters, int slots, int records, int[] a0) {
        return shifted(TestKeys.of(parameters).publicKey(), slots, records, a0);
    }

    /** A block that is admitted under any key. */
    static ForgedBlock shifted(PublicKey key, int slots, int records, int[] a0) {
        return shifted(key, CONTEXT, slots, records, a0);
    }

    /** A block that is admitted in any message. */
    static ForgedBlock shifted(PublicKey key, MessageContext context, int slots, int records, int[] a0) {
        NtruParameters parameters = key.parameters();
        byte[] binding = new PlainBlock(parameters, slots, records, a0).hash(wrap(key, new byte[0]), context, a0);
        int[] a = PlainTwin.shifted(parameters, key, a0, binding);
        return new ForgedBlock(key, context, new PlainBlock(parameters, slots, records, a), a0);
    }

    /** An A as an honest sender draws it. */
    static int[] honestA(NtruParameters parameters, String label) {
        try (CoinStream coins = CoinStream.fresh(TestKeys.random("mask/" + label));
                BlockMask.Opened mask = BlockMask.draw(TestKeys.of(parameters).publicKey(), coins)
                        .open()) {
            return mask.a();
        }
    }

    /** A slot that opens to whoever has v (the kept coefficients, in [0, q)) up to small noise. */
    void seal(int slot, int[] v) {
        put(slot, PlainTwin.bits(v, plain.parameters, false), PlainTwin.bits(v, plain.parameters, true));
    }

    /**
     * A slot of these bits, with the tag that the key gives, for the field that is there and the cells it refers to.
     */
    void put(int slot, byte[] column, byte[] slotKey) {
        byte[] field = plain.fields[slot];
        byte[] cells = plain.cells(plain.references(PlainBlock.cryptField(slotKey, binding, field)));
        plain.columns[slot] = column.clone();
        plain.tags[slot] = PlainBlock.tag(slotKey, binding, column, field, cells);
    }

    /** A slot of any bytes. */
    void putRaw(int slot, byte[] column, byte[] tag) {
        plain.columns[slot] = column.clone();
        plain.tags[slot] = tag.clone();
    }

    PlainBlock plain() {
        return plain;
    }

    byte[] binding() {
        return binding.clone();
    }

    /** What is sent. */
    IndexBlock block() {
        return wrap(key, plain.encode());
    }

    /** The stored form of the block, which nothing has checked. */
    StoredBlock stored() {
        byte[] payload = plain.encode();
        int slotsAt = BlockPayload.tableAt(plain.parameters, payload[0]);
        ByteArrayOutputStream cold = new ByteArrayOutputStream();
        cold.writeBytes(binding);
        cold.write(plain.cells.length / 16);
        cold.write(payload, slotsAt, payload.length - slotsAt);
        try {
            return new StoredBlock(HotBlock.of(BlockPayload.decode(payload)), cold.toByteArray());
        } catch (MalformedEncodingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static IndexBlock wrap(PublicKey key, byte[] payload) {
        return new IndexBlock(
                NtruIndexScheme.ID,
                key.parameters().id(),
                key.id(),
                TestKeys.DOMAIN.scope(),
                TestKeys.DOMAIN.epoch(),
                payload);
    }
}
