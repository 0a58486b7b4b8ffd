package dev.veilgate.transport.supervision;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The program that runs this service, told by it how far it is: that it starts, as long as the start makes progress,
 * that it is ready, and that it stops. systemd listens to services of {@code Type=notify}; where nobody listens,
 * nothing is said.
 */
public final class Supervisor {
    /** Until a start that makes no more progress is given up. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final Duration LOOK_EVERY = Duration.ofSeconds(5);
    /** Processor time of threads that only wait, between two looks. */
    private static final long IDLE_NANOS = 50_000_000;

    private final @Nullable NotifySocket socket;
    private final Consumer<String> log;
    private volatile boolean isStarting;
    private boolean hasFailed;

    private Supervisor(@Nullable NotifySocket socket, Consumer<String> log) {
        this.socket = socket;
        this.log = log;
    }

    /**
     * Supervisor that the environment names ({@code NOTIFY_SOCKET}).
     *
     * @param log told if it cannot be spoken to, which stops nothing here
     */
    public static Supervisor ofProcess(Consumer<String> log) {
        return of(System.getenv("NOTIFY_SOCKET"), log);
    }

    static Supervisor of(@Nullable String socket, Consumer<String> log) {
        if (socket == null || socket.isEmpty()) {
            return new Supervisor(null, log);
        }
        try {
            return new Supervisor(new NotifySocket(socket), log);
        } catch (IOException e) {
            log.accept("systemd is not told how this service is: " + e.getMessage());
            return new Supervisor(null, log);
        }
    }

    /** The start begins. Asks for more time again and again, as long as the process loads classes or computes. */
    public void starting() {
        if (socket == null) {
            return;
        }
        isStarting = true;
        Thread.ofPlatform().daemon().name("start-progress").start(this::reportProgress);
    }

    /** The service does what it is for. */
    public void ready() {
        isStarting = false;
        say("READY=1\nSTATUS=ready");
    }

    /** The start failed: nothing more is reported. */
    public void failed(String why) {
        isStarting = false;
        say("STATUS=" + why.lines().findFirst().orElse(""));
    }

    /** The service was told to end, and ends within a time. */
    public void stopping(Duration limit) {
        isStarting = false;
        say("STOPPING=1\nSTATUS=stops\nEXTEND_TIMEOUT_USEC=" + micros(limit.plus(limit)));
    }

    private void reportProgress() {
        long loaded = 0;
        long used = 0;
        try {
            while (isStarting) {
                long loadedNow = ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount();
                long usedNow = usedNanos();
                if (loadedNow > loaded || usedNow - used > IDLE_NANOS) {
                    say("EXTEND_TIMEOUT_USEC=" + micros(PATIENCE) + "\nSTATUS=starts, with " + usedNow / 1_000_000_000
                            + " s of processor time so far");
                }
                loaded = loadedNow;
                used = usedNow;
                Thread.sleep(LOOK_EVERY);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static long usedNanos() {
        return ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .orElse(Duration.ZERO)
                .toNanos();
    }

    private static long micros(Duration time) {
        return time.toNanos() / 1000;
    }

    private synchronized void say(String state) {
        NotifySocket listening = socket;
        if (listening == null || hasFailed) {
            return;
        }
        try {
            listening.send(state);
        } catch (IOException e) {
            hasFailed = true;
            log.accept("systemd is not told how this service is: " + e.getMessage());
        }
    }
}
