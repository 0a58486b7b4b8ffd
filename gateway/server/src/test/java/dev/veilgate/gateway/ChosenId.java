package dev.veilgate.gateway;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.UUID;

/** A random source by which one envelope gets a chosen id, as whoever seals may have it; all else is random. */
public final class ChosenId extends SecureRandom {
    private static final long serialVersionUID = 1L;
    private static final int ID_BYTES = 16;

    private final UUID id;
    private boolean used;

    /** @param id of the envelope that is sealed with it */
    public ChosenId(UUID id) {
        this.id = id;
    }

    /** The time of the id. */
    public Clock clock() {
        return Clock.fixed(Instant.ofEpochMilli(id.getMostSignificantBits() >>> 16), ZoneOffset.UTC);
    }

    @Override
    public void nextBytes(byte[] bytes) {
        if (used || bytes.length != ID_BYTES) {
            super.nextBytes(bytes);
            return;
        }
        used = true;
        ByteBuffer.wrap(bytes).putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits() << 2);
    }
}
