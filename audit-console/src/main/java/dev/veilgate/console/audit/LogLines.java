package dev.veilgate.console.audit;

import dev.veilgate.issuing.IssuingLog;
import dev.veilgate.issuing.LogEntry;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import tools.jackson.databind.json.JsonMapper;

/**
 * The issuing log as JSON, a line an entry, for programs that read logs. What is sealed in an entry stays sealed: it is
 * there as it stands in the log. These lines prove nothing; the log itself does.
 */
public final class LogLines {
    private final JsonMapper json;

    LogLines(JsonMapper json) {
        this.json = json;
    }

    /** Writes the entries that are wanted, the oldest first, of those that the log has now. */
    void write(IssuingLog log, Predicate<LogEntry> wanted, OutputStream to) throws IOException {
        long size = log.size();
        for (long number = 1; number <= size; number++) {
            Optional<LogEntry> entry = log.entry(number).filter(wanted);
            if (entry.isPresent()) {
                to.write((line(entry.get()) + "\n").getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    private String line(LogEntry entry) {
        return json.writeValueAsString(fields(entry));
    }

    /** Makes what a line says of an entry, in its order. */
    public static Map<String, Object> fields(LogEntry entry) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("number", entry.number());
        line.put("time", entry.time().toString());
        line.put("actor", entry.actor());
        line.put("kind", LogPages.kind(entry));
        line.put("details", entry.details());
        if (entry.sealed().length > 0) {
            line.put("sealed", Base64.getEncoder().encodeToString(entry.sealed()));
        }
        return line;
    }
}
