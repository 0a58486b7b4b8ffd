package dev.veilgate.ese.elgamal;

import dev.veilgate.ese.EncryptWithHash;
import dev.veilgate.secret.Secret;
import java.security.SecureRandom;

/**
 * Encrypt-with-hash over hashed ElGamal in G1 of BLS12-381, of order r, written additively.
 *
 * <pre>
 *   KeyGen     y random; Y = y·g1
 *   Encaps     k from the coins; c = k·g1, K = SHA-256(c, k·Y)
 *   Decaps     K = SHA-256(c, y·c)
 * </pre>
 *
 * <p><b>Security.</b> Encapsulation is IND-CPA under the computational Diffie-Hellman assumption in G1, SHA-256 a random oracle; about 120 bits classically, <b>none
 * against quantum computers</b>. What encrypt-with-hash makes of it, and what it <b>leaks</b> (equality, frequency, every message that can be guessed, to everybody), is
 * written at {@link EncryptWithHash}.
 *
 * <p>G1 because the engine has it, with arithmetic that takes the same time for all exponents; nothing is paired. The pairing, of type 3, is no help against
 * Diffie-Hellman in G1 to whoever has elements of G1 only.
 *
 * <p>Source: Abdalla, Bellare, Rogaway, "The Oracle Diffie-Hellman Assumptions and an Analysis of DHIES" (CT-RSA 2001), without its MAC, whose work the second
 * encryption of {@link EncryptWithHash#decrypt} does.
 */
@Secret
public final class ElGamalEse {
    private ElGamalEse() {}

    /**
     * The scheme.
     *
     * @param random seeds key generation
     */
    public static EncryptWithHash<PublicKey, SecretKey> of(SecureRandom random) {
        return new EncryptWithHash<>(new ElGamalKem(), random);
    }

    /** With a {@link SecureRandom} of the platform's choice. */
    public static EncryptWithHash<PublicKey, SecretKey> withDefaults() {
        return of(new SecureRandom());
    }
}
