package dev.veilgate.sse.segments;

/**
 * Document of a segment, without its words.
 *
 * @param name   by which its owner knows it
 * @param digest of its content, 32 bytes
 * @param parts  how many parts its file has that are documents of their own; else 0
 */
public record StoredName(String name, byte[] digest, long parts) {
    /** Copies. */
    public StoredName {
        digest = digest.clone();
    }

    @Override
    public byte[] digest() {
        return digest.clone();
    }

    /** Shows nothing. */
    @Override
    public String toString() {
        return "StoredName[hidden]";
    }
}
