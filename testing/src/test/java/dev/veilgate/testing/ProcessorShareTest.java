package dev.veilgate.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Processor time of processes that have a share of one, by each way that there is on this machine. */
class ProcessorShareTest {
    private static final double SHARE = 0.2;
    /** The system counts hundredths of a second, and a busy machine is late to stop a process. */
    private static final double SLACK = 0.15;
    /** Three processes that have no share have more than this, also beside ten others on two processors. */
    private static final double FREE = 0.4;

    private static final Duration WORK = Duration.ofMillis(400);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final String SPIN = "(while :; do :; done) & ";

    private Process root;

    @BeforeEach
    void start() throws IOException {
        root = new ProcessBuilder("sh", "-c", "read go; " + SPIN.repeat(3) + "wait").start();
    }

    @AfterEach
    void end() {
        List<ProcessHandle> spinning = root.descendants().toList();
        root.destroyForcibly();
        spinning.forEach(ProcessHandle::destroyForcibly);
    }

    @Test
    void whatAProcessStartsHasItsShareByStopSignals() throws Exception {
        hasItsShare(new StopSignals(SHARE));
    }

    @Test
    void whatAProcessStartsHasItsShareByAControlGroup() throws Exception {
        Optional<ControlGroup> group = ControlGroup.make(SHARE);
        if (group.isEmpty()) {
            System.out.println("ProcessorShareTest: no control group can be made here, stop signals only");
            return;
        }
        hasItsShare(group.get());
        assertThat(group.get().folder()).as("nothing is left in it").doesNotExist();
    }

    private void hasItsShare(ProcessorLimit limit) throws Exception {
        try (ProcessorShare share = new ProcessorShare(limit)) {
            share.limit(root.toHandle());
            spin();
            Duration before = used();
            long begin = System.nanoTime();
            double had;
            do { // what they got by a late stop is taken back in the periods behind it
                awaitedSince(begin);
                had = (double) used().minus(before).toNanos() / (System.nanoTime() - begin);
            } while (used().minus(before).compareTo(WORK) < 0 || had > SHARE + SLACK);
        }
        isFree();
    }

    @Test
    void processesAreFreeWhenTheJvmThatStopsThemIsKilled() throws Exception {
        Process other = starver("stop signals");
        spin();
        long begin = System.nanoTime();
        while (!root.descendants().allMatch(ProcessorShareTest::isStopped)) {
            awaitedSince(begin);
        }
        other.destroyForcibly().onExit().join();
        isFree();
    }

    @Test
    void processesAreFreeWhenTheJvmThatLimitsThemEnds() throws Exception {
        Process other = starver("");
        spin();
        other.getOutputStream().close();
        assertThat(other.waitFor(1, TimeUnit.MINUTES)).isTrue();
        isFree();
    }

    private Process starver(String way) throws IOException {
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Starver.class.getName(),
                        Long.toString(root.pid()),
                        way)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader said = other.inputReader();
        assertThat(said.readLine()).isEqualTo("limited");
        return other;
    }

    /** Limits a process, and does not let it go before it ends itself with its input. */
    static final class Starver {
        static void main(String[] args) throws IOException {
            ProcessorShare share = args[1].isEmpty() //
                    ? new ProcessorShare(SHARE)
                    : new ProcessorShare(new StopSignals(SHARE));
            share.limit(ProcessHandle.of(Long.parseLong(args[0])).orElseThrow());
            System.out.println("limited");
            System.exit(System.in.read());
        }
    }

    private void spin() throws Exception {
        root.getOutputStream().write('\n');
        root.getOutputStream().flush();
        long begin = System.nanoTime();
        while (root.descendants().count() < 3) {
            awaitedSince(begin);
        }
    }

    private void isFree() throws Exception {
        long begin = System.nanoTime();
        double had;
        do {
            Duration before = used();
            long from = System.nanoTime();
            while (System.nanoTime() - from < TimeUnit.SECONDS.toNanos(1)) {
                awaitedSince(begin);
            }
            had = (double) used().minus(before).toNanos() / (System.nanoTime() - from);
        } while (had < FREE);
    }

    private static void awaitedSince(long begin) throws InterruptedException {
        assertThat(System.nanoTime() - begin).isLessThan(PATIENCE_NANOS);
        Thread.sleep(10); // the condition is looked at again
    }

    private static boolean isStopped(ProcessHandle process) {
        try {
            Process state = new ProcessBuilder("ps", "-o", "state=", "-p", Long.toString(process.pid())).start();
            return new String(state.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).startsWith("T");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Processor time of what the root started. */
    private Duration used() {
        return root.descendants()
                .map(process -> process.info().totalCpuDuration().orElseThrow())
                .reduce(Duration.ZERO, Duration::plus);
    }
}
