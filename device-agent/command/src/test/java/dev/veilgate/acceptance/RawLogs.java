package dev.veilgate.acceptance;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Log files to seal: the 16 real ones in the folder that -Dveilgate.data names, else some of our own, and then it says so. */
final class RawLogs {
    private RawLogs() {}

    /** Bytes by file name. */
    static Map<String, byte[]> read() throws IOException {
        String data = System.getProperty("veilgate.data");
        if (data == null) {
            if (System.getenv("CI") != null) {
                throw new AssertionError("-Dveilgate.data is needed in CI");
            }
            System.out.println("acceptance: no -Dveilgate.data: logs of our own only");
            return own();
        }
        Map<String, byte[]> logs = new TreeMap<>();
        try (Stream<Path> files = Files.walk(Path.of(data, "loghub"))) {
            for (Path file : files.filter(f -> f.toString().endsWith(".log")).toList()) {
                logs.put(file.getFileName().toString(), Files.readAllBytes(file));
            }
        }
        if (logs.size() < 16) {
            throw new AssertionError("16 logs expected under " + data);
        }
        return logs;
    }

    private static Map<String, byte[]> own() {
        Map<String, byte[]> logs = new TreeMap<>();
        logs.put(
                "press.log",
                lines(
                        900,
                        "\n",
                        "2026-11-21 12:%02d:%02d,%03d INFO [main] org.example.Press: overheating, batch %d",
                        false));
        logs.put(
                "dos.log",
                lines(
                        700,
                        "\r\n",
                        "2026-11-21T12:%02d:%02d.%03dZ pump[7]: level=error temperature from=10.0.0.9 count=%d",
                        true));
        logs.put(
                "json.log",
                lines(
                        300,
                        "\n",
                        "{\"ts\":\"2026-11-21T12:%02d:%02d.%03dZ\",\"unit\":\"pump-%d\",\"msg\":\"\u00fcberhitzt: overheated\"}",
                        true));
        byte[] odd = "\n\nno \u0000 text \u00ff\u00fe unreadable 10.20.30.40\n\n".getBytes(StandardCharsets.ISO_8859_1);
        logs.put("odd.log", odd);
        return logs;
    }

    private static byte[] lines(int count, String end, String format, boolean lastEnds) {
        StringBuilder log = new StringBuilder();
        for (int i = 0; i < count; i++) {
            log.append(format.formatted(i / 60 % 60, i % 60, i * 7 % 1000, i));
            log.append(i + 1 < count || lastEnds ? end : "");
        }
        return log.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Lines without their line feed; the last one, if it has none, as well. */
    static List<byte[]> lines(byte[] log) {
        List<byte[]> lines = new ArrayList<>();
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (byte b : log) {
            if (b == '\n') {
                lines.add(line.toByteArray());
                line.reset();
            } else {
                line.write(b);
            }
        }
        if (line.size() > 0) {
            lines.add(line.toByteArray());
        }
        return lines;
    }

    /** Whether its last line lacks a line feed. */
    static boolean isCut(byte[] log) {
        return log.length > 0 && log[log.length - 1] != '\n';
    }
}
