package dev.veilgate.archive.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that commits and sweeps is killed between any two steps: what is named is there, and others go on. */
final class SweepProcessTest {
    @TempDir
    private Path folder;

    @Test
    void survivesAKillBetweenAnyTwoSteps() throws Exception {
        List<StoppedWork.Stop> stops = StoppedWork.kill(folder, SweepProcess.class, folder);
        assertThat(stops).extracting(StoppedWork.Stop::step).contains("RENAME", "DELETE", "TOUCH", "LINK", "END");
        for (StoppedWork.Stop stop : stops) {
            SweptArchive archive = SweptArchive.unforced(stop.folder());
            long newest = archive.manifests.newest();
            assertThat(newest).isBetween(stop.told().equals("true") ? 2L : 1L, 2L);
            for (int object : archive.named(newest)) {
                assertThat(archive.isThere(object))
                        .as("object %d before %s", object, stop)
                        .isTrue();
            }
            if (newest == 1) {
                archive.put(4);
                assertThat(archive.commit("second", 2, SweepProcess.SECOND)).isTrue();
            }
            archive.sweep();
            assertThat(archive.objects.list())
                    .containsExactlyInAnyOrderElementsOf(SweptArchive.names(SweepProcess.SECOND));
            assertThat(archive.isThere(5)).as("moved to the trash today").isTrue();
            assertThat(archive.isThere(6)).isFalse();
        }
    }
}
