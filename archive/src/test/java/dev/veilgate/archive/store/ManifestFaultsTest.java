package dev.veilgate.archive.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.archive.store.FaultyFiles.Step;
import dev.veilgate.sse.ManifestStore;
import dev.veilgate.sse.UnsettledException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each step fails once, or from then on, taken or not: nothing that was told true is lost, and others go on. */
final class ManifestFaultsTest {
    private static final Patience PATIENCE = new Patience(Duration.ofMillis(50));
    private static final int MOST_STEPS = 100;

    @TempDir
    private Path folder;

    /** Fails at one step, counted from 0, or at that and all behind it. */
    private static final class Failing extends FaultyFiles {
        private final int failing;
        private final boolean taken;
        private final boolean forEver;
        private final boolean links;
        private int steps;

        Failing(int failing, boolean taken, boolean forEver, boolean links) {
            this.failing = failing;
            this.taken = taken;
            this.forEver = forEver;
            this.links = links;
        }

        private boolean isFailing() {
            return steps == failing || forEver && steps > failing;
        }

        @Override
        void before(Step step, Path path) throws IOException {
            if (!taken && isFailing()) {
                steps++;
                throw new FileSystemException(path.toString(), null, "No space left on device");
            }
            if (step == Step.LINK && !links) {
                steps++;
                throw new FileSystemException(path.toString(), null, "Operation not permitted");
            }
        }

        @Override
        void after(Step step, Path path) throws IOException {
            boolean now = isFailing();
            steps++;
            if (taken && now) {
                throw new FileSystemException(path.toString(), null, "Input/output error");
            }
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource({
        "false,false,true", "true,false,true", "false,true,true", "true,true,true",
        "false,false,false", "true,false,false", "false,true,false", "true,true,false"
    })
    void keepsWhatWasToldTrue(boolean taken, boolean forEver, boolean links) throws Exception {
        boolean failed = true;
        for (int failing = 0; failed; failing++) {
            assertThat(failing).isLessThan(MOST_STEPS);
            Path own = Files.createDirectory(folder.resolve(Integer.toString(failing)));
            Failing files = new Failing(failing, taken, forEver, links);
            ManifestStore faulty = new FolderManifests(files, own, PATIENCE, !links);
            Told first = create(faulty, 1, "head and body");
            Told second = create(faulty, 2, "second");
            shorten(faulty);
            failed = files.steps > failing;

            ManifestStore store = new FolderManifests(new SystemFiles(), own, PATIENCE, !links);
            long newest = store.newest();
            assertThat(newest).isBetween(second == Told.MADE ? 2L : first == Told.MADE ? 1L : 0L, 2L);
            assertThat(newest).isLessThanOrEqualTo(first == Told.FAILED ? 0L : second == Told.FAILED ? 1L : 2L);
            assertThat(text(store, 1)).isIn(newest == 0 ? "" : "head and body", "head");
            assertThat(text(store, 2)).isEqualTo(newest == 2 ? "second" : "");
            for (long number = newest + 1; number < 5; number++) {
                assertThat(store.create(number, bytes("next " + number))).isTrue();
            }
        }
    }

    private static String text(ManifestStore store, long number) throws IOException {
        Optional<byte[]> bytes = store.read(number);
        return bytes.map(it -> new String(it, StandardCharsets.UTF_8)).orElse("");
    }

    /** Answer to a writer. */
    private enum Told {
        MADE,
        FAILED,
        OPEN
    }

    /** Puts a manifest under a fault. */
    private static Told create(ManifestStore faulty, long number, String text) {
        try {
            assertThat(faulty.create(number, bytes(text))).isTrue(); // there is no other writer
            return Told.MADE;
        } catch (UnsettledException e) {
            return Told.OPEN;
        } catch (IOException e) {
            return Told.FAILED;
        }
    }

    private static void shorten(ManifestStore faulty) {
        try {
            faulty.shorten(1, bytes("head and body"), bytes("head"));
        } catch (IOException e) {
            // it is as it was, or shortened
        }
    }

    /** A power cut leaves what was forced, so each name is forced before the next step relies on it. */
    @Test
    void forcesContentThenNameThenTellsTrue() throws Exception {
        List<String> steps = new ArrayList<>();
        Set<Step> told = EnumSet.of(Step.CREATE, Step.FORCE_FILE, Step.LINK, Step.FORCE, Step.CREATE_FOLDER);
        FaultyFiles recorded = new FaultyFiles() {
            @Override
            void after(Step step, Path path) {
                if (told.contains(step)) {
                    String name = folder.relativize(path).toString().replaceFirst("\\.manifest~.*", "aside");
                    steps.add(step + " " + name);
                }
            }
        };
        ManifestStore store = new FolderManifests(recorded, folder, PATIENCE, false);
        assertThat(store.create(1, bytes("1"))).isTrue();
        assertThat(steps)
                .containsExactly(
                        "CREATE_FOLDER 0", "FORCE_FILE 0/aside", "CREATE 0/aside", "LINK 0/1", "FORCE ", "FORCE 0");
        steps.clear();
        assertThat(store.create(2, bytes("2"))).isTrue();
        assertThat(steps)
                .containsExactly("CREATE_FOLDER 0", "FORCE_FILE 0/aside", "CREATE 0/aside", "LINK 0/2", "FORCE 0");
    }

    /** Whoever put number 999, and made the folder of 1000, may have been killed before they forced anything. */
    @Test
    void forcesWhatOthersLeftBeforeANewSubfolder() throws Exception {
        Files.createDirectories(folder.resolve("0"));
        Files.createDirectories(folder.resolve("1"));
        Files.writeString(folder.resolve("0/999"), "999");
        List<Path> forced = new ArrayList<>();
        FaultyFiles recorded = new FaultyFiles() {
            @Override
            void after(Step step, Path path) {
                if (step == Step.FORCE) {
                    forced.add(path);
                }
            }
        };
        ManifestStore store = new FolderManifests(recorded, folder, PATIENCE, false);
        assertThat(store.create(1000, bytes("1000"))).isTrue();
        assertThat(forced).containsExactly(folder.resolve("0"), folder, folder.resolve("1"));
        forced.clear();
        store.force(1000);
        assertThat(forced).containsExactly(folder.resolve("1"));
    }

    /** A writer that slept for days finds its file taken for a leftover, and may begin again. */
    @Test
    void putsNothingWhereItsFileWasRemoved() throws Exception {
        FaultyFiles slept = new FaultyFiles() {
            @Override
            public void link(Path name, Path file) throws IOException {
                files.delete(file);
                files.link(name, file);
            }
        };
        ManifestStore store = new FolderManifests(slept, folder, PATIENCE, false);
        assertThatThrownBy(() -> store.create(1, bytes("1"))).isInstanceOf(NoSuchFileException.class);
        assertThat(store.newest()).isZero();
    }
}
