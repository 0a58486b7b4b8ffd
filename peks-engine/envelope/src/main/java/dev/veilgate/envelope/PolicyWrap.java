package dev.veilgate.envelope;

import dev.veilgate.abe.AttributeKems;
import dev.veilgate.abe.Encapsulation;
import dev.veilgate.abe.Label;
import dev.veilgate.abe.RefusedCiphertextException;
import dev.veilgate.abe.UnsatisfiedPolicyException;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.KeyId;
import dev.veilgate.pq.EncapsulatedSecret;
import dev.veilgate.secret.Secret;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;
import javax.crypto.AEADBadTagException;

/**
 * The content key wrapped for those whom a policy names:
 *
 * <pre>
 *   ss1, c1 = Encaps(readers' key of the epoch),   ss2, c2 = AttributeKem.Encaps(public key, label)
 *   kek = HKDF-SHA-256(salt = header digest, ss1 || ss2, "veilgate/envelope/policy-wrap/1" || algorithm || key id ||
 *   SHA-256(c1 || c2), 32)
 *   encapsulation = c1 || c2,   wrapped = AES-256-GCM(kek, nonce 0, content key)
 * </pre>
 *
 * <p>Secure against chosen ciphertexts if one of the two is: both ciphertexts are hashed into the key (Giacon, Heuer,
 * Poettering, PKC 2018). Against who has a reader's key of the epoch but not the attributes, the second alone stands.
 * The label travels in clear: a gateway reads the policy.
 */
@Secret
final class PolicyWrap {
    /** Stands before the id of the readers' {@link WrapAlgorithm} in the algorithm of such a wrap. */
    private static final String PREFIX = "abe+";

    private static final String LABEL = "veilgate/envelope/policy-wrap/1";

    private PolicyWrap() {}

    /**
     * Draws what {@link KemPublicKey#encapsulate} and the scheme draw.
     *
     * @param key one that {@link PolicyKey#toSeal} gives
     */
    static WrappedKey seal(PolicyKey key, Label label, byte[] headerDigest, byte[] contentKey, SecureRandom random) {
        EncapsulatedSecret outer = key.readers().encapsulate(random);
        Encapsulation inner = encapsulate(key, label, random);
        byte[] encapsulation = new ByteWriter(4096)
                .bytes(outer.ciphertext())
                .bytes(inner.ciphertext())
                .toByteArray();
        KeyId id = key.id();
        String algorithm = PREFIX + key.readers().algorithm().id();
        byte[] kek = kek(outer.secret(), inner.secret(), headerDigest, algorithm, id, encapsulation);
        try {
            return new WrappedKey(algorithm, id, encapsulation, ContentKey.wrap(kek, contentKey));
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
     * The algorithm of the readers' keys; empty if the wrap is for no policy, or of an algorithm that is not known
     * here.
     */
    static Optional<WrapAlgorithm> algorithm(WrappedKey wrap) {
        return wrap.algorithm().startsWith(PREFIX)
                ? WrapAlgorithm.byId(wrap.algorithm().substring(PREFIX.length()))
                : Optional.empty();
    }

    /** Whether a wrap is for a policy. */
    static boolean isOne(WrappedKey wrap) {
        return algorithm(wrap).isPresent();
    }

    /** Length of the readers' part. */
    private static int readersBytes(WrappedKey wrap) {
        return algorithm(wrap).orElseThrow().ciphertextBytes();
    }

    /**
     * The part that says who may read.
     *
     * @throws MalformedEncodingException if it is no such wrap
     */
    static byte[] attributeCiphertext(WrappedKey wrap) throws MalformedEncodingException {
        byte[] both = wrap.encapsulation();
        int first = readersBytes(wrap);
        if (both.length <= first) {
            throw new MalformedEncodingException("wraps.encapsulation", "two ciphertexts");
        }
        return Arrays.copyOfRange(both, first, both.length);
    }

    /** Length of {@link #attributeCiphertext}. */
    static int attributeBytes(WrappedKey wrap) {
        return wrap.encapsulation().length - readersBytes(wrap);
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
        if (algorithm(wrap).orElseThrow() != key.readersKey().algorithm()) {
            Arrays.fill(second, (byte) 0);
            return Optional.empty();
        }
        byte[] first = key.readersKey().decapsulate(Arrays.copyOf(wrap.encapsulation(), readersBytes(wrap)));
        byte[] kek = kek(first, second, headerDigest, wrap.algorithm(), wrap.keyId(), wrap.encapsulation());
        try {
            return Optional.of(ContentKey.unwrap(kek, wrap.wrapped()));
        } catch (AEADBadTagException e) {
            return Optional.empty();
        } finally {
            Arrays.fill(kek, (byte) 0);
        }
    }

    /** Erases the two secrets. */
    private static byte[] kek(
            byte[] first, byte[] second, byte[] headerDigest, String algorithm, KeyId keyId, byte[] encapsulation) {
        byte[] both = new byte[first.length + second.length];
        System.arraycopy(first, 0, both, 0, first.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        byte[] info = new ByteWriter(160)
                .shortString(LABEL)
                .shortString(algorithm)
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
