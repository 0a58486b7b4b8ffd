package dev.veilgate.abe;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.KeyId;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a server has of a reader's key, of any scheme: enough to do the reader's pairings ({@link AttributeKem#transform}), nothing to read with. It
 * tells the reader's label, and which ciphertexts are for him, to whoever has it. Immutable.
 */
public final class AttributeTransformKey {
    private final String scheme;
    private final KeyId publicKeyId;
    private final Label label;
    private final byte[] schemeBytes;
    private final Object inner;

    /** @param inner the scheme's own form of it */
    AttributeTransformKey(String scheme, KeyId publicKeyId, Label label, byte[] schemeBytes, Object inner) {
        this.scheme = scheme;
        this.publicKeyId = publicKeyId;
        this.label = label;
        this.schemeBytes = schemeBytes.clone();
        this.inner = inner;
    }

    /** Id of the scheme. */
    public String scheme() {
        return scheme;
    }

    /** Names the public key of the authority that issued the reader's key. */
    public KeyId publicKeyId() {
        return publicKeyId;
    }

    /** That of the reader's key. */
    public Label label() {
        return label;
    }

    Object inner() {
        return inner;
    }

    /** Canonical: version, kind, scheme, id of the public key, the scheme's encoding. */
    public byte[] encode() {
        return Format.TRANSFORM_KEY.begin(scheme, publicKeyId, schemeBytes).toByteArray();
    }

    /** @throws MalformedEncodingException unless it is the encoding of a transformation key of a scheme that is here */
    public static AttributeTransformKey decode(byte[] bytes) throws MalformedEncodingException {
        Format.Key key = Format.TRANSFORM_KEY.read(bytes);
        return key.kem().decodeTransformKey(key);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof AttributeTransformKey that
                && scheme.equals(that.scheme)
                && publicKeyId.equals(that.publicKeyId)
                && Arrays.equals(schemeBytes, that.schemeBytes);
    }

    @Override
    public int hashCode() {
        return label.hashCode();
    }

    @Override
    public String toString() {
        return "AttributeTransformKey[" + scheme + ", " + publicKeyId + ", " + label + "]";
    }
}
