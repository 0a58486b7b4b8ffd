package dev.veilgate.abe;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.KeyId;
import org.jspecify.annotations.Nullable;

/** An authority's secret, of any scheme: whoever has it makes every key. */
public final class AttributeMasterKey implements AutoCloseable {
    private final String scheme;
    private final KeyId publicKeyId;
    private final Held<?> inner;

    AttributeMasterKey(String scheme, KeyId publicKeyId, Held<?> inner) {
        this.scheme = scheme;
        this.publicKeyId = publicKeyId;
        this.inner = inner;
    }

    /** Id of the scheme. */
    public String scheme() {
        return scheme;
    }

    /** Names the public key that belongs to it. */
    public KeyId publicKeyId() {
        return publicKeyId;
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
        return Format.MASTER_KEY.secret(scheme, publicKeyId, inner);
    }

    /** @throws MalformedEncodingException unless it is the encoding of a master key of a scheme that is here */
    public static AttributeMasterKey decode(byte[] bytes) throws MalformedEncodingException {
        ByteReader in = new ByteReader("attribute-master-key", bytes);
        SchemeKem<?, ?, ?, ?, ?> kem = Format.MASTER_KEY.scheme(in);
        KeyId publicKeyId = KeyId.of(in.bytes("public-key-id", KeyId.BYTES));
        return kem.decodeMasterKey(publicKeyId, in.bytes("key", in.remaining()));
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

    /** Whether both are the same key, in constant time; a destroyed key equals only itself. */
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || other instanceof AttributeMasterKey that
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
        return "AttributeMasterKey[hidden, " + scheme + ", " + publicKeyId + "]";
    }
}
