package dev.veilgate.envelope;

import dev.veilgate.abe.AttributeKems;
import dev.veilgate.abe.Encapsulation;
import dev.veilgate.abe.Label;
import dev.veilgate.abe.RefusedCiphertextException;
import dev.veilgate.abe.UnsatisfiedPolicyException;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.KeyId;
import dev.veilgate.secret.Secret;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;
import javax.crypto.AEADBadTagException;

/**
 * The content key wrapped for those whom a policy names:
 *
 * <pre>
 *   ss1, c1 = X-Wing.Encaps(readers' key of the epoch),   ss2, c2 = AttributeKem.Encaps(public key, label)
 *   kek = HKDF-SHA-256(salt = header digest, ss1 || ss2, "veilgate/envelope/policy-wrap/1" || algorithm || key id || SHA-256(c1 || c2), 32)
 *   encapsulation = c1 || c2,   wrapped = AES-256-GCM(kek, nonce 0, content key)
 * </pre>
 *
 * <p>Secure against chosen ciphertexts if one of the two is: both ciphertexts are hashed into the key (Giacon, Heuer, Poettering, PKC 2018). Against who has a reader's key of the epoch
 * but not the attributes, the second alone stands. The label travels in clear: a gateway reads the policy.
 */
@Secret
final class PolicyWrap {
    /** The algorithm of such a wrap. */
    static final String ALGORITHM = "abe+x25519+ml-kem-768";

    private static final String LABEL = "veilgate/envelope/policy-wrap/1";

    private PolicyWrap() {}

    /**
     * Draws 64 bytes and what the scheme draws.
     *
     * @param key one that {@link PolicyKey#toSeal} gives
     */
    static WrappedKey seal(PolicyKey key, Label label, byte[] headerDigest, byte[] contentKey, SecureRandom random) {
        byte[] coins = new byte[XWing.ENCAPSULATION_COINS_BYTES];
        random.nextBytes(coins);
        XWing.Encapsulated outer = key.readers().encapsulate(coins);
        Encapsulation inner = encapsulate(key, label, random);
        byte[] encapsulation = new ByteWriter(4096)
                .bytes(outer.ciphertext())
                .bytes(inner.ciphertext())
                .toByteArray();
        KeyId id = key.id();
        byte[] kek = kek(outer.secret(), inner.secret(), headerDigest, id, encapsulation);
        try {
            return new WrappedKey(ALGORITHM, id, encapsulation, ContentKey.wrap(kek, contentKey));
        } finally {
            Arrays.fill(kek, (byte) 0);
        }
    }

    private static Encapsulation encapsulate(PolicyKey key, Label label, SecureRandom random) {
        try {
            return key.scheme().encapsulate(key.attributes(), label, random);
        } catch (MalformedEncodingException e) {
            throw new IllegalArgumentException("the bundle's key " + key.id() + " cannot seal: " + e.getMessage(), e);
        }
    }

    /**
     * The part that says who may read.
     *
     * @throws MalformedEncodingException if it is no such wrap
     */
    static byte[] attributeCiphertext(WrappedKey wrap) throws MalformedEncodingException {
        byte[] both = wrap.encapsulation();
        if (both.length <= XWing.CIPHERTEXT_BYTES) {
            throw new MalformedEncodingException("wraps.encapsulation", "two ciphertexts");
        }
        return Arrays.copyOfRange(both, XWing.CIPHERTEXT_BYTES, both.length);
    }

    /** Length of {@link #attributeCiphertext}. */
    static int attributeBytes(WrappedKey wrap) {
        return wrap.encapsulation().length - XWing.CIPHERTEXT_BYTES;
    }

    /** Whom a wrap is for; untrusted, as the envelope is. */
    static Label label(WrappedKey wrap) throws MalformedEncodingException {
        byte[] ciphertext = attributeCiphertext(wrap);
        return AttributeKems.ofCiphertext(ciphertext).labelOf(ciphertext);
    }

    /**
     * The content key; empty if the wrap was altered or belongs to another envelope.
     *
     * @throws UnsatisfiedPolicyException if the reader's attributes do not satisfy the policy
     */
    static Optional<byte[]> open(WrappedKey wrap, ReaderKey key, byte[] headerDigest)
            throws UnsatisfiedPolicyException {
        try {
            byte[] second = key.policyKey()
                    .scheme()
                    .decapsulate(key.policyKey().attributes(), key.attributeKey(), attributeCiphertext(wrap));
            return open(wrap, key, second, headerDigest);
        } catch (MalformedEncodingException | RefusedCiphertextException e) {
            return Optional.empty();
        }
    }

    /** The content key, with a server's answer; empty if that is wrong, too. */
    static Optional<byte[]> open(WrappedKey wrap, ReaderKey key, OpeningHelp.Answer answer, byte[] headerDigest) {
        try {
            byte[] second = key.policyKey()
                    .scheme()
                    .decapsulate(
                            key.policyKey().attributes(), answer.key(), answer.element(), attributeCiphertext(wrap));
            return open(wrap, key, second, headerDigest);
        } catch (MalformedEncodingException | RefusedCiphertextException e) {
            return Optional.empty();
        }
    }

    /** @param second secret of the scheme; erased */
    private static Optional<byte[]> open(WrappedKey wrap, ReaderKey key, byte[] second, byte[] headerDigest) {
        byte[] first = key.readersKey().decapsulate(Arrays.copyOf(wrap.encapsulation(), XWing.CIPHERTEXT_BYTES));
        byte[] kek = kek(first, second, headerDigest, wrap.keyId(), wrap.encapsulation());
        try {
            return Optional.of(ContentKey.unwrap(kek, wrap.wrapped()));
        } catch (AEADBadTagException e) {
            return Optional.empty();
        } finally {
            Arrays.fill(kek, (byte) 0);
        }
    }

    /** Erases the two secrets. */
    private static byte[] kek(byte[] first, byte[] second, byte[] headerDigest, KeyId keyId, byte[] encapsulation) {
        byte[] both = new byte[first.length + second.length];
        System.arraycopy(first, 0, both, 0, first.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        byte[] info = new ByteWriter(160)
                .shortString(LABEL)
                .shortString(ALGORITHM)
                .bytes(keyId.toBytes())
                .bytes(Hashes.sha256(encapsulation))
                .toByteArray();
        byte[] kek = Hashes.hkdf(headerDigest, both, info, 32);
        Arrays.fill(first, (byte) 0);
        Arrays.fill(second, (byte) 0);
        Arrays.fill(both, (byte) 0);
        return kek;
    }
}
