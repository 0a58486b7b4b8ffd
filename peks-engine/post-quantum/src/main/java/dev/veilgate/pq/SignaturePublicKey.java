package dev.veilgate.pq;

/** Public key of a signature scheme, made ready for many signatures. */
public interface SignaturePublicKey {
    /** Verifies a signature of a message: true if this key made it, false for any other bytes, of any length. */
    boolean verify(byte[] message, byte[] signature);
}
