package dev.veilgate.abe;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.secret.Secret;
import java.security.SecureRandom;

/**
 * An attribute-based scheme as a key encapsulation. With a policy in the ciphertext, readers are chosen when a message is sealed, by what they are;
 * with policies in keys, a reader is given a key for a kind of message.
 *
 * <p>Security: indistinguishability of secrets against chosen ciphertexts and any number of colluding readers whose keys do not satisfy the policy,
 * in the random oracle model, from what the scheme below has: docs/spec/abe-kem.md and the page of the scheme. Not given: secrecy of labels; forward
 * secrecy (a key that leaks opens what was sealed for it: that is what epochs bound); anything against the authority; anything against quantum
 * computers, which is why an envelope combines the secret with the tenant's ML-KEM.
 *
 * <p>Keys of another scheme, or of two authorities mixed, are the caller's fault: IllegalArgumentException. Safe for use by several threads.
 */
@Secret
public interface AttributeKem {
    /** Names the scheme in keys and ciphertexts: {@code cp-fabeo22}. */
    String id();

    /** Whether keys have policies and ciphertexts attributes; else it is the other way round. */
    boolean keysHavePolicies();

    /**
     * A new authority's keys.
     *
     * @param random a seed of 32 bytes is drawn
     */
    AttributeKeys setup(SecureRandom random);

    /**
     * A reader's key.
     *
     * @param label  attributes, or, if {@link #keysHavePolicies}, a policy
     * @param random a seed of 32 bytes is drawn
     * @throws IllegalArgumentException for a label of the other kind, or a master key of another public key
     */
    AttributeSecretKey keyGen(
            AttributeMasterKey masterKey, AttributePublicKey publicKey, Label label, SecureRandom random);

    /** Whether readers can {@link #delegate}: {@code cp-bsw07} only. */
    boolean canDelegate();

    /**
     * A key with some of the attributes of another, which its owner makes without the authority, and which is as one that the authority issues:
     * docs/spec/bsw07.md.
     *
     * @param label  attributes of the key
     * @param random a seed of 32 bytes is drawn
     * @throws IllegalArgumentException if the scheme has no delegation, if the key lacks an attribute, or is not one of this public key's
     */
    AttributeSecretKey delegate(AttributePublicKey publicKey, AttributeSecretKey key, Label label, SecureRandom random);

    /**
     * A fresh secret, and a ciphertext of it for whoever satisfies the policy.
     *
     * @param label  a policy, or, if {@link #keysHavePolicies}, attributes
     * @param random 32 bytes are drawn
     * @throws IllegalArgumentException for a label of the other kind
     */
    Encapsulation encapsulate(AttributePublicKey publicKey, Label label, SecureRandom random);

    /**
     * How many bytes a ciphertext for a label has.
     *
     * @throws IllegalArgumentException for a label of the other kind
     */
    int ciphertextBytes(Label label);

    /**
     * The secret, 32 bytes; the caller wipes it.
     *
     * @throws MalformedEncodingException if the bytes are no ciphertext of this scheme
     * @throws UnsatisfiedPolicyException if the key does not open it
     * @throws RefusedCiphertextException if it was changed, or made for another public key
     * @throws IllegalArgumentException   if the key is not one of this public key's
     */
    byte[] decapsulate(AttributePublicKey publicKey, AttributeSecretKey key, byte[] ciphertext)
            throws MalformedEncodingException, UnsatisfiedPolicyException, RefusedCiphertextException;

    /** Whether opening takes pairings for each attribute of the policy that is used, {@code cp-bsw07} and {@code kp-gpsw06}; else it takes as many whatever the policy. */
    boolean pairingsGrow();

    /**
     * Takes a reader's key apart, so that a server can do the pairings for him and learns no secret: docs/spec/abe-outsourcing.md. Worth it where
     * pairings grow with the policy ({@code cp-bsw07}, {@code kp-gpsw06}), or where the reader's device has none.
     *
     * @param random a seed of 32 bytes is drawn
     */
    AttributeBlindedKey blind(AttributeSecretKey key, SecureRandom random);

    /**
     * The server's part.
     *
     * @return the answer for the reader, 576 bytes
     * @throws MalformedEncodingException if the bytes are no ciphertext of this scheme
     * @throws UnsatisfiedPolicyException if the reader's key does not open it
     */
    byte[] transform(AttributeTransformKey key, byte[] ciphertext)
            throws MalformedEncodingException, UnsatisfiedPolicyException;

    /**
     * The reader's part: the secret, as {@link #decapsulate(AttributePublicKey, AttributeSecretKey, byte[])} finds it. A server that lies is found
     * out, and learns nothing by it.
     *
     * @param answer of a server that nobody trusts
     * @throws MalformedEncodingException if the bytes are no answer, or no ciphertext of this scheme
     * @throws RefusedCiphertextException if the answer is wrong, or the ciphertext was changed or made for another public key
     * @throws IllegalArgumentException   if the key is not one of this public key's
     */
    byte[] decapsulate(AttributePublicKey publicKey, AttributeRetrievalKey key, byte[] answer, byte[] ciphertext)
            throws MalformedEncodingException, RefusedCiphertextException;

    /**
     * What a ciphertext says of itself, whether true or not: whoever decapsulates it sees. Its elements are not looked at, so that this is cheap whoever made it.
     *
     * @throws MalformedEncodingException if the bytes do not begin as a ciphertext of this scheme, or do not have its length
     */
    Label labelOf(byte[] ciphertext) throws MalformedEncodingException;
}
