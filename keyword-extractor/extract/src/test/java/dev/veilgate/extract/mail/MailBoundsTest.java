package dev.veilgate.extract.mail;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Mails beyond all bounds are read as far as the limits go, in a heap that is smaller than they are. */
class MailBoundsTest {
    /** Milliseconds for one mail; a hundred times what it takes. */
    private static final long MAX_MILLIS = 60_000;

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void hugeMailsInASmallHeap() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        System.getProperty("java.class.path"),
                        MailBounds.class.getName())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        System.out.print(output);
        List<String> lines =
                output.lines().filter(line -> line.contains(" found=")).toList();
        assertThat(lines).hasSize(24);
        for (String line : lines) {
            assertThat(Long.parseLong(line.split(" ")[1])).as(line).isLessThan(MAX_MILLIS);
        }
        assertThat(lines).allMatch(line -> line.contains("found=true"));
        assertRefused(lines, "textOf100MB", "TOO_MUCH_TEXT");
        assertRefused(lines, "base64Of100MB", "part=1, reason=TOO_MUCH_TEXT");
        assertRefused(lines, "htmlOf100MB", "part=1, reason=TOO_MUCH_TEXT");
        assertRefused(lines, "pdfOf100MB", "part=1, reason=TOO_LARGE");
        assertRefused(lines, "headerLineOf10MB", "HEADER_TOO_LONG");
        assertRefused(lines, "foldedHeaderOf10MB", "HEADER_TOO_LONG");
        assertRefused(lines, "headersOf100000Fields", "HEADER_TOO_LONG");
        assertRefused(lines, "multiparts10000Deep", "TOO_DEEP");
        assertRefused(lines, "messages10000Deep", "TOO_DEEP");
        assertRefused(lines, "digests10000Deep", "TOO_DEEP");
        assertRefused(lines, "parts100000", "TOO_MANY_PARTS");
        assertRefused(lines, "uuencodedOf100MB", "TOO_MUCH_TEXT");
        assertRefused(lines, "ends10000", "DAMAGED");
        assertRefused(lines, "linesOfHeaderThatAreNone", "DAMAGED");
        assertRefused(lines, "distinctWords", "TOO_MANY_KEYWORDS");
        assertRefused(lines, "endless", "TOO_MUCH_TEXT");
        assertThat(lines.stream().filter(line -> line.contains("behind=true"))).hasSize(2);
    }

    private static void assertRefused(List<String> lines, String name, String reason) {
        assertThat(lines.stream().filter(line -> line.startsWith(name + " ")))
                .singleElement()
                .asString()
                .contains(reason);
    }
}
