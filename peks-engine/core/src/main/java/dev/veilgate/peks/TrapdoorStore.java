package dev.veilgate.peks;

import java.io.IOException;
import java.util.Optional;

/**
 * Where the authority keeps every trapdoor that it has issued. A lattice trapdoor must never be sampled twice for one
 * keyword: two different preimages break the scheme's proof, two nearly equal ones give away the secret key. So a trapdoor
 * is stored durably before it is handed out, and asked for again, the stored bytes are returned.
 */
public interface TrapdoorStore {
    /** Bytes of a name. */
    int NAME_BYTES = 32;

    /**
     * The trapdoor of a name.
     *
     * @param name {@link #NAME_BYTES} bytes that reveal nothing of the keyword (a keyed hash)
     * @throws IOException if it cannot be read or is damaged; then nothing may be issued for that name
     */
    Optional<byte[]> find(byte[] name) throws IOException;

    /**
     * Stores a trapdoor unless there is one, durably, and returns the one that is stored.
     *
     * @throws IOException if it is not durable
     */
    byte[] storeIfAbsent(byte[] name, byte[] trapdoor) throws IOException;
}
