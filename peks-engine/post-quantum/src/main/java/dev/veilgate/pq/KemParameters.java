package dev.veilgate.pq;

/**
 * Name and lengths in bytes of a key encapsulation mechanism.
 *
 * @param name            in its standard
 * @param seedBytes       from which a key pair follows
 * @param publicKeyBytes  of a public key
 * @param ciphertextBytes of a ciphertext
 * @param coinsBytes      that one encapsulation takes
 * @param secretBytes     of a shared secret
 */
public record KemParameters(
        String name, int seedBytes, int publicKeyBytes, int ciphertextBytes, int coinsBytes, int secretBytes) {
    /** FIPS 203; the seed is d, z and the coins are m. */
    public static final KemParameters ML_KEM_768 = new KemParameters("ML-KEM-768", 64, 1184, 1088, 32, 32);

    /** Submission to the third round, table 5; the seed is s, seedSE, z and the coins are mu. */
    public static final KemParameters FRODOKEM_976_AES =
            new KemParameters("FrodoKEM-976-AES", 64, 15632, 15744, 24, 24);

    void requireSeed(byte[] seed) {
        require("seed", seed, seedBytes);
    }

    void requirePublicKey(byte[] publicKey) {
        require("public key", publicKey, publicKeyBytes);
    }

    void requireCiphertext(byte[] ciphertext) {
        require("ciphertext", ciphertext, ciphertextBytes);
    }

    void requireCoins(byte[] coins) {
        require("string of coins", coins, coinsBytes);
    }

    private void require(String what, byte[] bytes, int length) {
        Lengths.require(what + " of " + name, bytes, length);
    }
}
