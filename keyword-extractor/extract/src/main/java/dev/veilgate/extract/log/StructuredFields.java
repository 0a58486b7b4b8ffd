package dev.veilgate.extract.log;

import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.FieldNames;
import dev.veilgate.extract.KeywordText;
import dev.veilgate.extract.RecordSink;
import dev.veilgate.extract.TokenKind;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Fields of structured records: those that tell what a header tells go there, the others become fields of their own.
 */
final class StructuredFields {
    private static final int LONGEST_TIME = 64;
    private static final Set<String> OWN_LEVELS = Set.of("level", "severity", "lvl");

    /** Names of times that rules 2 know, beside the common ones. */
    private static final Set<String> FURTHER_TIMES =
            Set.of("asctime", "__realtime_timestamp", "_source_realtime_timestamp", "logtime", "log_time");

    /** OpenTelemetry's names of times, perhaps behind those of what they stand in. */
    private static final Set<String> OF_TELEMETRY = Set.of("timeunixnano", "observedtimeunixnano");

    /** What stands before the time and the number of a record of the kernel's audit. */
    private static final String AUDIT = "audit(";

    private final Set<String> listed;
    private final RecordSink sink;
    private final Header header;
    private final int maxFields;
    private final JsonFields json;
    private final @Nullable Document document;
    private final byte[] timeText = new byte[LONGEST_TIME];
    private String prefix = "";
    private int fields;
    private boolean message;
    private boolean isDocument;
    private String day = "";
    private String clock = "";
    private String zone = "";

    StructuredFields(ExtractorProfile profile, Set<String> listed, RecordSink sink, Header header) {
        this.listed = listed;
        this.sink = sink;
        this.header = header;
        this.maxFields = profile.limits().fields();
        this.json = new JsonFields(profile.limits().recordBytes());
        this.document = profile.rules() > 1 ? new Document(this, sink, header) : null;
    }

    void begin() {
        fields = 0;
        message = false;
        isDocument = false;
        day = "";
        clock = "";
        zone = "";
    }

    /** The document that was read last, by rules 2. */
    @Nullable
    Document document() {
        return document;
    }

    /** Fields to come are those of a value of another record's field of that name; empty for none. */
    void within(String field) {
        prefix = field;
    }

    /** Whether there was a field. */
    boolean any() {
        return fields > 0;
    }

    /**
     * Reads a JSON object.
     *
     * @param escapes  whether the text has escapes, so that its strings have words that the text has not
     * @param oneToOne whether characters of the text are bytes of the record
     */
    boolean json(String text, boolean escapes, boolean oneToOne) {
        if (document != null) {
            return document.read(json, text, escapes, oneToOne);
        }
        return json.visit(text, (path, value, from, to) -> {
            if (escapes) {
                sink.text(path);
                if (from >= 0) {
                    sink.text(value);
                }
            }
            field(path, value, oneToOne ? from : -1, to);
        });
    }

    /** Counts a field; whether it is one of those that are indexed. */
    boolean counts(String folded) {
        fields++;
        return fields <= maxFields || listed.contains(folded);
    }

    /** One field as written; {@code from} and {@code to}: where its value is in the record, -1 if unknown. */
    void field(String name, String value, int from, int to) {
        folded(name, KeywordText.field(name), value, from, to);
    }

    /** As {@link #field}, of a name that was folded. */
    void folded(String name, String field, String value, int from, int to) {
        boolean counts = counts(field);
        if (counts && !prefix.isEmpty()) {
            sink.field(prefix + '.' + name, value);
        }
        String common = FieldNames.common(field).orElse(field);
        if (document != null && !header.timed) {
            furtherTime(field, value);
        }
        switch (common) {
            case "time" -> {
                boolean isTime = time(value);
                if ((!isTime || !FieldNames.isTime(field)) && counts) {
                    sink.field(field, value);
                }
            }
            case "level" -> {
                level(field, value);
                if (!field.equals("level") && counts) {
                    sink.field(field, value);
                }
            }
            case "host" -> known(TokenKind.HOST, field, value, counts);
            case "app" -> known(TokenKind.APP, field, value, counts);
            case "pid" -> known(TokenKind.PID, field, value, counts);
            case "user", "unit" -> {
                if (counts) {
                    sink.field(common, value);
                    sink.field(field, value);
                }
            }
            case "message", "msg" -> {
                message(from, to);
                if (counts) {
                    sink.field(field, value);
                }
            }
            default -> {
                isDocument |= field.equals("t.$date");
                if (isDocument && field.equals("s")) {
                    ofLetter(value);
                }
                if (counts) {
                    sink.field(field, value);
                }
            }
        }
    }

    /** {@code "t":{"$date":"..."}}, {@code "asctime":"..."}, {@code msg=audit(1795860000.123:4567):}. */
    private void furtherTime(String field, String value) {
        switch (field) {
            case "date" -> day = value;
            case "time" -> clock = value;
            case "tz", "timezone" -> zone = value;
            default -> {}
        }
        if (FURTHER_TIMES.contains(field)
                || field.endsWith(".$date")
                || OF_TELEMETRY.contains(field.substring(field.lastIndexOf('.') + 1))) {
            time(value);
        } else if (field.equals("msg") && value.startsWith(AUDIT)) {
            int colon = value.indexOf(':');
            time(value.substring(AUDIT.length(), colon < 0 ? value.length() : colon));
        }
    }

    /** Takes {@code date=2026-11-28 time=10:00:00 tz="+0100"}, if nothing else told the time. By rules 2 alone. */
    void dayAndClock() {
        boolean isShort = day.length() + clock.length() + zone.length() < LONGEST_TIME - 2;
        if (!header.timed && !day.isEmpty() && clock.indexOf(':') > 0 && isShort) {
            boolean isTime = !zone.isEmpty() && time(day + ' ' + clock + ' ' + zone);
            if (!isTime) {
                time(day + ' ' + clock);
            }
        }
    }

    /** {@code "s":"E"} and {@code "s":"D2"} of MongoDB, which {@code t.$date} tells. */
    private void ofLetter(String value) {
        boolean isLetter = value.length() == 1 || value.length() == 2 && value.matches("D[1-5]");
        String level = isLetter ? KeywordText.levelOfNumber(KeywordText.fold(value.substring(0, 1))) : "";
        if (!level.isEmpty() && header.level == null) {
            header.level = level;
        }
    }

    /**
     * By its name, by the number that syslog and GELF have for it, or by that of loggers of JavaScript; as it was
     * written too if that is a number.
     */
    private void level(String field, String value) {
        String folded = withoutSigns(KeywordText.fold(value).strip());
        String common = KeywordText.level(folded);
        String ofNumber = common.isEmpty() ? KeywordText.levelOfNumber(folded) : "";
        boolean isOwn = OWN_LEVELS.contains(field);
        if (common.isEmpty() && ofNumber.isEmpty() && !isOwn) {
            return; // a priority may be anything
        }
        if (!ofNumber.isEmpty() && field.equals("level")) {
            sink.token(TokenKind.LEVEL, folded);
        }
        if (header.level == null || !common.isEmpty() || isOwn && ofNumber.isEmpty()) {
            header.level = !ofNumber.isEmpty() ? ofNumber : common.isEmpty() ? folded : common;
        }
    }

    /** {@code error,} of pairs with commas between them, {@code error+2} of levels between two others. */
    private static String withoutSigns(String level) {
        String text = level.endsWith(",") || level.endsWith(";") ? level.substring(0, level.length() - 1) : level;
        int plus = Math.max(text.indexOf('+'), text.indexOf('-'));
        boolean isBetween =
                plus > 0 && !KeywordText.level(text.substring(0, plus)).isEmpty();
        return isBetween ? text.substring(0, plus) : text;
    }

    private void known(TokenKind kind, String field, String value, boolean counts) {
        sink.token(kind, value);
        if (counts && !field.equals(kind.field())) {
            sink.field(field, value);
        }
    }

    /** Where the text of the record is, unless that is known. */
    void message(int from, int to) {
        if (!message && from >= 0) {
            message = true;
            header.message.set(from, to);
        }
    }

    /** Takes a time, if none was taken yet; whether it is one. */
    boolean time(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        if (header.timed || bytes.length > LONGEST_TIME) {
            return false;
        }
        boolean ascii = KeywordText.foldAscii(bytes, 0, bytes.length, timeText);
        header.timed = ascii && header.time.read(timeText, 0, bytes.length) == bytes.length;
        return header.timed;
    }
}
