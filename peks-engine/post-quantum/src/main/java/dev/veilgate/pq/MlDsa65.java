package dev.veilgate.pq;

/** Lengths of ML-DSA-65 in bytes: FIPS 204. */
public final class MlDsa65 {
    /** xi. */
    public static final int SEED_BYTES = 32;

    /** Public key. */
    public static final int PUBLIC_KEY_BYTES = 1952;

    /** Signature. */
    public static final int SIGNATURE_BYTES = 3309;

    static final String NAME = "ML-DSA-65";

    private MlDsa65() {}
}
