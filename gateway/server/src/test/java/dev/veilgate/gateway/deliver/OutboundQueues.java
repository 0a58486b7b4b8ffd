package dev.veilgate.gateway.deliver;

import dev.veilgate.gateway.database.Database;
import java.time.Clock;
import java.time.Duration;

/** The queue for tests of other packages. */
public final class OutboundQueues {
    private OutboundQueues() {}

    public static OutboundQueue of(Database database) {
        return new StoredQueue(database, "gateway", Duration.ofMinutes(5), Clock.systemUTC());
    }
}
