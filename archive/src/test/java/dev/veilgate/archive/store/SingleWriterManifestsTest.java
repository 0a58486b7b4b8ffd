package dev.veilgate.archive.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.files.LockFile;
import dev.veilgate.sse.ManifestStore;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Manifests of writers that take turns, in a folder whose file system makes no hard links. */
final class SingleWriterManifestsTest extends ManifestStoreContractTest {
    @TempDir
    private Path folder;

    /** As exFAT. */
    private static final class NoLinks extends FaultyFiles {
        @Override
        public void link(Path name, Path file) throws IOException {
            throw new FileSystemException(name.toString(), file.toString(), "Operation not permitted");
        }
    }

    @Override
    ManifestStore open() {
        return another();
    }

    @Override
    ManifestStore another() {
        return new FolderManifests(new NoLinks(), folder, Patience.USUAL, true);
    }

    @Test
    void manyWritersNeedLinks() throws Exception {
        store.create(1, bytes("1"));
        ManifestStore many = new FolderManifests(new NoLinks(), folder, Patience.USUAL, false);
        assertThatThrownBy(() -> many.create(2, bytes("2")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(folder.toString())
                .hasMessageContaining("no hard links")
                .hasRootCauseInstanceOf(FileSystemException.class);
        assertThat(many.newest()).isEqualTo(1);
        assertThat(folder.resolve("0")).isDirectoryContaining(file -> file.endsWith("1"));
        assertThat(store.create(2, bytes("2"))).isTrue();
        assertThat(many.read(2)).hasValue(bytes("2"));
    }

    @Test
    void waitsForItsTurn() throws Exception {
        ManifestStore other = FolderManifests.singleWriter(folder, Duration.ofMillis(100));
        try (LockFile _ = LockFile.tryLock(folder.resolve(".writer")).orElseThrow()) {
            assertThatThrownBy(() -> other.create(1, bytes("1"))).hasMessageContaining("another process");
        }
        assertThat(other.create(1, bytes("1"))).isTrue();
    }
}
