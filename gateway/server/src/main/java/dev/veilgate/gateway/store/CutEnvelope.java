package dev.veilgate.gateway.store;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.peks.StoredBlock;
import dev.veilgate.query.BlockTarget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The bytes of an envelope without the payloads of those blocks that are stored beside it in their storage form, and how to put them together again.
 *
 * <pre>
 *   number of cuts                                             4 bytes, all numbers little-endian
 *   for each: where the payload was | its bytes | bytes of the block's header, which is before it     4 bytes each
 *   the envelope's bytes without the cut ones
 * </pre>
 *
 * @param bytes  in the form above
 * @param blocks places of the cut blocks in the envelope's index, ascending
 */
@SuppressWarnings("ArrayRecordComponent")
record CutEnvelope(byte[] bytes, List<Integer> blocks) {
    private record Cut(int from, int length, int headerLength) {}

    /** Cuts each block whose payload its scheme can restore from the storage form, exactly; whatever else there is stays as it is. */
    static CutEnvelope of(Arrival arrival, IndexSchemes schemes) {
        Envelope envelope = arrival.envelope();
        byte[] whole = envelope.bytes();
        List<Integer> blocks = new ArrayList<>();
        List<Cut> cuts = new ArrayList<>();
        for (int i = 0; i < arrival.blocks().size(); i++) {
            IndexBlock block = envelope.index().get(i);
            if (isRestored(block, arrival.blocks().get(i), schemes)) {
                blocks.add(i);
                cuts.add(new Cut(envelope.payloadOffset(i), block.payload().length, block.header().length));
            }
        }
        ByteWriter out = new ByteWriter(whole.length).int32LittleEndian(cuts.size());
        cuts.forEach(cut ->
                out.int32LittleEndian(cut.from).int32LittleEndian(cut.length).int32LittleEndian(cut.headerLength));
        int at = 0;
        for (Cut cut : cuts) {
            out.bytes(Arrays.copyOfRange(whole, at, cut.from));
            at = cut.from + cut.length;
        }
        out.bytes(Arrays.copyOfRange(whole, at, whole.length));
        return new CutEnvelope(out.toByteArray(), blocks);
    }

    private static boolean isRestored(IndexBlock block, Optional<StoredBlock> stored, IndexSchemes schemes) {
        if (stored.isEmpty()) {
            return false;
        }
        try {
            IndexBlock restored =
                    schemes.byId(block.scheme()).restore(BlockTarget.of(block).emptyBlock(), stored.get());
            return restored.equals(block);
        } catch (MalformedEncodingException e) {
            throw new IllegalArgumentException("a block of a scheme that is not known has no storage form", e);
        }
    }

    /**
     * The envelope's bytes.
     *
     * @param bytes  in the form above
     * @param stored of the blocks that were cut, in order
     */
    static byte[] join(byte[] bytes, List<StoredBlock> stored, IndexSchemes schemes) throws MalformedEncodingException {
        ByteReader in = new ByteReader("stored-envelope", bytes);
        int count = in.int32LittleEndian("cuts");
        if (count != stored.size()) {
            throw new MalformedEncodingException("stored-envelope.cuts", "must be " + stored.size());
        }
        List<Cut> cuts = new ArrayList<>(count);
        int length = 0;
        for (int i = 0; i < count; i++) {
            Cut cut = new Cut(
                    in.int32LittleEndian("from"), in.int32LittleEndian("length"), in.int32LittleEndian("header"));
            cuts.add(cut);
            length += cut.length;
        }
        byte[] whole = new byte[length + in.remaining()];
        int at = 0;
        for (int i = 0; i < count; i++) {
            Cut cut = cuts.get(i);
            System.arraycopy(in.bytes("envelope", cut.from - at), 0, whole, at, cut.from - at);
            IndexBlock header = IndexBlock.decode(Arrays.copyOfRange(whole, cut.from - cut.headerLength, cut.from));
            byte[] payload =
                    schemes.byId(header.scheme()).restore(header, stored.get(i)).payload();
            System.arraycopy(payload, 0, whole, cut.from, cut.length);
            at = cut.from + cut.length;
        }
        System.arraycopy(in.bytes("envelope", in.remaining()), 0, whole, at, whole.length - at);
        return whole;
    }
}
