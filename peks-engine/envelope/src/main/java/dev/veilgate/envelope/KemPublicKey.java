package dev.veilgate.envelope;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.KeyId;
import dev.veilgate.pq.EncapsulatedSecret;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * Public key of a {@link WrapAlgorithm} that content keys are wrapped for: X-Wing's of 1,216 bytes
 * (draft-connolly-cfrg-xwing-kem), or one of X25519 and FrodoKEM-976 of 15,664.
 *
 * @param bytes the key of the lattice scheme, then the X25519 public key
 */
public record KemPublicKey(byte[] bytes) {
    /** @throws IllegalArgumentException for a wrong length or an ML-KEM part that is not reduced */
    public KemPublicKey {
        bytes = bytes.clone();
        WrapAlgorithm.ofPublicKey(bytes).checkPublicKey(bytes);
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

    /** The algorithm that it is a key of. */
    public WrapAlgorithm algorithm() {
        return WrapAlgorithm.ofPublicKey(bytes);
    }

    /** The key of untrusted bytes. */
    public static KemPublicKey decode(byte[] bytes) throws MalformedEncodingException {
        try {
            return new KemPublicKey(bytes);
        } catch (IllegalArgumentException e) {
            throw new MalformedEncodingException("kem-public-key", "must be one: " + e.getMessage());
        }
    }

    /** A fresh secret for its owner; draws 64 bytes for X-Wing, 56 for X25519 and FrodoKEM-976. */
    EncapsulatedSecret encapsulate(SecureRandom random) {
        WrapAlgorithm algorithm = algorithm();
        byte[] coins = new byte[algorithm.coinsBytes()];
        random.nextBytes(coins);
        return algorithm.encapsulate(bytes, coins);
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
