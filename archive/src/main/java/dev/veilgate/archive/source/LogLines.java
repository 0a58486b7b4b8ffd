package dev.veilgate.archive.source;

import dev.veilgate.archive.Archive;
import dev.veilgate.archive.NewDocument;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;

/**
 * Lines of a log: each is a document by its number, from 1 on, unless it is empty. A line ends with a line feed, before
 * which a carriage return may stand; what is behind the last one is a line too, and another one when it has grown.
 */
final class LogLines {
    /** Most bytes of a line without its end. */
    static final int MAX_BYTES = 1 << 20;

    /** Most bytes that are read of a line with its end. */
    static final int MAX_BYTES_WITH_END = MAX_BYTES + 2;

    private static final Pattern NAME = Pattern.compile(
            "(.+\\.(log|jsonl|ndjson)|syslog|messages)([.-]\\d+)?", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private LogLines() {}

    /** Tells by the name of a file that it is a log; a rotated one has a number or a date behind it. */
    static boolean isLog(String name) {
        return NAME.matcher(name).matches();
    }

    static void read(Path file, DocumentFiles.Sink sink) throws IOException {
        String name = file.toString();
        BooleanSupplier asRead = FileStamp.of(file);
        InputStream in;
        Instant written;
        try {
            written = Files.getLastModifiedTime(file).toInstant();
            in = Files.newInputStream(file);
        } catch (IOException e) {
            sink.unreadable(name, DocumentFiles.why(e));
            return;
        }
        long number = 0;
        try (in) {
            BoundedLines lines = new BoundedLines(in, MAX_BYTES_WITH_END);
            while (true) {
                byte[] line;
                try {
                    line = lines.next();
                } catch (IOException e) { // the sink's own go further up
                    sink.unreadable(name, DocumentFiles.why(e));
                    return; // lines behind it keep their places
                }
                if (line.length == 0) {
                    break;
                }
                number++;
                take(Archive.partName(name, number), lines, line, written, asRead, sink);
            }
        }
        sink.endOfFile(name, number, asRead);
    }

    private static void take(
            String name,
            BoundedLines lines,
            byte[] line,
            Instant written,
            BooleanSupplier asRead,
            DocumentFiles.Sink sink)
            throws IOException {
        byte[] content = content(line);
        if (lines.isCut() || content.length > MAX_BYTES) {
            sink.unreadable(name, "it has more than " + (MAX_BYTES >> 20) + " MiB");
        }
        if (lines.isCut() || content.length > MAX_BYTES || content.length == 0) {
            sink.gone(name, asRead);
        } else {
            sink.document(new NewDocument(
                    name,
                    ContentDigest.of(content),
                    lines.place(),
                    lines.end() - lines.place(),
                    words -> words.line(utf8(content), written)));
        }
    }

    private static byte[] utf8(byte[] line) {
        int seen = 0;
        for (byte each : line) {
            seen |= each;
        }
        return seen >= 0 ? line : TextDecoding.decodeLine(line).getBytes(StandardCharsets.UTF_8);
    }

    /** A line without its end. */
    static byte[] content(byte[] line) {
        int length = line.length;
        if (length > 0 && line[length - 1] == '\n') {
            length--;
        }
        if (length > 0 && line[length - 1] == '\r') {
            length--;
        }
        return length == line.length ? line : Arrays.copyOf(line, length);
    }
}
