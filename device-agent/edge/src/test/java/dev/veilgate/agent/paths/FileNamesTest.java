package dev.veilgate.agent.paths;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names of any bytes go to text and back. */
class FileNamesTest {
    @TempDir
    Path folder;

    @Test
    void everyNameThatTheSystemTakesComesBack() throws Exception {
        long seed = Long.getLong("veilgate.seed", System.nanoTime());
        System.out.println("FileNamesTest: -Dveilgate.seed=" + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 300; i++) {
            byte[] name = new byte[1 + random.nextInt(40)];
            random.nextBytes(name);
            for (int at = 0; at < name.length; at++) {
                name[at] = name[at] == 0 || name[at] == '/' ? (byte) '%' : name[at];
            }
            String text = FileNames.ofBytes(name);
            assertThat(FileNames.bytes(text)).isEqualTo(name);
            assertThat(FileNames.ofStored(FileNames.stored("/a/" + text))).isEqualTo("/a/" + text);

            if (text.equals(".") || text.equals("..")) {
                continue;
            }
            Path path = FileNames.path(folder + "/" + text);
            assertThat(FileNames.text(path)).isEqualTo(folder + "/" + text);
            assertThat(FileNames.lastName(path)).isEqualTo(text);
            assertThat(FileNames.sibling(folder.resolve("x"), text)).isEqualTo(path);
            Files.writeString(path, "x");
            try (var all = Files.list(folder)) {
                assertThat(all.map(FileNames::lastName)).containsExactly(text);
            }
            Files.delete(path);
        }
    }

    @Test
    void theLongestPathFitsIntoThePlaceThatItsPositionHas() {
        String longest = "/\uDCFF".repeat(2048);
        assertThat(FileNames.stored(longest).length()).isLessThanOrEqualTo(1 << 14);
    }

    @Test
    void showsBytesThatAreNoCharacters() {
        assertThat(FileNames.shown("/a/caf\uDCE9-\u00E9.log")).isEqualTo("/a/caf\\xe9-\u00E9.log");
        assertThat(FileNames.ofBytes("plain-\u00E9-\uFFFD".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo("plain-\u00E9-\uFFFD");
        assertThat(FileNames.stored("/a/100%.log")).isEqualTo("/a/100%.log");
    }
}
