package dev.veilgate.application.connection;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A line of the log for something that may happen often: at once for the first time, then once a minute with how often
 * it was meanwhile.
 */
public final class MinuteLog {
    /** Writes the line. */
    @FunctionalInterface
    public interface Line {
        /**
         * Writes it.
         *
         * @param times  since the line before it
         * @param latest what was said of the latest of them
         */
        void write(long times, String latest);
    }

    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    private final Line line;
    private final LongSupplier nanos;
    private long written;
    private long times;
    private String latest = "";

    /** Makes it. */
    public MinuteLog(Line line) {
        this(line, System::nanoTime);
    }

    MinuteLog(Line line, LongSupplier nanos) {
        this.line = line;
        this.nanos = nanos;
        this.written = nanos.getAsLong() - MINUTE;
    }

    /** Counts that it happened. */
    public synchronized void note(String what) {
        times++;
        latest = what;
        flush();
    }

    /** Writes what is left of the last minute, if it is over. To be called now and then. */
    public synchronized void flush() {
        long now = nanos.getAsLong();
        if (times > 0 && now - written >= MINUTE) {
            line.write(times, latest);
            written = now;
            times = 0;
        }
    }
}
