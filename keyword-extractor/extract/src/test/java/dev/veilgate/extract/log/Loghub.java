package dev.veilgate.extract.log;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Log lines to test on: the real logs in the folder that -Dveilgate.data names, else lines of our own. */
final class Loghub {
    private Loghub() {}

    /** Lines by log, without line ends. Without the real logs, which a CI run must have, a synthetic one, and it says so. */
    static Map<String, List<byte[]>> logs() throws IOException {
        String data = System.getProperty("veilgate.data");
        if (data == null) {
            if ("true".equals(System.getenv("CI"))) {
                throw new AssertionError("-Dveilgate.data is needed in CI");
            }
            System.out.println("no -Dveilgate.data: synthetic lines only");
            return Map.of("synthetic", synthetic(2000));
        }
        Map<String, List<byte[]>> logs = new LinkedHashMap<>();
        try (Stream<Path> files = Files.walk(Path.of(data, "loghub"))) {
            for (Path file :
                    files.filter(f -> f.toString().endsWith(".log")).sorted().toList()) {
                String name = file.getFileName().toString().replace("_2k.log", "");
                logs.put(name, lines(Files.readAllBytes(file)));
            }
        }
        if (logs.size() < 16) {
            throw new AssertionError("16 logs expected under " + data);
        }
        return logs;
    }

    private static List<byte[]> lines(byte[] file) {
        List<byte[]> lines = new ArrayList<>();
        for (String line : new String(file, StandardCharsets.ISO_8859_1).split("\r?\n")) {
            lines.add(line.getBytes(StandardCharsets.ISO_8859_1));
        }
        return lines;
    }

    /** Lines of the kinds that real logs have. */
    static List<byte[]> synthetic(int count) {
        List<byte[]> lines = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String line = switch (i % 5) {
                case 0 ->
                    "2026-11-21 12:%02d:%02d,%03d INFO [main] org.example.Press: batch %d took %d.%d ms"
                            .formatted(i / 60 % 60, i % 60, i % 1000, i, i % 97, i % 10);
                case 1 ->
                    "Nov 21 12:%02d:%02d press-%d sshd[%d]: connection from 10.0.%d.%d port %d"
                            .formatted(i / 60 % 60, i % 60, i % 9, 1000 + i % 50, i % 5, i % 250, 30_000 + i);
                case 2 ->
                    "{\"ts\":\"2026-11-21T12:00:%02dZ\",\"level\":\"warn\",\"unit\":\"pump-%d\",\"temp\":%d,\"msg\":\"too hot\"}"
                            .formatted(i % 60, i % 7, 20 + i % 80);
                case 3 ->
                    "level=error unit=oven-%d file=/var/lib/veilgate/oven-%d.dat msg=\"disk full\""
                            .formatted(i % 4, i % 4);
                default -> "- request 0x%x from fe80::%x failed".formatted(i * 7919, i % 32 + 1);
            };
            lines.add(line.getBytes(StandardCharsets.UTF_8));
        }
        return lines;
    }
}
