package dev.veilgate.pq;

/**
 * A signature scheme with fixed lengths whose key pair follows from a seed. Unforgeable under chosen messages, in the
 * assumption that the provider's method names. Safe for use by several threads.
 */
public interface SignatureScheme {
    /** Name and lengths. */
    SignatureParameters parameters();

    /**
     * A key pair.
     *
     * @param seed uniform, {@link SignatureParameters#seedBytes} bytes; copied, the caller erases it
     * @throws IllegalArgumentException for another length
     */
    SignatureSecretKey key(byte[] seed);

    /**
     * A public key made ready for many signatures.
     *
     * @throws IllegalArgumentException for another length
     */
    SignaturePublicKey publicKey(byte[] publicKey);
}
