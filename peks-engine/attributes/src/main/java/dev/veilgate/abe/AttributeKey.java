package dev.veilgate.abe;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.peks.KeyId;
import dev.veilgate.secret.Erasable;
import dev.veilgate.secret.ErasableKey;
import dev.veilgate.secret.Secret;
import java.util.Arrays;

/** A secret key of any scheme: the scheme's own, and whose public key it belongs to. Encoded as version, kind, scheme, id of the public key, the scheme's encoding. */
@Secret
public abstract sealed class AttributeKey extends ErasableKey
        permits AttributeMasterKey, AttributeSecretKey, AttributeRetrievalKey {
    private final String scheme;
    private final KeyId publicKeyId;
    private final ErasableKey key;
    private final Erasable<ErasableKey> inner;

    /**
     * A key that is alive.
     *
     * @param key   the scheme's own
     * @param shown what is public of it
     */
    AttributeKey(Format format, String scheme, KeyId publicKeyId, ErasableKey key, Object... shown) {
        Erasable<ErasableKey> secret = new Erasable<>(key, held -> encode(format, scheme, publicKeyId, held));
        super(secret, shown);
        this.scheme = scheme;
        this.publicKeyId = publicKeyId;
        this.key = key;
        this.inner = secret;
    }

    private static byte[] encode(Format format, String scheme, KeyId publicKeyId, ErasableKey held) {
        byte[] encoded = held.encode();
        ByteWriter out = format.begin(scheme, publicKeyId, encoded);
        Arrays.fill(encoded, (byte) 0);
        return out.toSecretBytes();
    }

    /** Id of the scheme. */
    public final String scheme() {
        return scheme;
    }

    /** Names the public key of the authority that it belongs to. */
    public final KeyId publicKeyId() {
        return publicKeyId;
    }

    ErasableKey inner() {
        return inner.get();
    }

    /** {@inheritDoc} The scheme's own key is destroyed too: somebody may be at work with it. */
    @Override
    public final void destroy() {
        key.destroy();
        super.destroy();
    }
}
