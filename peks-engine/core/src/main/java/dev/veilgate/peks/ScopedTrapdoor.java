package dev.veilgate.peks;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * A trapdoor of some scheme with what it is good for. Whoever holds it can search its scope and epoch for one keyword, so it
 * is never printed; the gateway holds it, the edge never does.
 *
 * @param scheme     id of the scheme
 * @param parameters name of the parameter set
 * @param keyId      the key it was issued under
 * @param scope      where it matches
 * @param epoch      when it matches
 * @param bytes      the scheme's trapdoor
 */
public record ScopedTrapdoor(String scheme, String parameters, KeyId keyId, String scope, String epoch, byte[] bytes) {
    /** Most bytes of a trapdoor of any scheme. */
    public static final int MAX_BYTES = 1 << 16;

    private static final int VERSION = 1;

    /** @throws IllegalArgumentException for too many bytes or a name above 255 bytes */
    public ScopedTrapdoor {
        if (bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException("a trapdoor has at most " + MAX_BYTES + " bytes");
        }
        for (String name : new String[] {scheme, parameters, scope, epoch}) {
            if (ByteWriter.utf8(name).length > 255) {
                throw new IllegalArgumentException("scheme, parameters, scope and epoch have at most 255 bytes");
            }
        }
        bytes = bytes.clone();
    }

    /** A copy of the scheme's bytes. */
    @Override
    public byte[] bytes() {
        return bytes.clone();
    }

    /** Canonical encoding. */
    public byte[] encode() {
        return new ByteWriter(96 + bytes.length)
                .uint8(VERSION)
                .shortString(scheme)
                .shortString(parameters)
                .bytes(keyId.toBytes())
                .shortString(scope)
                .shortString(epoch)
                .bytes(bytes)
                .toByteArray();
    }

    /** The inverse of {@link #encode}; the scheme's bytes are looked into by {@link IndexScheme#prepare}. */
    public static ScopedTrapdoor decode(byte[] encoded) throws MalformedEncodingException {
        ByteReader in = new ByteReader("trapdoor", encoded);
        in.expect("version", VERSION);
        String scheme = in.shortString("scheme");
        String parameters = in.shortString("parameters");
        KeyId keyId = KeyId.of(in.bytes("key-id", KeyId.BYTES));
        String scope = in.shortString("scope");
        String epoch = in.shortString("epoch");
        if (in.remaining() > MAX_BYTES) {
            throw new MalformedEncodingException("trapdoor.bytes", "must have at most " + MAX_BYTES + " bytes");
        }
        return new ScopedTrapdoor(scheme, parameters, keyId, scope, epoch, in.bytes("bytes", in.remaining()));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ScopedTrapdoor that
                && scheme.equals(that.scheme)
                && parameters.equals(that.parameters)
                && keyId.equals(that.keyId)
                && scope.equals(that.scope)
                && epoch.equals(that.epoch)
                && MessageDigest.isEqual(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "ScopedTrapdoor[" + scheme + " " + parameters + ", key " + keyId + "]";
    }
}
