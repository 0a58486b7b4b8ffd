package dev.veilgate.abe;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.KeyId;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An authority's public key, of any scheme. Immutable. */
public final class AttributePublicKey {
    private final String scheme;
    private final byte[] encoded;
    private final KeyId id;
    private final Object inner;

    /** @param inner the scheme's own form of it */
    AttributePublicKey(String scheme, byte[] schemeBytes, Object inner) {
        this.scheme = scheme;
        this.encoded = Format.PUBLIC_KEY
                .begin(scheme, schemeBytes.length)
                .bytes(schemeBytes)
                .toByteArray();
        this.id = KeyId.ofPublicKey(encoded);
        this.inner = inner;
    }

    /** Id of the scheme. */
    public String scheme() {
        return scheme;
    }

    /** Names the key. */
    public KeyId id() {
        return id;
    }

    Object inner() {
        return inner;
    }

    /** Canonical: version, kind, scheme, the scheme's encoding. */
    public byte[] encode() {
        return encoded.clone();
    }

    /**
     * Id of the scheme that an encoded key names, which need not be here. Nothing else of the key is looked at, and nothing of a scheme is loaded.
     *
     * @throws MalformedEncodingException if it does not begin as a public key
     */
    public static String schemeOf(byte[] bytes) throws MalformedEncodingException {
        return Format.PUBLIC_KEY.schemeId(Format.PUBLIC_KEY.reader(bytes));
    }

    /** @throws MalformedEncodingException unless it is the encoding of a public key of a scheme that is here */
    public static AttributePublicKey decode(byte[] bytes) throws MalformedEncodingException {
        ByteReader in = Format.PUBLIC_KEY.reader(bytes);
        SchemeKem<?, ?, ?, ?, ?, ?> kem = Format.PUBLIC_KEY.scheme(in);
        return kem.decodePublicKey(in.bytes("key", in.remaining()));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof AttributePublicKey that && Arrays.equals(encoded, that.encoded);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }

    @Override
    public String toString() {
        return "AttributePublicKey[" + scheme + ", " + id + "]";
    }
}
