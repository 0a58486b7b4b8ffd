package dev.veilgate.archive.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.sse.BlobName;
import dev.veilgate.sse.BlobStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
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
        assertThat(folder.resolve(name.value())).hasBinaryContent(bytes(5000));
    }

    @Test
    void nothingIsLeftOfWhatWasRefused() throws Exception {
        BlobName name = BlobName.of(body(bytes(10)));
        assertThatThrownBy(() -> store.put(name, body(bytes(11)))).isInstanceOf(MalformedEncodingException.class);
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).isEmpty();
        }
    }

    /** As a process leaves them that was killed while it wrote. */
    @Test
    void whatIsNotWholeIsNoObjectAndGoesAfterADay() throws Exception {
        Path young = Files.write(folder.resolve(".object~1"), bytes(10));
        Path old = Files.write(folder.resolve(".object~2"), bytes(10));
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofDays(2))));
        Path other = Files.write(folder.resolve("README"), bytes(10));
        try (BlobStore again = FolderBlobs.open(folder)) {
            assertThat(again.list()).isEmpty();
        }
        assertThat(young).exists();
        assertThat(other).exists();
        assertThat(old).doesNotExist();
    }
}
