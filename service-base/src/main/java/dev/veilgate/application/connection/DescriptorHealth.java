package dev.veilgate.application.connection;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * Health of the process's file descriptors: says that they run out before they have. Without one no connection is
 * accepted and no file is opened, which nothing else would say of itself.
 */
public final class DescriptorHealth implements HealthIndicator {
    /** The process goes on, and should be looked at. */
    public static final Status DEGRADED = new Status("DEGRADED");

    private static final int DEGRADED_PERCENT = 80;
    private static final int DOWN_PERCENT = 95;
    private static final int WHOLE = 100;

    private final LongSupplier open;
    private final LongSupplier most;

    /**
     * Health of any process.
     *
     * @param most that it may have open
     */
    DescriptorHealth(LongSupplier open, LongSupplier most) {
        this.open = open;
        this.most = most;
    }

    /** Health of this process; where the system has no such limit it is always up. */
    public static HealthIndicator indicator() {
        return ofThisProcess()
                .<HealthIndicator>map(health -> health)
                .orElse(() -> Health.up().build());
    }

    /** Health of this process; empty where the system has no such limit. */
    static Optional<DescriptorHealth> ofThisProcess() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                ? Optional.of(
                        new DescriptorHealth(system::getOpenFileDescriptorCount, system::getMaxFileDescriptorCount))
                : Optional.empty();
    }

    @Override
    public Health health() {
        long now = open.getAsLong();
        long limit = most.getAsLong();
        return Health.status(status(now, limit))
                .withDetail("open", now)
                .withDetail("most", limit)
                .build();
    }

    private static Status status(long now, long limit) {
        if (now >= limit / WHOLE * DOWN_PERCENT) {
            return Status.DOWN;
        }
        return now >= limit / WHOLE * DEGRADED_PERCENT ? DEGRADED : Status.UP;
    }
}
