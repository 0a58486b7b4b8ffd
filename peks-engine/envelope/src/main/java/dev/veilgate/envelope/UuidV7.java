package dev.veilgate.envelope;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.UUID;

/** UUIDs of version 7 (RFC 9562): 48 bits of milliseconds, 74 random bits. */
final class UuidV7 {
    private UuidV7() {}

    /** Draws 16 bytes. */
    static UUID make(Clock clock, SecureRandom random) {
        byte[] bytes = new byte[16];
        random.nextBytes(bytes);
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        long high = clock.millis() << 16 | 0x7000 | buffer.getLong() & 0xfff;
        long low = buffer.getLong() >>> 2 | 1L << 63;
        return new UUID(high, low);
    }
}
