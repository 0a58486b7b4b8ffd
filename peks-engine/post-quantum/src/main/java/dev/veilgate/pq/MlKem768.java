package dev.veilgate.pq;

/** Lengths of ML-KEM-768 in bytes: FIPS 203. */
public final class MlKem768 {
    /** d, z. */
    public static final int SEED_BYTES = 64;

    /** Encapsulation key. */
    public static final int PUBLIC_KEY_BYTES = 1184;

    /** Ciphertext. */
    public static final int CIPHERTEXT_BYTES = 1088;

    /** m. */
    public static final int COINS_BYTES = 32;

    /** Shared secret. */
    public static final int SECRET_BYTES = 32;

    static final String NAME = "ML-KEM-768";

    private MlKem768() {}
}
