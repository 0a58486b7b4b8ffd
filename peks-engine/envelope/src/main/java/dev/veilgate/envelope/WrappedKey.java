package dev.veilgate.envelope;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.peks.KeyId;
import dev.veilgate.pq.EncapsulatedSecret;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;
import javax.crypto.AEADBadTagException;

/**
 * The content key wrapped for one recipient:
 *
 * <pre>
 *   ss, encapsulation = Encaps(recipient)            by the recipient's WrapAlgorithm
 *   kek = HKDF-SHA-256(salt = header digest, ss, "veilgate/envelope/wrap/1" || algorithm || key id, 32)
 *   wrapped = AES-256-GCM(kek, nonce 0, content key)
 * </pre>
 *
 * <p>Wraps of other algorithms have the same four parts and are kept as they are.
 */
@SuppressWarnings("ArrayRecordComponent")
record WrappedKey(String algorithm, KeyId keyId, byte[] encapsulation, byte[] wrapped) {
    private static final int WRAPPED_BYTES = EnvelopeFormat.CONTENT_KEY_BYTES + EnvelopeFormat.TAG_BYTES;

    /** Draws what {@link KemPublicKey#encapsulate} draws. */
    static WrappedKey forRecipient(
            KemPublicKey recipient, byte[] headerDigest, byte[] contentKey, SecureRandom random) {
        EncapsulatedSecret kem = recipient.encapsulate(random);
        String algorithm = recipient.algorithm().id();
        KeyId id = recipient.id();
        byte[] kek = kek(kem.secret(), headerDigest, algorithm, id);
        try {
            return new WrappedKey(algorithm, id, kem.ciphertext(), ContentKey.wrap(kek, contentKey));
        } finally {
            Arrays.fill(kek, (byte) 0);
        }
    }

    /** Whether a key may open this. */
    boolean isFor(KemSecretKey key) {
        return algorithm.equals(key.algorithm().id())
                && keyId.equals(key.publicKey().id());
    }

    /** The content key; empty if the wrap was altered or belongs to another envelope. */
    Optional<byte[]> open(KemSecretKey key, byte[] headerDigest) {
        if (encapsulation.length != key.algorithm().ciphertextBytes() || wrapped.length != WRAPPED_BYTES) {
            return Optional.empty();
        }
        byte[] kek = kek(key.decapsulate(encapsulation), headerDigest, algorithm, keyId);
        try {
            return Optional.of(ContentKey.unwrap(kek, wrapped));
        } catch (AEADBadTagException e) {
            return Optional.empty();
        } finally {
            Arrays.fill(kek, (byte) 0);
        }
    }

    /** Erases the shared secret. */
    private static byte[] kek(byte[] secret, byte[] headerDigest, String algorithm, KeyId keyId) {
        byte[] info = new ByteWriter(128)
                .shortString(EnvelopeFormat.LABEL_WRAP)
                .shortString(algorithm)
                .bytes(keyId.toBytes())
                .toByteArray();
        byte[] kek = Hashes.hkdf(headerDigest, secret, info, 32);
        Arrays.fill(secret, (byte) 0);
        return kek;
    }
}
