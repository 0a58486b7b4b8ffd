package dev.veilgate.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lines that the README shows first do what it says, as they stand there, in a repository with a history. */
class ReadmeCommandsTest {
    /** The first block of shell lines under the heading. */
    private static final String BLOCK = "(?ms)^## %s\\n(?:(?!^## ).)*?^```sh\\n(.*?)^```";

    private static final Pattern SEARCH = Pattern.compile("(?m)^\\./veilgate search (?:-\\S+ )*(\\w+) ");

    @TempDir
    private Path folder;

    @Test
    void threeLinesSealAndSearch() throws Exception {
        String lines = block("Without a gateway");
        Matcher search = SEARCH.matcher(lines);
        assertThat(search.find()).as("searches a word:\n" + lines).isTrue();
        String word = search.group(1);
        makeHistory(
                "ring: faster " + word + " product",
                "docs: a page",
                "test: the " + word.toUpperCase(Locale.ROOT) + "'s edge");
        makeCommand();

        String out = shell(lines, 300);
        List<String> found = out.lines()
                .filter(line -> line.contains("ring:") || line.contains("docs:") || line.contains("test:"))
                .toList();
        assertThat(found).as(out).hasSize(2);
        assertThat(found.get(0)).endsWith("the " + word.toUpperCase(Locale.ROOT) + "'s edge"); // as git log has them
        assertThat(found.get(1)).endsWith("ring: faster " + word + " product");
    }

    @Test
    void threeLinesMakeAnArchiveAndSearchIt() throws Exception {
        String lines = block("An archive");
        String mail = "From: Ada <ada@example.org>\nDate: Sat, 21 Nov 2026 12:00:00 +0000\nSubject: %s\n\nOf %s.\n";
        for (String part : List.of("cur", "new", "tmp")) {
            Files.createDirectories(folder.resolve("Maildir").resolve(part));
        }
        Path cur = folder.resolve("Maildir/cur");
        Files.writeString(cur.resolve("1:2,S"), mail.formatted("The report", "an owl"));
        Files.writeString(cur.resolve("2:2,S"), mail.formatted("The report", "larks"));
        Files.writeString(cur.resolve("3:2,S"), mail.formatted("The report", "an owl, a draft"));
        Files.writeString(cur.resolve("4:2,S"), mail.formatted("The letter", "an owl"));
        makeCommand();

        String out = shell(lines, 300);
        assertThat(out.lines().filter(line -> line.startsWith("/")))
                .as(out)
                .containsExactlyInAnyOrder(
                        cur.resolve("1:2,S") + ": 2026-11-21  Ada <ada@example.org>: The report",
                        cur.resolve("2:2,S") + ": 2026-11-21  Ada <ada@example.org>: The report");
    }

    private static String block(String section) throws IOException {
        Matcher block = Pattern.compile(BLOCK.formatted(section)).matcher(readme());
        assertThat(block.find())
                .as("README.md has a block of sh under ## " + section)
                .isTrue();
        String lines = block.group(1);
        assertThat(lines.lines()).as(lines).hasSize(3);
        return lines;
    }

    private static String readme() throws IOException {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.exists(at.resolve("mvnw"))) {
                return Files.readString(at.resolve("README.md"));
            }
        }
        throw new AssertionError("no README.md above this folder");
    }

    private void makeHistory(String... subjects) throws Exception {
        shell("git init -q .", 60);
        for (String subject : subjects) {
            Files.writeString(folder.resolve("subject"), subject);
            shell(
                    "git -c user.name=a -c user.email=a@example.org -c commit.gpgsign=false commit -q --allow-empty -F subject",
                    60);
        }
    }

    /** ./veilgate of a checkout, built already. */
    private void makeCommand() throws IOException {
        String command = Veilgate.launcher("-Xmx1g", "-XX:TieredStopAtLevel=1").stream()
                .map(word -> "'" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
        Path script = Files.writeString(folder.resolve("veilgate"), "#!/bin/sh\nexec " + command + " \"$@\"\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    }

    private String shell(String lines, long seconds) throws Exception {
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        ProcessBuilder builder = new ProcessBuilder("sh", "-eu", "-c", lines)
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("VEILGATE_") || name.startsWith("GIT_"));
        builder.environment().keySet().removeIf(name -> name.startsWith("XDG_"));
        builder.environment().put("HOME", folder.toString());
        builder.environment().put("VEILGATE_PASSPHRASE", "correct horse battery staple");
        Process process = builder.start();
        process.getOutputStream().close();
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("did not end: " + lines);
        }
        assertThat(process.exitValue()).as(Files.readString(err)).isZero();
        return Files.readString(out);
    }
}
