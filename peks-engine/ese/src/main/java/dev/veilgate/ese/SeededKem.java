package dev.veilgate.ese;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.secret.Secret;

/**
 * The randomised encryption under {@link EncryptWithHash}: a key encapsulation that is secure against chosen plaintexts (IND-CPA), with its coins given as a seed.
 *
 * <p>Not to be used by itself: nothing here notices a changed encapsulation, and whoever gives a seed that others can guess gives away the key.
 *
 * <p>Needed of an instance: {@code decapsulate} finds the key of every honest encapsulation, without exception; encapsulations of independent seeds coincide, and a
 * public key is guessed, with negligible probability only; all coins come from the seed.
 *
 * @param <P> public key
 * @param <S> secret key
 */
@Secret
public interface SeededKem<P extends EsePublicKey, S extends EseSecretKey<P>> {
    /** Length of a seed. */
    int SEED_BYTES = 32;

    /** Length of a key. */
    int KEY_BYTES = 32;

    /**
     * An encapsulated key.
     *
     * @param encapsulation to be sent, {@link #encapsulationBytes} long
     * @param key           secret, {@link #KEY_BYTES} long; the caller wipes it
     */
    record Encapsulated(byte[] encapsulation, byte[] key) {
        @Override
        public String toString() {
            return "Encapsulated[hidden]";
        }
    }

    /** Names the instance with its parameter set, in ASCII; part of what is hashed. */
    String id();

    /** Names the same in ciphertexts, 1 to 255. */
    int code();

    /** Length of every encapsulation. */
    int encapsulationBytes();

    /** A key pair, from 32 uniform bytes that the caller wipes. */
    S keyGen(byte[] seed);

    /**
     * A key and its encapsulation; the same seed gives the same.
     *
     * @param seed 32 bytes, as good as uniform; the caller wipes them
     * @throws IllegalArgumentException for a key of another parameter set
     */
    Encapsulated encapsulate(P publicKey, byte[] seed);

    /**
     * The key of an encapsulation; of one that {@link #encapsulate} did not make, any key.
     *
     * @throws IllegalArgumentException for an encapsulation that {@link #check} refuses, or a key of another parameter set
     * @throws IllegalStateException for a secret key that was destroyed
     */
    byte[] decapsulate(S secretKey, byte[] encapsulation);

    /** @throws MalformedEncodingException unless it is the canonical encoding of an encapsulation */
    void check(byte[] encapsulation) throws MalformedEncodingException;
}
