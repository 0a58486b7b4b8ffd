package dev.veilgate.abe;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.KeyId;
import dev.veilgate.secret.ErasableKey;
import dev.veilgate.secret.Secret;

/** A reader's key, of any scheme. */
@Secret
public final class AttributeSecretKey extends AttributeKey {
    private final Label label;

    AttributeSecretKey(String scheme, KeyId publicKeyId, Label label, ErasableKey inner) {
        super(Format.SECRET_KEY, scheme, publicKeyId, inner, scheme, publicKeyId, label);
        this.label = label;
    }

    /** What its owner is, or, where keys have policies, what it opens. */
    public Label label() {
        return label;
    }

    /** @throws MalformedEncodingException unless it is the encoding of a reader's key of a scheme that is here */
    public static AttributeSecretKey decode(byte[] bytes) throws MalformedEncodingException {
        Format.Key key = Format.SECRET_KEY.read(bytes);
        return key.kem().decodeSecretKey(key);
    }
}
