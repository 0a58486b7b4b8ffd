package dev.veilgate.peks;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import java.util.Arrays;

/**
 * A block of searchable ciphertexts of some scheme, as it travels. What is inside the payload only the scheme knows.
 *
 * @param scheme     id of the scheme, such as {@code ntru-peks}
 * @param parameters name of the parameter set
 * @param keyId      the public key it was made for
 * @param scope      what an auditor must be granted
 * @param epoch      when
 * @param payload    the scheme's bytes
 */
public record IndexBlock(String scheme, String parameters, KeyId keyId, String scope, String epoch, byte[] payload) {
    /** Most bytes of a payload of any scheme. */
    public static final int MAX_PAYLOAD_BYTES = 1 << 20;

    private static final int VERSION = 1;

    /** @throws IllegalArgumentException for a payload above {@link #MAX_PAYLOAD_BYTES} or a name above 255 bytes */
    public IndexBlock {
        if (payload.length > MAX_PAYLOAD_BYTES) {
            throw new IllegalArgumentException("a payload has at most " + MAX_PAYLOAD_BYTES + " bytes");
        }
        for (String name : new String[] {scheme, parameters, scope, epoch}) {
            if (ByteWriter.utf8(name).length > 255) {
                throw new IllegalArgumentException("scheme, parameters, scope and epoch have at most 255 bytes");
            }
        }
        payload = payload.clone();
    }

    /** A copy of the payload. */
    @Override
    public byte[] payload() {
        return payload.clone();
    }

    /** Tells by its first byte, without a copy, if the payload is of a version. */
    public boolean isOfVersion(int version) {
        return payload.length > 0 && payload[0] == version;
    }

    /** What precedes the payload; together with a {@link MessageContext} it is what slots are bound to. */
    public byte[] header() {
        return new ByteWriter(96)
                .uint8(VERSION)
                .shortString(scheme)
                .shortString(parameters)
                .bytes(keyId.toBytes())
                .shortString(scope)
                .shortString(epoch)
                .toByteArray();
    }

    /** Canonical encoding: the header, then the payload up to the end. */
    public byte[] encode() {
        return new ByteWriter(96 + payload.length)
                .bytes(header())
                .bytes(payload)
                .toByteArray();
    }

    /** The inverse of {@link #encode}; the payload is not looked into. */
    public static IndexBlock decode(byte[] bytes) throws MalformedEncodingException {
        ByteReader in = new ByteReader("index-block", bytes);
        in.expect("version", VERSION);
        String scheme = in.shortString("scheme");
        String parameters = in.shortString("parameters");
        KeyId keyId = KeyId.of(in.bytes("key-id", KeyId.BYTES));
        String scope = in.shortString("scope");
        String epoch = in.shortString("epoch");
        if (in.remaining() > MAX_PAYLOAD_BYTES) {
            throw new MalformedEncodingException(
                    "index-block.payload", "must have at most " + MAX_PAYLOAD_BYTES + " bytes");
        }
        return new IndexBlock(scheme, parameters, keyId, scope, epoch, in.bytes("payload", in.remaining()));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof IndexBlock that
                && Arrays.equals(header(), that.header())
                && Arrays.equals(payload, that.payload);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(payload);
    }

    @Override
    public String toString() {
        return "IndexBlock[" + scheme + " " + parameters + ", key " + keyId + ", " + payload.length + " bytes]";
    }
}
