package dev.veilgate.archive.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.sse.ConflictException;
import dev.veilgate.sse.ManifestStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Manifests in a folder of any number of writers. */
final class FolderManifestsTest extends ManifestStoreContractTest {
    private static final Patience SHORT = new Patience(Duration.ofMillis(200));

    @TempDir
    private Path folder;

    @Override
    ManifestStore open() throws Exception {
        return FolderManifests.open(folder);
    }

    @Override
    ManifestStore another() throws Exception {
        return FolderManifests.open(folder);
    }

    private Path write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private List<String> files() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }

    @Test
    void opensWhatIsAFolder() throws Exception {
        Path none = folder.resolve("none");
        assertThatThrownBy(() -> FolderManifests.open(none)).isInstanceOf(NoSuchFileException.class);
        Path file = write("file", "");
        assertThatThrownBy(() -> FolderManifests.open(file)).isInstanceOf(NotDirectoryException.class);
    }

    @Test
    void putsAThousandInASubfolder() throws Exception {
        for (String before : new String[] {"0/998", "1/1999", "12/12998"}) {
            write(before, "before");
            long next = Long.parseLong(before.substring(before.indexOf('/') + 1)) + 1;
            assertThat(store.newest()).isEqualTo(next - 1);
            assertThat(store.create(next, bytes("a"))).isTrue();
            assertThat(store.create(next + 1, bytes("b"))).isTrue();
            assertThat(store.newest()).isEqualTo(next + 1);
        }
        assertThat(files())
                .containsExactly(
                        "0/998", "0/999", "1/1000", "1/1999", "12/12998", "12/12999", "13/13000", "2/2000", "2/2001");
    }

    @Test
    void ignoresNamesThatAreNoNumbers() throws Exception {
        store.create(1, bytes("1"));
        for (String other : new String[] {
            "0/02",
            "0/3.tmp",
            "0/-4",
            "0/+5",
            "0/1000",
            "0/99999999999999999999",
            "0/x",
            "01/1001",
            "x/7",
            "0/.8",
            "-1/9",
            "99999999999999999999/3"
        }) {
            write(other, "other");
        }
        assertThat(store.newest()).isEqualTo(1);
        assertThat(store.create(2, bytes("2"))).isTrue();
        assertThat(another().newest()).isEqualTo(2);
    }

    @Test
    void saysThatAFileIsWhereASubfolderIs() throws Exception {
        write("0/999", "last");
        write("1", "a file");
        write("2", "a file");
        assertThat(store.newest()).isEqualTo(999);
        assertThat(store.read(1000)).isEmpty();
        assertThatThrownBy(() -> store.create(1000, bytes("x")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(folder.resolve("1").toString());
    }

    @Test
    void findsTheNewestBehindAnEmptySubfolder() throws Exception {
        write("0/999", "last");
        Files.createDirectory(folder.resolve("1"));
        assertThat(store.newest()).isEqualTo(999);
    }

    /** As a network file system's client may have it for a minute. */
    @Test
    void findsTheNewestBehindAnOlderListing() throws Exception {
        write("0/998", "before");
        FaultyFiles stale = new FaultyFiles() {
            @Override
            public List<String> names(Path of) {
                return of.equals(folder) ? List.of("0") : List.of("998");
            }
        };
        ManifestStore other = new FolderManifests(stale, folder, SHORT, false);
        assertThat(other.newest()).isEqualTo(998);
        for (int number = 999; number < 1010; number++) {
            store.create(number, bytes("" + number));
            assertThat(other.newest()).isEqualTo(number);
        }
    }

    @Test
    void findsAnOlderNewestInAFolderThatWasRestored() throws Exception {
        for (int number = 1; number < 10; number++) {
            store.create(number, bytes("" + number));
        }
        assertThat(store.newest()).isEqualTo(9);
        for (int number = 9; number > 5; number--) {
            Files.delete(folder.resolve("0/" + number));
        }
        assertThat(store.newest()).isEqualTo(5);
        assertThat(store.create(6, bytes("other"))).isTrue();
    }

    @Test
    void readsWithoutWriting() throws Exception {
        store.create(1, bytes("1"));
        List<FaultyFiles.Step> steps = new ArrayList<>();
        FaultyFiles readOnly = new FaultyFiles() {
            @Override
            void before(Step step, Path path) throws IOException {
                steps.add(step);
                if (Step.WRITING.contains(step) && step != Step.FORCE) {
                    throw new IOException("Read-only file system");
                }
            }
        };
        ManifestStore reader = new FolderManifests(readOnly, folder, SHORT, false);
        assertThat(reader.newest()).isEqualTo(1);
        assertThat(reader.read(1)).hasValue(bytes("1"));
        reader.force(1);
        assertThat(reader.create(1, bytes("1"))).isTrue();
        assertThat(reader.create(1, bytes("2"))).isFalse();
        assertThatThrownBy(() -> reader.create(2, bytes("2"))).hasMessage("Read-only file system");
        assertThat(steps).isNotEmpty();
    }

    @Test
    void writesWithThePermissionsOfTheFolder() throws Exception {
        for (String permissions : new String[] {"rwx------", "rwxrwx---", "rwxrwxr-x"}) {
            Path shared = Files.createDirectory(folder.resolve(permissions));
            Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString(permissions));
            FolderManifests.open(shared).create(1, bytes("1"));
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(shared.resolve("0"))))
                    .isEqualTo(permissions);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(shared.resolve("0/1"))))
                    .isEqualTo(permissions.replace('x', '-'));
        }
    }

    @Test
    void removesLeftoversOfADayByTheFoldersClock() throws Exception {
        Path old = write("0/.manifest~1", "old");
        Path young = write("0/.manifest~2", "young");
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofHours(25))));
        Files.setLastModifiedTime(young, FileTime.from(Instant.now().minus(Duration.ofHours(23))));
        store.create(1, bytes("1"));
        assertThat(files()).containsExactly("0/.manifest~2", "0/1");
    }

    @Test
    void setsRubbishAsideAndGivesItsNumberAgain() throws Exception {
        FolderManifests folderStore = (FolderManifests) store;
        store.create(1, bytes("1"));
        write("0/2", "rubbi");
        assertThat(store.newest()).isEqualTo(2);
        assertThat(store.read(2)).hasValue(bytes("rubbi"));
        assertThat(store.create(2, bytes("2"))).isFalse();
        assertThatThrownBy(() -> folderStore.setAside(1, bytes("1"))).isInstanceOf(ConflictException.class);
        assertThatThrownBy(() -> folderStore.setAside(2, bytes("2"))).isInstanceOf(ConflictException.class);
        assertThatThrownBy(() -> folderStore.setAside(3, bytes("3"))).isInstanceOf(ConflictException.class);
        Path aside = folderStore.setAside(2, bytes("rubbi"));
        assertThat(aside).hasContent("rubbi").hasParent(folder.resolve("0"));
        assertThat(store.newest()).isEqualTo(1);
        assertThat(store.create(2, bytes("2"))).isTrue();
        assertThat(aside).exists();
    }

    /** Two repair at once, and between their steps somebody gets the number. */
    @Test
    void putsBackWhatGotTheNumberMeanwhile() throws Exception {
        store.create(1, bytes("1"));
        write("0/2", "rubbi");
        FaultyFiles late = new FaultyFiles() {
            @Override
            void before(Step step, Path path) throws IOException {
                if (step == Step.RENAME
                        && Files.readString(folder.resolve("0/2")).equals("rubbi")) {
                    ((FolderManifests) store).setAside(2, bytes("rubbi"));
                    assertThat(store.create(2, bytes("2"))).isTrue();
                }
            }
        };
        FolderManifests other = new FolderManifests(late, folder, SHORT, false);
        assertThatThrownBy(() -> other.setAside(2, bytes("rubbi"))).isInstanceOf(ConflictException.class);
        assertThat(store.read(2)).hasValue(bytes("2"));
    }
}
