package dev.veilgate.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TemporaryFolderTest {
    @TempDir
    private Path parent;

    private Path left(String name, Duration age) throws Exception {
        Path folder = Files.createDirectory(parent.resolve("veilgate-merge-" + name));
        Files.writeString(folder.resolve("a.part"), "sealed");
        Path lock = Files.createFile(folder.resolve("lock"));
        Files.setLastModifiedTime(lock, FileTime.from(Instant.now().minus(age)));
        return folder;
    }

    @Test
    void isRemovedWithWhatIsInIt() throws Exception {
        try (TemporaryFolder folder = TemporaryFolder.create(parent)) {
            Files.writeString(folder.path().resolve("a.part"), "sealed");
            try (TemporaryFolder other = TemporaryFolder.create(parent)) {
                assertThat(other.path()).isNotEqualTo(folder.path());
            }
            assertThat(folder.path().resolve("a.part")).exists();
        }
        assertThat(parent).isEmptyDirectory();
    }

    @Test
    void whatAKilledProcessLeftIsRemovedAndWhatOthersUseIsNot() throws Exception {
        Path old = left("1", Duration.ofMinutes(5));
        Path young = left("2", Duration.ZERO);
        Path used = left("3", Duration.ofMinutes(5));
        Path foreign = Files.createDirectory(parent.resolve("veilgate-merge-4"));
        try (FileChannel channel = FileChannel.open(used.resolve("lock"), StandardOpenOption.WRITE);
                FileLock lock = channel.lock();
                TemporaryFolder folder = TemporaryFolder.create(parent)) {
            assertThat(lock.isValid()).isTrue();
            assertThat(folder.path()).exists();
            assertThat(old).doesNotExist();
            assertThat(young.resolve("a.part")).exists();
            assertThat(used.resolve("a.part")).exists();
            assertThat(foreign).exists();
        }
    }
}
