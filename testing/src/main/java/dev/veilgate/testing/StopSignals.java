package dev.veilgate.testing;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Stops processes by SIGSTOP, and lets them run by SIGCONT for a part of each {@value #PERIOD_MILLIS} ms. What several
 * threads used beyond the share is waited for before they run again.
 *
 * <p>The signals are sent by a shell that is told whom: when the JVM is killed, it sees the end of its input, and lets
 * all of them go.
 */
final class StopSignals implements ProcessorLimit {
    private static final int PERIOD_MILLIS = 200;

    /** Each line is a signal and process numbers; those of the last line are let go at the end. */
    private static final String SENDER = "trap '' INT TERM HUP; last=;"
            + " while read -r signal pids; do last=$pids; kill -\"$signal\" $pids 2>/dev/null; done;"
            + " kill -CONT $last 2>/dev/null; exit 0";

    private final long periodShareNanos;
    private final Process sender;
    private final OutputStream signals;
    private final ScheduledExecutorService periods = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("processor-share").factory());
    private final Set<ProcessHandle> processes = new LinkedHashSet<>();
    private final Map<ProcessHandle, Duration> seen = new HashMap<>();
    private long owedNanos;

    StopSignals(double cores) throws IOException {
        this.periodShareNanos = (long) (cores * TimeUnit.MILLISECONDS.toNanos(PERIOD_MILLIS));
        this.sender = new ProcessBuilder("sh", "-c", SENDER).start();
        this.signals = sender.getOutputStream();
        periods.scheduleAtFixedRate(this::begin, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Override
    public synchronized void add(ProcessHandle process) throws IOException {
        processes.add(process);
        find();
        send("STOP");
    }

    /** Begins a period: they run for their share of it, unless they owe something. */
    private synchronized void begin() {
        find();
        owedNanos = Math.max(0, owedNanos + usedNanos() - periodShareNanos);
        if (owedNanos == 0 && !processes.isEmpty()) {
            signal("CONT");
            periods.schedule(this::stop, periodShareNanos, TimeUnit.NANOSECONDS);
        }
    }

    private synchronized void stop() {
        find();
        signal("STOP");
    }

    /** Looks for what was started meanwhile; what has lost its parent is known from before. */
    private void find() {
        processes.removeIf(process -> !process.isAlive());
        seen.keySet().retainAll(processes);
        Set.copyOf(processes).forEach(process -> process.descendants().forEach(processes::add));
    }

    /** Processor time since this was asked last. */
    private long usedNanos() {
        long used = 0;
        for (ProcessHandle process : processes) {
            Duration now = process.info().totalCpuDuration().orElse(Duration.ZERO);
            Duration before = seen.put(process, now);
            used += before == null ? 0 : now.minus(before).toNanos();
        }
        return used;
    }

    private void signal(String signal) {
        try {
            send(signal);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void send(String signal) throws IOException {
        if (!processes.isEmpty()) {
            signals.write((signal + " " + String.join(" ", pids()) + "\n").getBytes(StandardCharsets.US_ASCII));
            signals.flush();
        }
    }

    private List<String> pids() {
        return processes.stream().map(process -> Long.toString(process.pid())).toList();
    }

    /** Lets all go by a shell of its own, whatever became of the other one. */
    @Override
    public void close() throws IOException {
        periods.shutdownNow();
        sender.destroyForcibly().onExit().join();
        List<String> command = new ArrayList<>(List.of("sh", "-c", "kill -CONT \"$@\" 2>/dev/null", "go"));
        synchronized (this) {
            find();
            command.addAll(pids());
        }
        new ProcessBuilder(command).start().onExit().join();
    }
}
