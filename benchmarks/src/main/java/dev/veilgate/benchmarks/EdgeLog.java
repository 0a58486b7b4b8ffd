package dev.veilgate.benchmarks;

import dev.veilgate.peks.RecordSet;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A log as the agent reads it. The real ones are those of the folder that {@code -Dveilgate.data} names, 16 of 2,000 lines each; without it there are
 * 16 of the same length made by {@link LogSearch#sampleLog}, and the figures are of those.
 *
 * @param name  of the log
 * @param bytes of the file
 * @param lines without line ends
 */
public record EdgeLog(String name, long bytes, List<byte[]> lines) {
    /** Lines of all logs together. */
    public static final int LINES = 32_000;

    private static final int LOGS = 16;

    /** Writes all lines to a file, for measurements of the agent itself. */
    public static void main(String[] args) throws IOException {
        if (args.length != 1) {
            throw new IllegalArgumentException("arguments: OUTPUT-FILE");
        }
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(Path.of(args[0])))) {
            for (EdgeLog log : readAll()) {
                for (byte[] line : log.lines) {
                    out.write(line);
                    out.write('\n');
                }
            }
        }
    }

    /** All logs, {@value #LINES} lines together. */
    public static List<EdgeLog> readAll() throws IOException {
        String data = System.getProperty("veilgate.data");
        List<EdgeLog> logs = new ArrayList<>();
        if (data == null) {
            System.err.println("no -Dveilgate.data: a sample log");
            List<String> lines = LogSearch.sampleLog(LINES);
            for (int i = 0; i < LOGS; i++) {
                List<String> own = lines.subList(i * LINES / LOGS, (i + 1) * LINES / LOGS);
                logs.add(of("sample-" + (i + 1), String.join("\n", own).getBytes(StandardCharsets.UTF_8)));
            }
            return logs;
        }
        List<Path> files;
        try (Stream<Path> found = Files.walk(Path.of(data, "loghub"))) {
            files = found.filter(file -> file.toString().endsWith("_2k.log"))
                    .sorted()
                    .toList();
        }
        for (Path file : files) {
            logs.add(of(file.getFileName().toString().replace("_2k.log", ""), Files.readAllBytes(file)));
        }
        int lines = logs.stream().mapToInt(log -> log.lines.size()).sum();
        if (lines != LINES) {
            throw new IOException("the logs of " + data + " have " + lines + " lines, not " + LINES);
        }
        return logs;
    }

    private static EdgeLog of(String name, byte[] file) {
        List<byte[]> lines = new ArrayList<>();
        int from = 0;
        for (int i = 0; i <= file.length; i++) {
            boolean end = i == file.length;
            if (end ? i > from : file[i] == '\n') {
                lines.add(Arrays.copyOfRange(file, from, i));
                from = i + 1;
            }
        }
        return new EdgeLog(name, file.length, lines);
    }

    /** The lines in batches of {@link RecordSet#MAX_RECORDS}; the last has what is left. */
    public List<List<byte[]>> batches() {
        List<List<byte[]>> batches = new ArrayList<>();
        for (int from = 0; from < lines.size(); from += RecordSet.MAX_RECORDS) {
            batches.add(lines.subList(from, Math.min(from + RecordSet.MAX_RECORDS, lines.size())));
        }
        return batches;
    }
}
