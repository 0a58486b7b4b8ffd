package dev.veilgate.proxy;

/** A recipient for whom mail cannot be sealed, and why: not in the bundle, or a certificate that must not be used. */
final class NoKeyException extends Exception {
    private static final long serialVersionUID = 1L;

    NoKeyException(String message) {
        super(message);
    }
}
