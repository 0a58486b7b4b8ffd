package dev.veilgate.abe;

import dev.veilgate.abe.kem.RetrievalKey;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.KeyId;
import dev.veilgate.secret.Secret;

/** What a reader keeps where a server has the {@link AttributeTransformKey}: short, and of no use without it. */
@Secret
public final class AttributeRetrievalKey extends AttributeKey {
    AttributeRetrievalKey(String scheme, KeyId publicKeyId, RetrievalKey inner) {
        super(Format.RETRIEVAL_KEY, scheme, publicKeyId, inner, scheme, publicKeyId);
    }

    @Override
    RetrievalKey inner() {
        return (RetrievalKey) super.inner();
    }

    /** @throws MalformedEncodingException unless it is the encoding of a retrieval key of a scheme that is here */
    public static AttributeRetrievalKey decode(byte[] bytes) throws MalformedEncodingException {
        Format.Key key = Format.RETRIEVAL_KEY.read(bytes);
        return key.kem().decodeRetrievalKey(key);
    }
}
