package dev.veilgate.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The five commands of docs/mail.md, as they stand there, at a terminal at which a person types what is asked for.
 */
class NewUserCommandsTest {
    private static final Pattern BLOCK = Pattern.compile("(?ms)^## A new user\\n(?:(?!^## ).)*?^```sh\\n(.*?)^```");
    private static final Pattern DRAWN = Pattern.compile("  ([0-9A-Z]{5}(?:-[0-9A-Z]{5}){4})");
    private static final Pattern ASKED = Pattern.compile("(?i)([^\\r\\n]*pass ?(?:phrase|word)[^\\r\\n]*: ?)$");
    private static final Duration LONGEST = Duration.ofMinutes(3);
    private static final String OF_THE_KEYS = "correct horse battery staple";

    @TempDir
    private Path folder;

    private final StringBuffer seen = new StringBuffer();
    private int read;
    private String drawn = "";

    @Test
    @Timeout(300)
    void aColleagueReadsSealedMail() throws Exception {
        String commands = commands();
        assertThat(commands.lines()).as(commands).hasSize(5);
        Path script = Files.writeString(folder.resolve("commands.sh"), commands);
        makeCommand();
        Process terminal = new ProcessBuilder("script", "-qefc", "sh -eu " + script, "/dev/null")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        Thread reader = Thread.ofPlatform().daemon().start(() -> read(terminal.getInputStream()));
        answer(terminal);
        reader.join();
        assertThat(terminal.waitFor()).as(seen.toString()).isZero();
        assertThat(seen.toString()).contains("The plans are in the vault.", "CMS Verification successful");
        assertThat(Files.readString(folder.resolve("plans.eml"))).doesNotContain("vault");
        assertThat(drawn).isNotEmpty();
        try (var files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                        .as(file.toString())
                        .doesNotContain(drawn);
            }
        }
    }

    /** Types passphrases: that of the keys, until another one is shown, which is of Ada's key. */
    private void answer(Process terminal) throws Exception {
        Instant end = Instant.now().plus(LONGEST);
        try (OutputStream keyboard = terminal.getOutputStream()) {
            while (terminal.isAlive()) {
                assertThat(Instant.now()).as(seen.toString()).isBefore(end);
                String news = seen.substring(read);
                Matcher shown = DRAWN.matcher(news);
                if (drawn.isEmpty() && shown.find()) {
                    drawn = shown.group(1);
                }
                Matcher asked = ASKED.matcher(news);
                if (asked.find()) {
                    read += news.length();
                    boolean isForKey = asked.group(1).contains("PKCS12");
                    keyboard.write(((isForKey ? drawn : OF_THE_KEYS) + "\n").getBytes(StandardCharsets.US_ASCII));
                    keyboard.flush();
                }
                Thread.sleep(20); // the condition is looked at again
            }
        }
    }

    private void read(InputStream screen) {
        byte[] buffer = new byte[4096];
        try {
            for (int n = screen.read(buffer); n >= 0; n = screen.read(buffer)) {
                seen.append(new String(buffer, 0, n, StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            // the terminal is gone
        }
    }

    private static String commands() throws IOException {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.exists(at.resolve("mvnw"))) {
                Matcher block = BLOCK.matcher(Files.readString(at.resolve("docs/mail.md")));
                assertThat(block.find()).as("docs/mail.md has the commands").isTrue();
                return block.group(1);
            }
        }
        throw new AssertionError("no docs/mail.md above this folder");
    }

    /** The installed command's launcher, in short. */
    private void makeCommand() throws IOException {
        String command =
                Veilgate.launcher("-Xmx1g", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED").stream()
                        .map(word -> "'" + word.replace("'", "'\\''") + "'")
                        .collect(Collectors.joining(" "));
        List<String> words = List.of(command.split(" ", 2));
        Path bin = Files.createDirectory(folder.resolve("bin"));
        Path script = Files.writeString(bin.resolve("veilgate"), """
                #!/bin/sh
                terminals=
                [ ! -t 1 ] || terminals=1
                [ ! -t 2 ] || terminals=${terminals}2
                exec %s -Dveilgate.terminals="$terminals" %s "$@"
                """.formatted(words.getFirst(), words.getLast()));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        Path commands = folder.resolve("commands.sh");
        String path = "PATH='" + bin + "':$PATH\n";
        Files.writeString(commands, path + Files.readString(commands));
    }
}
