package dev.veilgate.gateway.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the broker keeps is whole, whenever the process ends. */
final class BrokerDataTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void write() throws IOException {
        store("data");
    }

    private void store(String name) throws IOException {
        Files.createDirectories(folder.resolve(name).resolve("persistence"));
        Files.writeString(folder.resolve(name).resolve("persistence/sessions"), "pager");
    }

    private void requireWhole() throws IOException {
        assertThat(folder.resolve("data/persistence/sessions")).hasContent("pager");
        assertThat(folder).isDirectoryNotContaining("glob:**data-*");
    }

    @Test
    void copiesWhatIsInUse() throws IOException {
        Path sessions = folder.resolve("data/persistence/sessions");
        try (FileChannel hanging = FileChannel.open(sessions, StandardOpenOption.WRITE);
                FileLock lock = hanging.lock()) {
            new BrokerData(folder).renew();
            requireWhole();
            try (FileChannel next = FileChannel.open(sessions, StandardOpenOption.WRITE);
                    FileLock other = next.tryLock()) {
                assertThat(other)
                        .as("of another file than the one that is in use")
                        .isNotNull();
            }
            assertThat(lock.isValid()).isTrue();
        }
    }

    @Test
    void aCopyThatWasInterruptedIsRemoved() throws IOException {
        Files.createDirectories(folder.resolve("data-copy/persistence"));
        new BrokerData(folder).recover();
        requireWhole();
    }

    @Test
    void whatWasMovedAwayBeforeTheCopyWasThereComesBack() throws IOException {
        Files.move(folder.resolve("data"), folder.resolve("data-left"));
        Files.createDirectories(folder.resolve("data-copy"));
        new BrokerData(folder).recover();
        requireWhole();
    }

    @Test
    void whatWasNotYetRemovedIsRemoved() throws IOException {
        store("data-left");
        new BrokerData(folder).recover();
        requireWhole();
    }

    @Test
    void aFolderWithoutDataStaysSo() throws IOException {
        Path empty = Files.createDirectory(folder.resolve("empty"));
        new BrokerData(empty).recover();
        assertThat(empty).isEmptyDirectory();
    }
}
