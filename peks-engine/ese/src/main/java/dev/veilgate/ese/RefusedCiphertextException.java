package dev.veilgate.ese;

import java.io.Serial;

/** A well-formed ciphertext that is not the one of any message under this key and domain: it was changed, or is for another key or domain. */
public final class RefusedCiphertextException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    RefusedCiphertextException() {
        super("the ciphertext was changed, or is for another key or domain");
    }
}
