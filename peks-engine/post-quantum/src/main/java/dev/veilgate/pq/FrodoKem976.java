package dev.veilgate.pq;

/** Lengths of FrodoKEM-976-AES in bytes: submission to the third round, table 5. */
public final class FrodoKem976 {
    /** s, seedSE, z. */
    public static final int SEED_BYTES = 64;

    /** Public key. */
    public static final int PUBLIC_KEY_BYTES = 15632;

    /** Ciphertext. */
    public static final int CIPHERTEXT_BYTES = 15744;

    /** mu. */
    public static final int COINS_BYTES = 24;

    /** Shared secret. */
    public static final int SECRET_BYTES = 24;

    static final String NAME = "FrodoKEM-976-AES";

    private FrodoKem976() {}
}
