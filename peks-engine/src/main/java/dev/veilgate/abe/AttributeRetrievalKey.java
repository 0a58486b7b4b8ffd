package dev.veilgate.abe;

import dev.veilgate.abe.kem.RetrievalKey;
import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.KeyId;
import org.jspecify.annotations.Nullable;

/** What a reader keeps where a server has the {@link AttributeTransformKey}: short, and of no use without it. */
public final class AttributeRetrievalKey implements AutoCloseable {
    private final String scheme;
    private final KeyId publicKeyId;
    private final Held<RetrievalKey> inner;

    AttributeRetrievalKey(String scheme, KeyId publicKeyId, RetrievalKey inner) {
        this.scheme = scheme;
        this.publicKeyId = publicKeyId;
        this.inner = new Held<>(inner, RetrievalKey::encode, RetrievalKey::destroy);
    }

    /** Id of the scheme. */
    public String scheme() {
        return scheme;
    }

    /** Names the public key of the authority that issued the reader's key. */
    public KeyId publicKeyId() {
        return publicKeyId;
    }

    RetrievalKey inner() {
        return inner.get();
    }

    /**
     * Canonical: version, kind, scheme, id of the public key, the retrieval key. In clear: the caller seals it with authenticated encryption, and
     * wipes the array.
     *
     * @throws IllegalStateException after {@link #destroy}
     */
    public byte[] encode() {
        return Format.RETRIEVAL_KEY.secret(scheme, publicKeyId, inner);
    }

    /** @throws MalformedEncodingException unless it is the encoding of a retrieval key of a scheme that is here */
    public static AttributeRetrievalKey decode(byte[] bytes) throws MalformedEncodingException {
        ByteReader in = new ByteReader("attribute-retrieval-key", bytes);
        String scheme = Format.RETRIEVAL_KEY.scheme(in).id();
        KeyId publicKeyId = KeyId.of(in.bytes("public-key-id", KeyId.BYTES));
        RetrievalKey inner = RetrievalKey.decode(in.bytes("key", in.remaining()));
        return new AttributeRetrievalKey(scheme, publicKeyId, inner);
    }

    /** Forgets the key; every later use throws {@link IllegalStateException}. */
    public void destroy() {
        inner.destroy();
    }

    /** {@link #destroy}. */
    @Override
    public void close() {
        destroy();
    }

    /** Whether both are the same key, in constant time; a destroyed key equals only itself. */
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || other instanceof AttributeRetrievalKey that
                        && scheme.equals(that.scheme)
                        && publicKeyId.equals(that.publicKeyId)
                        && inner.sameAs(that.inner);
    }

    @Override
    public int hashCode() {
        return publicKeyId.hashCode();
    }

    @Override
    public String toString() {
        return "AttributeRetrievalKey[hidden, " + scheme + ", " + publicKeyId + "]";
    }
}
