package dev.veilgate.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ThunderbirdFolderTest {
    @TempDir
    Path folder;

    private Path thunderbird(String name) throws IOException {
        Path made = Files.createDirectories(folder.resolve(name));
        Files.createFile(made.resolve("libnss3.so"));
        return made;
    }

    @Test
    void findsTheFirstUsualPlaceThatHasTheLibraries() throws Exception {
        Path empty = Files.createDirectory(folder.resolve("empty"));
        Path snap = thunderbird("snap");
        List<Path> usual = List.of(empty, snap, thunderbird("third"));
        assertThat(ThunderbirdFolder.find(Optional.empty(), usual)).isEqualTo(snap);
        assertThat(ThunderbirdFolder.find(Optional.of(""), usual)).isEqualTo(snap);
    }

    @Test
    void prefersTheSetting() throws Exception {
        Path unpacked = thunderbird("unpacked");
        assertThat(ThunderbirdFolder.find(Optional.of(unpacked.toString()), List.of(thunderbird("usual"))))
                .isEqualTo(unpacked);
    }

    @Test
    void namesTheSettingIfTheLibrariesAreNotThere() throws Exception {
        List<Path> usual = List.of(thunderbird("usual"));
        assertThatThrownBy(() -> ThunderbirdFolder.find(Optional.of("/of/nobody"), usual))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("in /of/nobody");
        assertThatThrownBy(() -> ThunderbirdFolder.find(Optional.empty(), List.of()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("./verify");
    }
}
