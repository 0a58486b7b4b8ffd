package dev.veilgate.pq;

/**
 * Library, or libraries, that compute the post-quantum algorithms. All providers give the same bytes for the same
 * input.
 */
public interface PostQuantumProvider {
    /** Name in settings, status and metrics: {@code platform} or {@code native}. */
    String name();

    /** For people: which library, which version. */
    String description();

    /**
     * ML-KEM-768: FIPS 203. The seed is d, z (64 bytes), the coins are m (32 bytes). IND-CCA secure if Module-LWE is
     * hard, category 3.
     */
    Kem mlKem768();

    /**
     * FrodoKEM-976 with AES, in the form of the submission to NIST's third round, which the later standard calls
     * eFrodoKEM. The seed is s, seedSE, z (64 bytes), the coins are mu (24 bytes). IND-CCA secure if plain LWE is hard,
     * which has no structure that a break of modules and rings could use; category 3. No salt: among n ciphertexts of
     * one key the message of some one is found by 2^192 / n guesses, so that 2^64 ciphertexts leave 128 bits.
     */
    Kem frodoKem976();

    /**
     * ML-DSA-65: FIPS 204, with the empty context. The seed is xi (32 bytes). Secure if Module-LWE and Module-SIS are
     * hard, category 3.
     */
    SignatureScheme mlDsa65();

    /**
     * SLH-DSA-SHA2-128f: FIPS 205, pure, with the empty context. The seed is SK.seed, SK.prf, PK.seed (48 bytes).
     * Secure if SHA-256 is, with nothing of lattices or curves; category 1; for up to 2^64 signatures of a key. Signing
     * takes some 40 ms in Java and verifying 2.5. All providers have that of {@code platform}: liboqs 0.13 makes
     * SPHINCS+ as it was before the standard, whose signatures are others.
     */
    SignatureScheme slhDsaSha2128f();
}
