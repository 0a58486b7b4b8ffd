package dev.veilgate.gateway.store;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.envelope.Envelope;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.lucene.util.BytesRef;

/**
 * The term by which the documents of an envelope are found:
 *
 * <pre>
 *   tenant (behind its length in a byte) | id (16 bytes) | 0 if a sender is named, or 1 | digest (32 bytes)
 *   tenant | id                                          of the one envelope that earlier versions stored of an id
 * </pre>
 */
final class EnvelopeKey {
    private static final int ID_BYTES = 16;
    private static final int SIGNED = 0;
    private static final int UNSIGNED = 1;

    private EnvelopeKey() {}

    /** Of an envelope that is to be stored. */
    static BytesRef of(Envelope envelope) {
        int kind = envelope.sender().isEmpty() ? UNSIGNED : SIGNED;
        return key(envelope.tenant(), envelope.id(), kind, envelope.digest());
    }

    /** Both that an envelope can have: its name does not say whether a sender is named. */
    static List<BytesRef> of(String tenant, EnvelopeName name) {
        byte[] digest = name.digestBytes();
        return List.of(key(tenant, name.id(), SIGNED, digest), key(tenant, name.id(), UNSIGNED, digest));
    }

    /** Of what earlier versions stored; all keys of the id begin with it. */
    static BytesRef before(String tenant, UUID id) {
        return ref(start(tenant, id));
    }

    /** What the keys of an id's envelopes begin with in which a sender is named. */
    static BytesRef signed(String tenant, UUID id) {
        return ref(start(tenant, id).uint8(SIGNED));
    }

    /** What the keys of an id's envelopes begin with in which no sender is named. */
    static BytesRef unsigned(String tenant, UUID id) {
        return ref(start(tenant, id).uint8(UNSIGNED));
    }

    /** What all keys of a tenant begin with, and of no other. */
    static BytesRef tenant(String tenant) {
        return ref(new ByteWriter(64).shortString(tenant));
    }

    private static BytesRef key(String tenant, UUID id, int kind, byte[] digest) {
        return ref(start(tenant, id).uint8(kind).bytes(digest));
    }

    private static ByteWriter start(String tenant, UUID id) {
        return new ByteWriter(128).shortString(tenant).bytes(bytes(id));
    }

    private static BytesRef ref(ByteWriter out) {
        return new BytesRef(out.toByteArray());
    }

    /** The envelope's name; empty for a key of earlier versions, which has no digest. */
    static Optional<EnvelopeName> name(BytesRef key) {
        int idAt = key.offset + 1 + (key.bytes[key.offset] & 0xff);
        int digestAt = idAt + ID_BYTES + 1;
        int end = key.offset + key.length;
        return digestAt > end
                ? Optional.empty()
                : Optional.of(EnvelopeName.of(
                        id(new BytesRef(key.bytes, idAt, ID_BYTES)), Arrays.copyOfRange(key.bytes, digestAt, end)));
    }

    static byte[] bytes(UUID id) {
        return ByteBuffer.allocate(ID_BYTES)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array();
    }

    static UUID id(BytesRef bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes.bytes, bytes.offset, bytes.length);
        return new UUID(buffer.getLong(), buffer.getLong());
    }
}
