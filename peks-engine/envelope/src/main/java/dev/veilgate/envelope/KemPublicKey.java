package dev.veilgate.envelope;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.KeyId;
import java.util.Arrays;

/**
 * X25519 + ML-KEM-768 public key that content keys are wrapped for: X-Wing's, 1,216 bytes (draft-connolly-cfrg-xwing-kem).
 *
 * @param bytes the ML-KEM-768 encapsulation key, then the X25519 public key
 */
public record KemPublicKey(byte[] bytes) {
    /** @throws IllegalArgumentException for a wrong length or an ML-KEM part that is not reduced */
    public KemPublicKey {
        bytes = bytes.clone();
        XWing.checkPublicKey(bytes);
    }

    /** A copy of the bytes. */
    @Override
    public byte[] bytes() {
        return bytes.clone();
    }

    /** Names the key in a wrap. */
    public KeyId id() {
        return KeyId.ofPublicKey(bytes);
    }

    /** The key of untrusted bytes. */
    public static KemPublicKey decode(byte[] bytes) throws MalformedEncodingException {
        try {
            return new KemPublicKey(bytes);
        } catch (IllegalArgumentException e) {
            throw new MalformedEncodingException("kem-public-key", "must be an X-Wing public key of 1216 bytes");
        }
    }

    XWing.Encapsulated encapsulate(byte[] coins) {
        return XWing.encapsulate(bytes, coins);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KemPublicKey that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "KemPublicKey[" + id() + "]";
    }
}
