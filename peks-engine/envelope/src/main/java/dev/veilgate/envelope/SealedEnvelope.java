package dev.veilgate.envelope;

import java.util.UUID;

/**
 * An encoded envelope with what its sender must remember. The array is not copied.
 *
 * @param id       of the envelope
 * @param sequence its number, 0 without an identity
 * @param bytes    the encoding
 * @param next     where the sender's next envelope goes; the first position without an identity
 */
@SuppressWarnings("ArrayRecordComponent")
public record SealedEnvelope(UUID id, long sequence, byte[] bytes, ChainPosition next) {
    @Override
    public String toString() {
        return "SealedEnvelope[" + id + ", " + sequence + ", " + bytes.length + " bytes]";
    }
}
