package dev.veilgate.pq;

/** A native library that was asked for and cannot be used. The message says why, for the operator. */
public final class UnfitLibraryException extends Exception {
    private static final long serialVersionUID = 1L;

    UnfitLibraryException(String message) {
        super(message);
    }

    UnfitLibraryException(String message, Throwable cause) {
        super(message, cause);
    }
}
