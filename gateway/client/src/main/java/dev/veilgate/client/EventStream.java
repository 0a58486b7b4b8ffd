package dev.veilgate.client;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads server-sent events (the WHATWG's HTML, section 9.2), with lines that end in LF or CR LF and have a bound. */
final class EventStream {
    private static final int MAX_EVENT_BYTES = 1 << 20;

    /**
     * One event.
     *
     * @param id of this event or the last one before it that had one
     */
    record Event(String name, String data, String id) {}

    private final InputStream in;
    private String id = "";

    EventStream(InputStream in) {
        this.in = new BufferedInputStream(in);
    }

    /** The next event with data; empty at the end of the stream. */
    Optional<Event> next() throws IOException {
        String name = "message";
        StringBuilder data = new StringBuilder();
        while (true) {
            String line = line();
            if (line == null) {
                return Optional.empty(); // an event without its empty line is not whole
            }
            if (line.isEmpty()) {
                if (!data.isEmpty()) {
                    data.setLength(data.length() - 1);
                    return Optional.of(new Event(name, data.toString(), id));
                }
                name = "message";
                continue;
            }
            int colon = line.indexOf(':');
            String field = colon < 0 ? line : line.substring(0, colon);
            String value = colon < 0 ? "" : line.substring(line.startsWith(": ", colon) ? colon + 2 : colon + 1);
            switch (field) {
                case "event" -> name = value;
                case "data" -> data.append(value).append('\n');
                case "id" -> id = value;
                default -> {} // comments, which keep the connection alive, and what is not known here
            }
            if (data.length() > MAX_EVENT_BYTES) {
                throw new IOException("the gateway sent an event without an end");
            }
        }
    }

    private @Nullable String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(256);
        for (int b = in.read(); b >= 0; b = in.read()) {
            if (b == '\n') {
                String text = line.toString(StandardCharsets.UTF_8);
                return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
            }
            line.write(b);
            if (line.size() > MAX_EVENT_BYTES) {
                throw new IOException("the gateway sent a line without an end");
            }
        }
        return null;
    }
}
