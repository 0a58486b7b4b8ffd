package dev.veilgate.abe.kem;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.pairing.Gt;
import dev.veilgate.random.CoinStream;
import dev.veilgate.secret.Secret;
import java.util.Optional;

/**
 * An attribute-based scheme as its paper has it: encapsulates a random element of GT, secure against chosen plaintexts only. Whoever sends it into the world wraps it
 * against chosen ciphertexts.
 *
 * @param <P> public key of the authority
 * @param <S> key of a reader
 * @param <D> what a ciphertext says of its readers: a policy, or, where keys have policies, attributes
 * @param <C> ciphertext
 */
@Secret
public interface CpaKem<P, S, D, C> {
    /**
     * A ciphertext and the key in it.
     *
     * @param <C> ciphertext
     */
    record Encapsulated<C>(C ciphertext, Gt key) {}

    /** Names the scheme: {@code cp-fabeo22}. */
    String id();

    /** Encapsulates; the same coins give the same ciphertext, which is what makes a check against chosen ciphertexts possible. */
    Encapsulated<C> encapsulate(P publicKey, D descriptor, CoinStream coins);

    /**
     * The key, or, of a ciphertext that was not made by {@link #encapsulate}, any element.
     *
     * @return empty if the reader's key does not satisfy the policy
     */
    Optional<Gt> decapsulate(S key, C ciphertext);

    /** Whom it is for. */
    D descriptor(C ciphertext);

    /**
     * Whom an encoded ciphertext says it is for. Reads that alone: of the elements behind it only how many bytes they take is checked, since a stranger may have written
     * thousands of them, and to decode one costs as much as an exponentiation.
     *
     * @throws MalformedEncodingException unless it begins as such an encoding, and has its length
     */
    D descriptorOf(byte[] ciphertext) throws MalformedEncodingException;

    /** How many bytes {@link #encodeCiphertext} makes of a ciphertext for a descriptor. */
    int ciphertextBytes(D descriptor);

    /** Canonical. */
    byte[] encodePublicKey(P publicKey);

    /** @throws MalformedEncodingException unless it is such an encoding, of elements of the right groups */
    P decodePublicKey(byte[] bytes) throws MalformedEncodingException;

    /** Canonical; secret. */
    byte[] encodeKey(S key);

    /** @throws MalformedEncodingException unless it is such an encoding, of elements of the right groups */
    S decodeKey(byte[] bytes) throws MalformedEncodingException;

    /** Canonical. */
    byte[] encodeCiphertext(C ciphertext);

    /** @throws MalformedEncodingException unless it is such an encoding, of elements of the right groups */
    C decodeCiphertext(byte[] bytes) throws MalformedEncodingException;
}
