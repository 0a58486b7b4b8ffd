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

    /** For a message without which the service is ended. systemd may be behind, most of all while a machine starts. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

    private static final Duration TRY_AGAIN = Duration.ofMillis(100);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(5);
    /** Processor time of threads that only wait, between two looks. */
    private static final long IDLE_NANOS = 50_000_000;

    private final @Nullable NotifySocket socket;
    private final Consumer<String> log;
    private volatile boolean isStarting;
    private volatile boolean isStopping;
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
        long end = System.nanoTime() + LONGEST_WAIT.toNanos();
        boolean heard = say("READY=1\nSTATUS=ready");
        try {
            while (!heard && !isStopping && System.nanoTime() < end) {
                Thread.sleep(TRY_AGAIN);
                heard = say("READY=1\nSTATUS=ready");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The start failed: nothing more is reported. */
    public void failed(String why) {
        isStarting = false;
        say("STATUS=" + why.lines().findFirst().orElse(""));
    }

    /** The service was told to end, and ends within a time. */
    public void stopping(Duration limit) {
        isStarting = false;
        isStopping = true;
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

    /** False if it may be heard later. */
    private synchronized boolean say(String state) {
        if (socket == null) {
            return true;
        }
        try {
            boolean heard = socket.send(state);
            if (!heard) {
                fail("it has more messages to read than the system keeps; it is tried again");
            }
            return heard;
        } catch (IOException e) {
            fail(String.valueOf(e.getMessage()));
            return true;
        }
    }

    private void fail(String why) {
        if (!hasFailed) {
            hasFailed = true;
            log.accept("systemd is not told how this service is: " + why);
        }
    }
}
