package dev.veilgate.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.testing.ProcessLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JourneysTest {
    @TempDir
    Path folder;

    @Test
    void waitsWhileAnotherInstallsPackages() throws Exception {
        Files.writeString(folder.resolve("run"), "echo \"$1 $NAME\" >\"${0%/*}/called\"\n");
        Path lock = folder.resolve("lock");
        CompletableFuture<Void> ours = new CompletableFuture<>();
        try (ProcessLock _ = ProcessLock.take(lock)) {
            Thread.ofVirtual().start(() -> {
                try {
                    Journeys.setUp(folder, lock, Map.of("NAME", "of-the-environment"));
                    ours.complete(null);
                } catch (Throwable e) {
                    ours.completeExceptionally(e);
                }
            });
            // That something does not happen can only be waited for.
            assertThatThrownBy(() -> ours.get(500, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            assertThat(folder.resolve("called")).doesNotExist();
        }
        ours.get(1, TimeUnit.MINUTES);
        assertThat(folder.resolve("called")).hasContent("set-up of-the-environment");
    }

    @Test
    void saysWhyPackagesCannotBeInstalled() throws Exception {
        Files.writeString(folder.resolve("run"), "echo the registry is away >&2; exit 1\n");
        assertThatThrownBy(() -> Journeys.setUp(folder, folder.resolve("lock"), Map.of()))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("the registry is away");
    }
}
