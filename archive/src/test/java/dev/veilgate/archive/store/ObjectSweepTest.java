package dev.veilgate.archive.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.archive.store.ObjectSweep.Swept;
import dev.veilgate.archive.store.SweptArchive.ClockedFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Objects that no manifest names go in two phases, by the folder's clock. */
final class ObjectSweepTest {
    @TempDir
    private Path folder;

    private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
    private SweptArchive archive;

    @BeforeEach
    void open() throws Exception {
        archive = new SweptArchive(new ClockedFiles(ahead), folder);
    }

    @Test
    void sweepsNothingInAnEmptyFolder() throws Exception {
        assertThat(archive.sweep()).isEqualTo(new Swept(0, 0, 0, true));
        assertThat(folder.resolve("objects")).isEmptyDirectory();
    }

    @Test
    void movesWhatIsNotNamedAndOldThenRemovesIt() throws Exception {
        archive.putOld(1, Duration.ofHours(2));
        archive.putOld(2, Duration.ofHours(2));
        archive.putOld(3, Duration.ofMinutes(50));
        archive.commit("a", 1, Set.of(1));
        assertThat(archive.sweep()).isEqualTo(new Swept(1, 0, 0, true));
        assertThat(archive.objects.list()).containsExactlyInAnyOrder(SweptArchive.name(1), SweptArchive.name(3));
        assertThat(archive.isThere(2)).isTrue();
        ahead.set(Duration.ofDays(6));
        assertThat(archive.sweep()).isEqualTo(new Swept(1, 0, 0, true));
        assertThat(archive.isThere(2)).isTrue();
        ahead.set(Duration.ofDays(9));
        assertThat(archive.sweep()).isEqualTo(new Swept(0, 0, 1, true));
        assertThat(archive.isThere(2)).isFalse();
        ahead.set(Duration.ofDays(18));
        assertThat(archive.sweep()).isEqualTo(new Swept(0, 0, 1, true));
        assertThat(archive.isThere(3)).isFalse();
        assertThat(archive.isThere(1)).isTrue();
        assertThat(folder.resolve("objects/trash")).isEmptyDirectory();
    }

    @Test
    void aPurgeRemovesAtOnceWhatIsOldAndNotNamed() throws Exception {
        archive.putOld(1, Duration.ofHours(2));
        archive.putOld(2, Duration.ofHours(2));
        archive.putOld(3, Duration.ofMinutes(50));
        archive.putInTrash(4, 1);
        archive.putInTrash(5, 1);
        archive.commit("a", 1, Set.of(1));
        ObjectSweep sweep = archive.begin();
        assertThat(sweep.purge(Set.of(SweptArchive.name(1), SweptArchive.name(5))))
                .isEqualTo(new Swept(1, 1, 2, true));
        assertThat(sweep.young()).isEqualTo(1);
        for (int object = 1; object <= 5; object++) {
            assertThat(archive.isThere(object)).isEqualTo(object % 2 == 1);
        }
        assertThat(archive.objects.list()).hasSize(3);
        assertThat(folder.resolve("objects/trash")).isEmptyDirectory();
    }

    @Test
    void movesBackWhatIsNamed() throws Exception {
        archive.putInTrash(1, 20);
        archive.putInTrash(2, 1);
        archive.putInTrash(3, 20);
        archive.manifests.create(1, ManifestProcess.bytes("a:1,2"));
        assertThat(archive.sweep()).isEqualTo(new Swept(0, 2, 1, true));
        assertThat(archive.objects.list()).containsExactlyInAnyOrder(SweptArchive.name(1), SweptArchive.name(2));
        assertThat(archive.isThere(3)).isFalse();
    }

    @Test
    void sweepsWhatStandsInTheFolderItself() throws Exception {
        archive.putOld(1, Duration.ofDays(2));
        archive.putOld(2, Duration.ofDays(2));
        for (int object = 1; object <= 2; object++) {
            Files.move(
                    archive.places().place(SweptArchive.name(object)),
                    archive.places().olderPlace(SweptArchive.name(object)));
        }
        archive.manifests.create(1, ManifestProcess.bytes("a:1"));
        assertThat(archive.sweep()).isEqualTo(new Swept(1, 0, 0, true));
        assertThat(archive.objects.list()).containsExactly(SweptArchive.name(1));
    }

    @Test
    void leavesWhatIsOfTheFutureAndWhatIsNoObject() throws Exception {
        ahead.set(Duration.ofDays(10));
        archive.put(1);
        ahead.set(Duration.ZERO);
        Path objects = folder.resolve("objects");
        Path note = Files.createDirectories(objects.resolve("trash/2020-01-01")).resolve("note");
        Files.writeString(note, "a note");
        Files.createDirectories(objects.resolve("trash/old"));
        Files.createDirectories(objects.resolve("00"));
        Path misplaced = objects.resolve("00").resolve("ff".repeat(32));
        Files.writeString(misplaced, "another");
        Files.setLastModifiedTime(misplaced, FileTime.from(Instant.EPOCH));
        assertThat(archive.sweep()).isEqualTo(new Swept(0, 0, 0, true));
        assertThat(note).exists();
        assertThat(misplaced).exists();
        assertThat(archive.isThere(1)).isTrue();
    }

    @Test
    void removesLeftoversByTheFoldersClock() throws Exception {
        Path leftover = Files.createFile(folder.resolve("objects/.object~1"));
        archive.sweep();
        assertThat(leftover).exists();
        ahead.set(Duration.ofHours(25));
        archive.sweep();
        assertThat(folder.resolve("objects")).isEmptyDirectory();
    }

    /** The computer sleeps while it sweeps: the names that it has are old. */
    @Test
    void endsWhenItTakesLong() throws Exception {
        archive.putOld(1, Duration.ofHours(2));
        archive.putInTrash(2, 20);
        AtomicReference<Instant> time = new AtomicReference<>(Instant.EPOCH);
        InstantSource clock = time::get;
        for (Duration slept : new Duration[] {Duration.ofMinutes(11), Duration.ofDays(-1)}) {
            ObjectSweep sweep = ObjectSweep.begin(new SystemFiles(), folder.resolve("objects"), clock);
            time.updateAndGet(before -> before.plus(slept));
            assertThat(sweep.sweep(Set.of())).isEqualTo(new Swept(0, 0, 0, false));
        }
        assertThat(archive.isThere(1)).isTrue();
        assertThat(archive.isThere(2)).isTrue();
    }

    /** A full disk, or one that cannot be written. */
    @Test
    void losesNothingWhereAStepFails() throws Exception {
        boolean failed = true;
        for (int failing = 0; failed; failing++) {
            Path own = Files.createDirectory(folder.resolve("step" + failing));
            SweptArchive before = new SweptArchive(new SystemFiles(), own);
            before.putOld(1, Duration.ofHours(2));
            before.putOld(2, Duration.ofHours(2));
            before.putInTrash(3, 20);
            before.putInTrash(4, 20);
            before.manifests.create(1, ManifestProcess.bytes("a:1,3"));
            int stop = failing;
            int[] steps = {0};
            FaultyFiles full = new FaultyFiles() {
                @Override
                void before(Step step, Path path) throws IOException {
                    if (Step.WRITING.contains(step) && steps[0]++ >= stop) {
                        throw new IOException("No space left on device");
                    }
                }
            };
            SweptArchive faulty = new SweptArchive(full, own);
            try {
                faulty.sweep();
                failed = false;
            } catch (IOException e) {
                assertThat(e).hasMessage("No space left on device");
            }
            assertThat(before.isThere(1)).isTrue();
            assertThat(before.isThere(2)).isTrue();
            assertThat(before.isThere(3)).isTrue();
            before.sweep();
            assertThat(before.objects.list()).containsExactlyInAnyOrder(SweptArchive.name(1), SweptArchive.name(3));
            assertThat(before.isThere(2)).isTrue();
            assertThat(before.isThere(4)).isFalse();
        }
    }
}
