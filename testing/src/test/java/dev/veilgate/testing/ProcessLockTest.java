package dev.veilgate.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessLockTest {
    @TempDir
    Path folder;

    @Test
    void anotherThreadWaits() throws Exception {
        Path file = folder.resolve("not-there-yet/lock");
        ProcessLock first = ProcessLock.take(file);
        CompletableFuture<ProcessLock> second = taking(file);
        assertThat(isTaken(second)).isFalse();
        first.close();
        first.close(); // gives nothing back twice
        CompletableFuture<ProcessLock> third;
        try (ProcessLock _ = second.get(1, TimeUnit.MINUTES)) {
            third = taking(file);
            assertThat(isTaken(third)).isFalse();
        }
        third.get(1, TimeUnit.MINUTES).close(); // else it opens its file while the folder is being deleted
    }

    @Test
    void anotherProcessWaitsUntilThisOneIsKilled() throws Exception {
        Path file = folder.resolve("lock");
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Holder.class.getName(),
                        file.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader said = other.inputReader()) {
            assertThat(said.readLine()).isEqualTo("held");
            CompletableFuture<ProcessLock> ours = taking(file);
            assertThat(isTaken(ours)).isFalse();
            other.destroyForcibly();
            ours.get(1, TimeUnit.MINUTES).close();
        } finally {
            other.destroyForcibly();
        }
    }

    private static CompletableFuture<ProcessLock> taking(Path file) {
        CompletableFuture<ProcessLock> taken = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                taken.complete(ProcessLock.take(file));
            } catch (Exception e) {
                taken.completeExceptionally(e);
            }
        });
        return taken;
    }

    /** That something does not happen can only be waited for. */
    private static boolean isTaken(CompletableFuture<ProcessLock> lock)
            throws InterruptedException, ExecutionException {
        try {
            lock.get(200, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    /** Takes the lock that its argument names, says so, and holds it until it is killed or nobody is there to write to it. */
    static final class Holder {
        public static void main(String[] arguments) throws Exception {
            try (ProcessLock _ = ProcessLock.take(Path.of(arguments[0]))) {
                System.out.println("held");
                System.in.transferTo(OutputStream.nullOutputStream());
            }
        }
    }
}
