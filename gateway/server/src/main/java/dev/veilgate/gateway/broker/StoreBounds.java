package dev.veilgate.gateway.broker;

import com.hivemq.configuration.service.InternalConfigurations;
import com.hivemq.migration.meta.PersistenceType;
import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * How much HiveMQ's stores take. As it comes, it is made for millions of sessions on a machine of its own: it opens its stores 64 times over, and asks for portions of the machine's memory
 * for what is written to a store of payloads, which the store also sets aside on disk, in advance, for each of its logs. Ours keeps notices of some hundred bytes and now and then an
 * envelope as dead letter, and takes the same on every machine.
 */
final class StoreBounds {
    /** The data folder is bound to the number. */
    private static final int BUCKETS = 2;

    /** Of each bucket of payloads; its log is set aside a tenth larger. */
    private static final long WRITE_BUFFER_BYTES = 4 << 20;

    /** Blocks of payloads that were read. */
    private static final long BLOCK_CACHE_BYTES = 8 << 20;

    private StoreBounds() {}

    /** For brokers of this process that start from now on. */
    static void apply() {
        InternalConfigurations.PERSISTENCE_BUCKET_COUNT.set(BUCKETS);
        InternalConfigurations.PAYLOAD_PERSISTENCE_BUCKET_COUNT.set(BUCKETS);
        InternalConfigurations.PERSISTENCE_STARTUP_THREAD_POOL_SIZE.set(BUCKETS);
        InternalConfigurations.PERSISTENCE_SHUTDOWN_GRACE_PERIOD_MSEC.set(200);
        InternalConfigurations.JMX_REPORTER_ENABLED.set(false);
        // The other kind takes a fixed portion of the machine's memory for its log, and sets that aside some seconds
        // after the start: 424 MB of 24 GB.
        InternalConfigurations.RETAINED_MESSAGE_PERSISTENCE_TYPE.set(PersistenceType.FILE);
        long memory = memoryBytes();
        InternalConfigurations.PAYLOAD_PERSISTENCE_MEMTABLE_SIZE_PORTION.set(
                portion(memory, BUCKETS * WRITE_BUFFER_BYTES));
        InternalConfigurations.PAYLOAD_PERSISTENCE_BLOCK_CACHE_SIZE_PORTION.set(portion(memory, BLOCK_CACHE_BYTES));
    }

    /** By what HiveMQ must divide the memory to get at most so much. */
    static int portion(long memory, long bytes) {
        return Math.clamp(Math.ceilDiv(memory, bytes), 1, Integer.MAX_VALUE);
    }

    /** As HiveMQ asks for it. */
    private static long memoryBytes() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                        && system.getTotalMemorySize() > 0
                ? system.getTotalMemorySize()
                : Runtime.getRuntime().maxMemory() * 3 / 2;
    }
}
