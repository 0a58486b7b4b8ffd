package dev.veilgate.abe;

/**
 * A ciphertext that is well formed and whose policy is satisfied, but that nobody encapsulated for this authority's public key: it was changed, it is for another
 * authority, or a server gave a wrong answer for it.
 */
public final class RefusedCiphertextException extends Exception {
    private static final long serialVersionUID = 1L;

    RefusedCiphertextException() {
        super("the ciphertext was changed, or is for another authority's public key");
    }
}
