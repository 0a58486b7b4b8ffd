package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Whatever a sender calls an origin, its file is inside the folder and its own. */
class OriginPathsTest {
    private static String path(String origin) {
        return String.join("/", new OriginPaths().of("press-4", true, origin));
    }

    @Test
    void ordinaryNamesStayAsTheyAre() {
        assertThat(path("/var/log/app.log")).isEqualTo("press-4/var/log/app.log");
        assertThat(path("day log-1~.txt")).isEqualTo("press-4/day log-1~.txt");
        assertThat(path("journald/sshd@1.service")).isEqualTo("press-4/journald/sshd@1.service");
        assertThat(path("/srv/\u65e5\u672c.log")).isEqualTo("press-4/srv/\u65e5\u672c.log");
    }

    @Test
    void harmfulNamesAreMadeHarmless() {
        assertThat(path("../../etc/passwd")).isEqualTo("press-4/%2E%2E/%2E%2E/etc/passwd");
        assertThat(path("/../x")).isEqualTo("press-4/%2E%2E/x");
        assertThat(path("./.ssh/.")).isEqualTo("press-4/%2E/%2Essh/%2E");
        assertThat(path("~root/~unknown")).isEqualTo("press-4/%7Eroot/%7Eunknown");
        assertThat(path("a\u0000b\n\u001b[2J\u202e.log")).isEqualTo("press-4/a%00b%0A%1B[2J%E2%80%AE.log");
        assertThat(path("C:\\..\\x")).isEqualTo("press-4/C%3A%5C..%5Cx");
        assertThat(path("100%2E")).isEqualTo("press-4/100%252E");
        assertThat(path("///")).isEqualTo("press-4/~unknown");
        assertThat(path("")).isEqualTo("press-4/~unknown");
        assertThat(new OriginPaths().of("../x", true, "y")).containsExactly("%2E.%2Fx", "y");
        assertThat(new OriginPaths().of("~unsigned", true, "y")).containsExactly("%7Eunsigned", "y");
        assertThat(new OriginPaths().of("press-4", false, "y")).containsExactly("~unsigned", "press-4", "y");
        assertThat(new OriginPaths().of("", false, "")).containsExactly("~unsigned", "~unknown");
        assertThat(path("\u00e9".repeat(500)).getBytes(StandardCharsets.UTF_8).length)
                .isLessThan(220);
    }

    @Test
    void collisionsGetAFileEach() {
        OriginPaths paths = new OriginPaths();
        List<String> first = paths.of("press-4", true, "/var/log/a");
        assertThat(paths.of("press-4", true, "/var/log/a")).isEqualTo(first);
        for (String other : new String[] {"var/log/a", "/var//log/a", "/var/log/A"}) {
            assertThat(String.join("/", paths.of("press-4", true, other))).matches("press-4/var/log/[aA]~[0-9a-f]{16}");
        }
        assertThat(String.join("/", paths.of("press-4", true, "/var"))).matches("press-4/var~[0-9a-f]{16}");
        assertThat(String.join("/", paths.of("press-4", true, "/var/log/a/b"))).matches("press-4/~[0-9a-f]{64}");
    }

    @Test
    void noNameLeadsOutAndNoTwoMeet() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        String[] parts = {
            "/",
            "/",
            ".",
            "..",
            "a",
            "A",
            "b",
            "~",
            "%",
            "%2E",
            "\\",
            ":",
            "\n",
            "\u0000",
            " ",
            "\u202e",
            "\u017f",
            "s",
            "x".repeat(300)
        };
        OriginPaths paths = new OriginPaths();
        Map<String, String> taken = new HashMap<>();
        Path folder = Path.of("/out").toAbsolutePath();
        for (int i = 0; i < 20_000; i++) {
            StringBuilder name = new StringBuilder();
            for (int n = random.nextInt(1, 8); n > 0; n--) {
                name.append(parts[random.nextInt(parts.length)]);
            }
            String origin = name.toString();
            List<String> path = paths.of("s", true, origin);
            Path file = folder;
            for (String part : path) {
                assertThat(part).as("seed %d", seed).doesNotContain("/", "\\").isNotEmpty();
                assertThat(part.startsWith(".") || part.chars().anyMatch(Character::isISOControl))
                        .isFalse();
                assertThat(part.getBytes(StandardCharsets.UTF_8).length).isLessThan(256);
                file = file.resolve(part);
            }
            assertThat(file.normalize()).as("seed %d", seed).isEqualTo(file).startsWithRaw(folder.resolve("s"));
            String key = file.toString().toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
            String other = taken.put(key, origin);
            assertThat(other == null || other.equals(origin))
                    .as("seed %d: %s", seed, key)
                    .isTrue();
        }
        for (String file : taken.keySet()) {
            for (String folderOf = file; folderOf.length() > 4; ) {
                folderOf = folderOf.substring(0, folderOf.lastIndexOf('/'));
                assertThat(taken).as("seed %d", seed).doesNotContainKey(folderOf);
            }
        }
    }
}
