package dev.veilgate.archive.source;

import dev.veilgate.archive.Archive;
import dev.veilgate.archive.NewDocument;
import dev.veilgate.archive.words.DocumentWords;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
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

    private final MessageDigest sha256 = ContentDigest.sha256();
    private final BoundedLines lines;
    private final Instant written;
    private final BooleanSupplier asRead;
    private final DocumentFiles.Sink sink;

    private LogLines(BoundedLines lines, Instant written, BooleanSupplier asRead, DocumentFiles.Sink sink) {
        this.lines = lines;
        this.written = written;
        this.asRead = asRead;
        this.sink = sink;
    }

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
            LogLines log = new LogLines(lines, written, asRead, sink);
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
                log.take(Archive.partName(name, number), line);
            }
        }
        sink.endOfFile(name, number, asRead);
    }

    private void take(String name, byte[] line) throws IOException {
        int length = length(line);
        if (lines.isCut() || length > MAX_BYTES) {
            sink.unreadable(name, "it has more than " + (MAX_BYTES >> 20) + " MiB");
        }
        if (lines.isCut() || length > MAX_BYTES || length == 0) {
            sink.gone(name, asRead);
        } else {
            sha256.update(line, 0, length);
            sink.document(new NewDocument(
                    name,
                    sha256.digest(),
                    lines.place(),
                    lines.end() - lines.place(),
                    words -> read(line, length, words)));
        }
    }

    private void read(byte[] line, int length, DocumentWords words) {
        int seen = 0;
        for (int i = 0; i < length; i++) {
            seen |= line[i];
        }
        if (seen >= 0) {
            words.line(line, 0, length, written);
        } else {
            byte[] utf8 = TextDecoding.decodeLine(content(line)).getBytes(StandardCharsets.UTF_8);
            words.line(utf8, 0, utf8.length, written);
        }
    }

    /** A line without its end. */
    static byte[] content(byte[] line) {
        return Arrays.copyOf(line, length(line));
    }

    /** Length of a line without its end, in bytes. */
    private static int length(byte[] line) {
        int length = line.length;
        if (length > 0 && line[length - 1] == '\n') {
            length--;
        }
        if (length > 0 && line[length - 1] == '\r') {
            length--;
        }
        return length;
    }
}
