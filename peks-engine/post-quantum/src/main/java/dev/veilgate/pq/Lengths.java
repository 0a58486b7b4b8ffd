package dev.veilgate.pq;

/** Checks lengths of arguments. */
final class Lengths {
    private Lengths() {}

    static void require(String what, byte[] bytes, int length) {
        if (bytes.length != length) {
            throw new IllegalArgumentException("a " + what + " has " + length + " bytes, not " + bytes.length);
        }
    }
}
