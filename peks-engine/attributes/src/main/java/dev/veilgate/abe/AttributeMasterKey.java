package dev.veilgate.abe;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.KeyId;
import dev.veilgate.secret.ErasableKey;
import dev.veilgate.secret.Secret;

/** An authority's secret, of any scheme: whoever has it makes every key. */
@Secret
public final class AttributeMasterKey extends AttributeKey {
    AttributeMasterKey(String scheme, KeyId publicKeyId, ErasableKey inner) {
        super(Format.MASTER_KEY, scheme, publicKeyId, inner, scheme, publicKeyId);
    }

    /** @throws MalformedEncodingException unless it is the encoding of a master key of a scheme that is here */
    public static AttributeMasterKey decode(byte[] bytes) throws MalformedEncodingException {
        Format.Key key = Format.MASTER_KEY.read(bytes);
        return key.kem().decodeMasterKey(key);
    }
}
