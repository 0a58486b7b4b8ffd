package dev.veilgate.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileVersionTest {
    private static final FileTime TICK = FileTime.from(Instant.parse("2026-11-21T10:00:00Z"));

    @TempDir
    Path folder;

    private Path write(String name, String text, FileTime modified) throws Exception {
        Path file = Files.writeString(folder.resolve(name), text);
        return Files.setLastModifiedTime(file, modified);
    }

    @Test
    void staysTheSameWhileNobodyChangesTheFile() throws Exception {
        Path file = write("file", "one", TICK);
        FileVersion before = FileVersion.of(file);
        assertThat(Files.readString(file)).isEqualTo("one");
        assertThat(FileVersion.of(file)).isEqualTo(before);
    }

    @Test
    void differsWhenTheFileIsReplacedWithinATick() throws Exception {
        Path file = write("file", "one", TICK);
        FileVersion before = FileVersion.of(file);
        Files.move(write("next", "two", TICK), file, StandardCopyOption.REPLACE_EXISTING);
        assertThat(FileVersion.of(file)).isNotEqualTo(before);
    }

    @Test
    void differsWhenItIsWrittenInPlace() throws Exception {
        FileVersion before = FileVersion.of(write("file", "one", TICK));
        FileTime later = FileTime.from(TICK.toInstant().plusNanos(1_000));
        assertThat(FileVersion.of(write("file", "two", later))).isNotEqualTo(before);
        assertThat(FileVersion.of(write("file", "three", TICK))).isNotEqualTo(before);
        assertThat(FileVersion.of(write("file", "two", TICK))).isEqualTo(before); // as it says
    }

    @Test
    void isNoneOfWhatIsNotThere() {
        assertThatThrownBy(() -> FileVersion.of(folder.resolve("nothing"))).isInstanceOf(NoSuchFileException.class);
    }
}
