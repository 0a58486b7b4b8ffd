package dev.veilgate.packages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A small Debian in memory, booted by systemd and without a network; {@code /debs} has the packages of this build. */
final class BootedDebian implements AutoCloseable {
    /** Exit status and output of a command. */
    record Ended(int status, String said) {}

    private static final Path SCRIPTS = Path.of("packages/src/test/scripts");
    private static final Path TARGET = Path.of("packages/target");

    /** Folder of Java in this Debian, where Temurin's package would put it. */
    static final String JAVA = "/usr/lib/jvm/temurin-25-jre-amd64";

    private final Process process;
    private final long systemd;

    private BootedDebian(Process process, long systemd) {
        this.process = process;
        this.systemd = systemd;
    }

    /** Boots a copy of one folder for all; the first call makes that. */
    static BootedDebian boot() throws IOException, InterruptedException {
        Path base = base();
        Process process = new ProcessBuilder(asRoot(
                        "sh",
                        SCRIPTS.resolve("boot.sh").toString(),
                        base.toString(),
                        System.getProperty("java.home") + ":" + JAVA,
                        TARGET.toAbsolutePath() + ":/debs"))
                .redirectErrorStream(true)
                .redirectOutput(TARGET.resolve("boot.log").toFile())
                .start();
        Optional<ProcessHandle> found = Optional.empty();
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (found.isEmpty() && process.isAlive() && System.nanoTime() < end) {
            found = process.descendants().filter(BootedDebian::isSystemd).findFirst();
            Thread.sleep(50);
        }
        if (found.isEmpty()) {
            process.destroy();
            throw new IOException("it does not boot: " + Files.readString(TARGET.resolve("boot.log")));
        }
        BootedDebian debian = new BootedDebian(process, found.get().pid());
        // degraded: a unit of Debian's own that wants a whole machine, such as that which loads modules into the kernel
        debian.await(
                "it has booted",
                () -> debian.attempt("systemctl", "is-system-running").said().matches("(running|degraded)\n"));
        return debian;
    }

    private static synchronized Path base() throws IOException, InterruptedException {
        Path base = TARGET.resolve("debian").toAbsolutePath();
        if (!Files.exists(base.resolve("made"))) {
            Ended made = end(new ProcessBuilder(asRoot(
                    "sh",
                    "-c",
                    "rm -rf \"$2\" && sh \"$1/debian-root.sh\" \"$2\" systemd && : >\"$2/made\"",
                    "sh",
                    SCRIPTS.toString(),
                    base.toString())));
            assertThat(made.status()).as(made.said()).isZero();
            if (!isRoot()) { // whose files the user of this build could not delete
                Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(base)));
            }
        }
        return base;
    }

    private static boolean isSystemd(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid() + "/comm")).equals("systemd\n");
        } catch (IOException e) {
            return false; // it has just ended
        }
    }

    private static void delete(Path base) {
        try {
            end(new ProcessBuilder(asRoot("rm", "-rf", base.toString())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean isRoot() throws IOException, InterruptedException {
        return end(new ProcessBuilder("id", "-u")).said().equals("0\n");
    }

    private static List<String> asRoot(String... command) throws IOException, InterruptedException {
        List<String> whole = new ArrayList<>(isRoot() ? List.of() : List.of("sudo", "-n"));
        whole.addAll(List.of(command));
        return whole;
    }

    private static Ended end(ProcessBuilder builder) throws IOException, InterruptedException {
        Process process = builder.redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), said);
    }

    /** Runs a command there, as root. */
    Ended attempt(String... command) {
        try {
            List<String> whole = new ArrayList<>(List.of(
                    "nsenter",
                    "--target=" + systemd,
                    "--mount",
                    "--pid",
                    "--uts",
                    "--ipc",
                    "--net",
                    "--cgroup",
                    "--",
                    "env",
                    "-i",
                    "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
                    "DEBIAN_FRONTEND=noninteractive",
                    // what the optimising compiler makes of programs that live for seconds is hardly used
                    "VEILGATE_JAVA_OPTS=-XX:TieredStopAtLevel=1"));
            whole.addAll(List.of(command));
            return end(new ProcessBuilder(asRoot(whole.toArray(String[]::new))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Runs a script of the shell there, which ends at the first command that fails; all that it said. */
    String run(String script) {
        Ended ended = attempt("sh", "-euc", script);
        if (ended.status() != 0) {
            throw new AssertionError(
                    "%s%nended with %d and said:%n%s%n%s".formatted(script, ended.status(), ended.said(), journal()));
        }
        return ended.said();
    }

    /** Tells if a shell script succeeds in this Debian. */
    boolean holds(String script) {
        return attempt("sh", "-euc", script).status() == 0;
    }

    /** Waits until something holds, 90 s at most, and no longer than until a service of ours has crashed. */
    void await(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
        while (!condition.getAsBoolean()) {
            boolean restarted = holds("systemctl show --property=NRestarts 'veilgate-*' | grep -q 'NRestarts=[1-9]'");
            if (restarted || System.nanoTime() > end || !process.isAlive()) {
                throw new AssertionError("not in time: " + what + "\n" + journal());
            }
            Thread.sleep(200);
        }
    }

    private String journal() {
        return attempt("journalctl", "--no-pager", "--lines=60", "--output=cat").said();
    }

    /** The response of a service on loopback to a GET, as it came. */
    String get(int port, String path) {
        return attempt(
                        "timeout",
                        "10",
                        "bash",
                        "-c",
                        "exec 3<>/dev/tcp/127.0.0.1/" + port + " && printf 'GET " + path
                                + " HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 && cat <&3")
                .said();
    }

    /** The line with which a service on loopback greets who connects. */
    String greeting(int port) {
        return attempt("timeout", "10", "bash", "-c", "head -n 1 </dev/tcp/127.0.0.1/" + port)
                .said();
    }

    @Override
    public void close() throws IOException {
        OutputStream held = process.getOutputStream();
        held.close(); // its end
        process.onExit().orTimeout(60, TimeUnit.SECONDS).join();
    }
}
