package dev.veilgate.console.logsink;

import dev.veilgate.issuing.LogEntry;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/**
 * Messages of syslog (RFC 5424), each behind its length (RFC 5425). Never with queries or keywords in clear.
 *
 * @param host     name of the console
 * @param number   private enterprise number of the structured data
 * @param maxBytes of a message
 */
record SyslogForm(JsonMapper json, String host, long number, int maxBytes) implements EntryForm {
    /** Facility 13, log audit, and severity 5, notice. */
    private static final int PRIORITY = 13 * 8 + 5;

    private static final String APP = "veilgate-console";
    private static final String BOM = "\uFEFF";
    private static final int MAX_MSGID = 32;
    private static final int MAX_HOST = 255;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    @Override
    public byte[] encode(String tenant, LogEntry entry, byte[] secret) {
        Map<String, Object> fields = EntryFields.of(tenant, entry, secret, false);
        byte[] message = message(tenant, entry, fields);
        if (message.length > maxBytes && fields.remove(EntryFields.SEALED) != null) {
            fields.put("sealedLeftOut", true);
            message = message(tenant, entry, fields);
        }
        Map<String, String> details = EntryFields.clear(entry);
        fields.put(EntryFields.DETAILS, details);
        for (int leftOut = 1; message.length > maxBytes && !details.isEmpty(); leftOut++) {
            details.remove(longest(details));
            fields.put("detailsLeftOut", leftOut);
            message = message(tenant, entry, fields);
        }
        ByteArrayOutputStream framed = new ByteArrayOutputStream(message.length + 8);
        framed.writeBytes((message.length + " ").getBytes(StandardCharsets.US_ASCII));
        framed.writeBytes(message);
        return framed.toByteArray();
    }

    private static String longest(Map<String, String> details) {
        return details.entrySet().stream()
                .max(Comparator.comparingInt(detail -> detail.getValue().getBytes(StandardCharsets.UTF_8).length))
                .orElseThrow()
                .getKey();
    }

    private byte[] message(String tenant, LogEntry entry, Map<String, Object> fields) {
        String kind = String.valueOf(fields.get(EntryFields.KIND));
        String message =
                "<" + PRIORITY + ">1 " + TIME.format(entry.time()) + " " + printable(host, MAX_HOST) + " " + APP
                        + " - " + printable(kind, MAX_MSGID) + " [veilgate@" + number
                        + parameter("tenant", tenant)
                        + parameter(EntryFields.NUMBER, Long.toString(entry.number()))
                        + parameter(EntryFields.MARK, String.valueOf(fields.get(EntryFields.MARK)))
                        + parameter(EntryFields.KIND, kind)
                        + parameter(EntryFields.ACTOR, entry.actor())
                        + "] " + BOM + json.writeValueAsString(fields);
        return message.getBytes(StandardCharsets.UTF_8);
    }

    private static String parameter(String name, String value) {
        return " " + name + "=\"" + value.replaceAll("([\"\\\\\\]])", "\\\\$1") + "\"";
    }

    /** A field of the header: printable characters of ASCII, or the sign for none. */
    private static String printable(String text, int most) {
        String kept = text.replaceAll("[^!-~]", "");
        return kept.isEmpty() ? "-" : kept.substring(0, Math.min(most, kept.length()));
    }
}
