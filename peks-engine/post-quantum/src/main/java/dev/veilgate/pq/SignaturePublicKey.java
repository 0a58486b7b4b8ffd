package dev.veilgate.pq;

/** Verifies. */
public interface SignaturePublicKey {
    /** Whether the signature is one of this message by this key; false for bytes that are none, of any length. */
    boolean verify(byte[] message, byte[] signature);
}
