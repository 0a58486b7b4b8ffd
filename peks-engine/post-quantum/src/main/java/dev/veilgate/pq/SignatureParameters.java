package dev.veilgate.pq;

/**
 * Name and lengths in bytes of a signature scheme.
 *
 * @param name           in its standard
 * @param seedBytes      from which a key pair follows
 * @param publicKeyBytes of a public key
 * @param signatureBytes of a signature
 */
public record SignatureParameters(String name, int seedBytes, int publicKeyBytes, int signatureBytes) {
    /** FIPS 204; the seed is xi. */
    public static final SignatureParameters ML_DSA_65 = new SignatureParameters("ML-DSA-65", 32, 1952, 3309);

    /** FIPS 205; the seed is SK.seed, SK.prf, PK.seed. */
    public static final SignatureParameters SLH_DSA_SHA2_128F =
            new SignatureParameters("SLH-DSA-SHA2-128f", 48, 32, 17_088);

    void requireSeed(byte[] seed) {
        Lengths.require("seed of " + name, seed, seedBytes);
    }

    void requirePublicKey(byte[] publicKey) {
        Lengths.require("public key of " + name, publicKey, publicKeyBytes);
    }
}
