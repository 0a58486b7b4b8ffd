package dev.veilgate.pq;

/**
 * A key encapsulation mechanism with fixed lengths, whose randomness the caller gives:
 *
 * <pre>
 *   (pk, sk) = KeyGen(seed)        (ss, ct) = Encaps(pk; coins)        ss = Decaps(sk, ct)
 * </pre>
 *
 * so that the same seed and coins give the same bytes whoever computes. Each is IND-CCA secure under its own
 * assumption, which the provider's method names; not authenticated: anybody can encapsulate. Safe for use by several
 * threads.
 */
public interface Kem {
    /** Name and lengths. */
    KemParameters parameters();

    /**
     * A key pair.
     *
     * @param seed uniform, {@link KemParameters#seedBytes} bytes; copied, the caller erases it
     * @throws IllegalArgumentException for another length
     */
    DecapsulationKey key(byte[] seed);

    /**
     * @throws IllegalArgumentException for bytes that are no public key, as far as can be told: a wrong length, or
     * numbers that are not reduced
     */
    void checkPublicKey(byte[] publicKey);

    /**
     * A fresh shared secret, and the ciphertext of it.
     *
     * @param coins uniform, {@link KemParameters#coinsBytes} bytes that nothing else uses; copied, the caller erases
     * them
     * @throws IllegalArgumentException as {@link #checkPublicKey}, or for another length of the coins
     */
    EncapsulatedSecret encapsulate(byte[] publicKey, byte[] coins);
}
