package dev.veilgate.sse.segments;

import java.util.Arrays;

/**
 * The newest state of an archive that a device has seen.
 *
 * @param version counts from 1
 * @param tag     the state's name, 32 bytes
 */
public record SeenHead(long version, byte[] tag) {
    /** Copies. */
    public SeenHead {
        tag = tag.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SeenHead that && version == that.version && Arrays.equals(tag, that.tag);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(tag);
    }
}
