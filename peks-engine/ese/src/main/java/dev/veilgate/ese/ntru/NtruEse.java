package dev.veilgate.ese.ntru;

import dev.veilgate.ese.EncryptWithHash;
import dev.veilgate.secret.Secret;
import java.security.SecureRandom;

/**
 * Encrypt-with-hash over NTRU encryption in R_q = Z_q[x]/(x^N + 1), plaintext modulus 2.
 *
 * <pre>
 *   KeyGen     F, g ternary until f = 2F + 1 and g are invertible mod q;  h = g·f^-1 mod q
 *   Encaps     r ternary, m bits, from the coins;  c = 2·h·r + m mod q,  K = SHA-256(c, m)
 *   Decaps     f·c = m + 2(g·r + F·m) in (-q/2, q/2);  m is that mod 2, since f = 1 mod 2
 * </pre>
 *
 * <table>
 * <caption>Symbols</caption>
 * <tr><td>h; f = 2F + 1, g</td><td>public key; secret key, F and g uniform ternary</td></tr>
 * <tr><td>r, m, c</td><td>uniform ternary; N uniform bits; encapsulation</td></tr>
 * </table>
 *
 * <p><b>Decryption never fails</b>: all coefficients of m + 2(g·r + F·m) are at most 1 + 4N = 4,097 in absolute value, whatever the polynomials, and q/2 is 6,144.5. So
 * there are no failures for an attacker to look for, and tags are complete.
 *
 * <p><b>Security.</b> Encapsulation is IND-CPA, SHA-256 a random oracle, if m is hard to find from h and c: under decisional NTRU (h looks uniform) and search ring-LWE
 * with one sample, ternary secret and binary error. Estimated at 185 bits classical, 163 quantum (core-SVP, {@link ParameterSet}). What encrypt-with-hash makes of it,
 * and what it <b>leaks</b> (equality, frequency, every message that can be guessed, to everybody), is written at {@link EncryptWithHash}.
 *
 * <p>Source: Hoffstein, Pipher, Silverman, "NTRU: A Ring-Based Public Key Cryptosystem" (ANTS 1998), with f = 1 modulo the plaintext modulus (Hoffstein, Silverman,
 * "Optimizations for NTRU", 2000), over x^N + 1 as in Stehlé, Steinfeld (EUROCRYPT 2011), whose wide keys it does not have. The keys of NTRU-PEKS are not usable
 * here: their f is not 1 mod 2 and too long.
 */
@Secret
public final class NtruEse {
    private NtruEse() {}

    /**
     * The scheme.
     *
     * @param parameters of all keys and ciphertexts
     * @param random     seeds key generation
     */
    public static EncryptWithHash<PublicKey, SecretKey> of(ParameterSet parameters, SecureRandom random) {
        return new EncryptWithHash<>(new NtruKem(parameters), random);
    }

    /** The parameter set {@link ParameterSet#N1024_Q12289} with a {@link SecureRandom} of the platform's choice. */
    public static EncryptWithHash<PublicKey, SecretKey> withDefaults() {
        return of(ParameterSet.N1024_Q12289, new SecureRandom());
    }
}
