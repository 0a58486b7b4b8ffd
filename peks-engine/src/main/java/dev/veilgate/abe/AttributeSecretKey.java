package dev.veilgate.abe;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.KeyId;
import org.jspecify.annotations.Nullable;

/** A reader's key, of any scheme. */
public final class AttributeSecretKey implements AutoCloseable {
    private final String scheme;
    private final KeyId publicKeyId;
    private final Label label;
    private final Held<?> inner;

    AttributeSecretKey(String scheme, KeyId publicKeyId, Label label, Held<?> inner) {
        this.scheme = scheme;
        this.publicKeyId = publicKeyId;
        this.label = label;
        this.inner = inner;
    }

    /** Id of the scheme. */
    public String scheme() {
        return scheme;
    }

    /** Names the public key of the authority that issued it. */
    public KeyId publicKeyId() {
        return publicKeyId;
    }

    /** What its owner is, or, where keys have policies, what it opens. */
    public Label label() {
        return label;
    }

    Object inner() {
        return inner.get();
    }

    /**
     * Canonical: version, kind, scheme, id of the public key, the scheme's encoding. In clear: the caller seals it with authenticated encryption, and wipes the array.
     *
     * @throws IllegalStateException after {@link #destroy}
     */
    public byte[] encode() {
        return Format.SECRET_KEY.secret(scheme, publicKeyId, inner);
    }

    /** @throws MalformedEncodingException unless it is the encoding of a reader's key of a scheme that is here */
    public static AttributeSecretKey decode(byte[] bytes) throws MalformedEncodingException {
        ByteReader in = new ByteReader("attribute-secret-key", bytes);
        SchemeKem<?, ?, ?, ?, ?> kem = Format.SECRET_KEY.scheme(in);
        KeyId publicKeyId = KeyId.of(in.bytes("public-key-id", KeyId.BYTES));
        return kem.decodeSecretKey(publicKeyId, in.bytes("key", in.remaining()));
    }

    /** Forgets the key; every later use throws {@link IllegalStateException}. The memory of what was computed with it is the garbage collector's. */
    public void destroy() {
        inner.destroy();
    }

    /** {@link #destroy}. */
    @Override
    public void close() {
        destroy();
    }

    /** Whether both are the same key, in constant time for the same label; a destroyed key equals only itself. */
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || other instanceof AttributeSecretKey that
                        && scheme.equals(that.scheme)
                        && publicKeyId.equals(that.publicKeyId)
                        && inner.sameAs(that.inner);
    }

    @Override
    public int hashCode() {
        return label.hashCode();
    }

    @Override
    public String toString() {
        return "AttributeSecretKey[hidden, " + scheme + ", " + publicKeyId + ", " + label + "]";
    }
}
