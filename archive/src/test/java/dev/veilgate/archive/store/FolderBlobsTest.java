package dev.veilgate.archive.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.sse.BlobName;
import dev.veilgate.sse.BlobStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Objects in a folder, of which another process finds whole ones only. */
final class FolderBlobsTest extends BlobStoreContractTest {
    @TempDir
    private Path parent;

    private Path folder;

    @Override
    BlobStore open() throws Exception {
        folder = parent.resolve("objects");
        return FolderBlobs.open(folder);
    }

    @Test
    void anotherProcessFindsThem() throws Exception {
        BlobName name = put(bytes(5000));
        try (BlobStore other = FolderBlobs.open(folder)) {
            assertThat(other.list()).containsExactly(name);
            assertThat(other.read(name, 0, 5000)).isEqualTo(bytes(5000));
        }
        assertThat(folder.resolve(name.value().substring(0, 2)).resolve(name.value()))
                .hasBinaryContent(bytes(5000));
    }

    @Test
    void nothingIsLeftOfWhatWasRefused() throws Exception {
        BlobName name = BlobName.of(body(bytes(10)));
        assertThatThrownBy(() -> store.put(name, body(bytes(11)))).isInstanceOf(MalformedEncodingException.class);
        assertThat(folder).isEmptyDirectory();
    }

    /** As a process leaves it that was killed while it wrote. */
    @Test
    void whatIsNotWholeIsNoObject() throws Exception {
        Files.write(folder.resolve(".object~1"), bytes(10));
        Files.write(folder.resolve("README"), bytes(10));
        try (BlobStore again = FolderBlobs.open(folder)) {
            assertThat(again.list()).isEmpty();
        }
    }

    /** All objects had their place there once. */
    @Test
    void readsWhatStandsInTheFolderItself() throws Exception {
        BlobName name = put(bytes(100));
        Path place = folder.resolve(name.value().substring(0, 2)).resolve(name.value());
        Files.move(place, folder.resolve(name.value()));
        assertThat(store.list()).containsExactly(name);
        assertThat(store.length(name)).hasValue(100);
        assertThat(store.read(name, 10, 20)).hasSize(20);
        assertThat(((FolderBlobs) store).restore(name)).isTrue();
        assertThat(place).hasBinaryContent(bytes(100));
        assertThat(store.list()).containsExactly(name);
        Files.move(place, folder.resolve(name.value()));
        store.remove(name);
        assertThat(store.length(name)).isEmpty();
    }

    @Test
    void readsAndRestoresWhatIsInTheTrash() throws Exception {
        BlobName name = put(bytes(100));
        Path place = folder.resolve(name.value().substring(0, 2)).resolve(name.value());
        Path day = Files.createDirectories(folder.resolve("trash/2026-02-28"));
        Files.createDirectories(folder.resolve("trash/2026-2-29"));
        Files.createDirectories(folder.resolve("trash/2026-02-29"));
        Files.move(place, day.resolve(name.value()));
        assertThat(store.list()).isEmpty();
        assertThat(store.length(name)).hasValue(100);
        assertThat(store.read(name, 0, 100)).isEqualTo(bytes(100));
        Files.setLastModifiedTime(day.resolve(name.value()), FileTime.from(Instant.EPOCH));
        assertThat(((FolderBlobs) store).restore(name)).isTrue();
        assertThat(place).hasBinaryContent(bytes(100));
        assertThat(Files.getLastModifiedTime(place).toInstant())
                .isAfter(Instant.now().minusSeconds(60));
        assertThat(day).isEmptyDirectory();
        assertThat(((FolderBlobs) store).restore(BlobName.of(body(bytes(7))))).isFalse();
        Files.move(place, day.resolve(name.value()));
        store.remove(name);
        assertThat(store.length(name)).isEmpty();
    }

    @Test
    void readsWithoutWriting() throws Exception {
        BlobName name = put(bytes(100));
        FaultyFiles readOnly = new FaultyFiles() {
            @Override
            void before(Step step, Path path) throws IOException {
                if (Step.WRITING.contains(step)) {
                    throw new IOException("Read-only file system");
                }
            }
        };
        FolderBlobs reader = new FolderBlobs(readOnly, folder);
        assertThat(reader.list()).containsExactly(name);
        assertThat(reader.read(name, 0, 100)).isEqualTo(bytes(100));
        assertThat(reader.length(name)).hasValue(100);
        assertThatThrownBy(() -> reader.put(name, body(bytes(100)))).hasMessage("Read-only file system");
    }

    @Test
    void saysThatAFileIsWhereASubfolderIs() throws Exception {
        BlobName name = BlobName.of(body(bytes(100)));
        Path subfolder = Files.createFile(folder.resolve(name.value().substring(0, 2)));
        Files.createFile(folder.resolve("trash"));
        assertThat(store.list()).isEmpty();
        assertThat(store.length(name)).isEmpty();
        assertThatThrownBy(() -> store.put(name, body(bytes(100)))).hasMessageContaining(subfolder.toString());
    }

    /** A power cut leaves what was forced. */
    @Test
    void forcesContentThenName() throws Exception {
        List<String> steps = new ArrayList<>();
        FaultyFiles recorded = new FaultyFiles() {
            @Override
            void after(Step step, Path path) {
                if (Step.WRITING.contains(step) && step != Step.WRITE && step != Step.DELETE) {
                    steps.add(step + " " + (path.equals(folder) ? "" : path.getFileName()));
                }
            }
        };
        BlobName name = BlobName.of(body(bytes(100)));
        String subfolder = name.value().substring(0, 2);
        FolderBlobs blobs = new FolderBlobs(recorded, folder);
        blobs.put(name, body(bytes(100)));
        assertThat(steps).first().asString().startsWith("FORCE_FILE .object~");
        assertThat(steps.subList(2, steps.size()))
                .containsExactly("CREATE_FOLDER " + subfolder, "RENAME " + name, "FORCE " + subfolder, "FORCE ");
        steps.clear();
        blobs.put(name, body(bytes(100)));
        assertThat(steps.subList(3, steps.size())).containsExactly("RENAME " + name, "FORCE " + subfolder);
    }

    /** A full disk, at any step. */
    @Test
    void keepsWhatItHadWhereAStepFails() throws Exception {
        BlobName kept = put(bytes(50));
        BlobName name = BlobName.of(body(bytes(100)));
        boolean failed = true;
        for (int failing = 0; failed; failing++) {
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
            try {
                new FolderBlobs(full, folder).put(name, body(bytes(100)));
                failed = false;
            } catch (IOException e) {
                assertThat(e).hasMessage("No space left on device");
            }
            assertThat(store.read(kept, 0, 50)).isEqualTo(bytes(50));
            assertThat(store.length(name)).isIn(OptionalLong.empty(), OptionalLong.of(100));
            store.put(name, body(bytes(100)));
            store.remove(name);
        }
    }
}
