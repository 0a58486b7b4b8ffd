package dev.veilgate.sse.segments;

/**
 * Document of a segment, without its words.
 *
 * @param name   by which its owner knows it
 * @param digest of its content under a key of the archive: see {@link SegmentArchive#digest}
 * @param place  of its first byte in the file that it is a part of; else 0
 */
public record StoredName(String name, byte[] digest, long place) {
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
