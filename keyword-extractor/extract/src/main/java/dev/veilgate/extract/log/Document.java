package dev.veilgate.extract.log;

import dev.veilgate.extract.FieldNames;
import dev.veilgate.extract.KeywordText;
import dev.veilgate.extract.RecordSink;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A record that is a JSON object, by rules 2: what several of its fields tell together (that it is an event of Windows,
 * or an entry of Google's cloud), and which of its values are lines or objects themselves. For one thread.
 */
final class Document {
    /** A value that is a line or an object itself. */
    record Wrapped(String field, String value, int from, int to, boolean isText) {}

    private static final int MOST_WRAPPED = 32;
    private static final int LONGEST_NUMBER = 10;
    private static final String MESSAGE = "message";
    private static final String PAYLOAD = "jsonpayload.";
    /** Last parts of names that tell something, and bits of what. */
    private static final Map<String, Integer> ROLES = new HashMap<>();

    private static final int OF_WINDOWS = 1;
    private static final int OF_CLOUD = 2;
    private static final int IS_USER = 4;

    /** Names that events of Windows alone have: a number named {@code id} beside them is that of an event. */
    private static final int OF_WINDOWS_ALONE = 8;

    static {
        add(
                OF_WINDOWS,
                "channel providername provider_name sourcename machinename targetusername subjectusername computer"
                        + " computer_name logname timecreated ipaddress");
        add(OF_WINDOWS_ALONE, "providername provider_name machinename logname targetusername subjectusername");
        add(OF_CLOUD, "insertid receivetimestamp textpayload logname");
        add(IS_USER, "targetusername subjectusername accountname principalemail username user user_name");
        add(
                0,
                "label eventid event_id id code level severity severitynumber receivetimestamp timecreated systemtime"
                        + " keywords seconds timestampseconds");
    }

    private final StructuredFields fields;
    private final RecordSink sink;
    private final Header header;
    private final ByteArrayOutputStream messageBytes = new ByteArrayOutputStream();
    private final List<Wrapped> wrapped = new ArrayList<>();
    private @Nullable String eventId;
    private @Nullable String levelNumber;
    private @Nullable String severityNumber;
    private @Nullable String received;
    private @Nullable String levelWithin;
    private @Nullable String outcome;
    private boolean isOfWindows;
    private boolean isOfWindowsAlone;
    private boolean isOwnId;
    private boolean isOfCloud;
    private boolean escapes;

    Document(StructuredFields fields, RecordSink sink, Header header) {
        this.fields = fields;
        this.sink = sink;
        this.header = header;
    }

    /**
     * Reads a JSON object. Of one with escapes all text goes to the sink, without them; but for what it wraps, which is
     * read afterwards.
     *
     * @return whether it is well-formed
     */
    boolean read(JsonFields json, String text, boolean escapes, boolean oneToOne) {
        begin();
        this.escapes = escapes;
        boolean object = json.visit(text, new JsonFields.Visitor() {
            @Override
            public void key(String name) {
                if (escapes) {
                    sink.text(name);
                }
            }

            @Override
            public void field(String path, String value, int from, int to) {
                value(path, value, oneToOne ? from : -1, to, from >= 0);
            }
        });
        if (object && escapes) {
            sink.text(text.substring(json.end()));
        }
        message();
        finish();
        return object;
    }

    private static void add(int role, String names) {
        for (String name : names.split(" ")) {
            ROLES.merge(name, role, (one, other) -> one | other);
        }
    }

    private void begin() {
        messageBytes.reset();
        wrapped.clear();
        eventId = null;
        levelNumber = null;
        severityNumber = null;
        received = null;
        levelWithin = null;
        outcome = null;
        isOfWindows = false;
        isOfWindowsAlone = false;
        isOwnId = false;
        isOfCloud = false;
    }

    /** The values of the object read last that are lines or objects themselves, in their order. */
    List<Wrapped> wrapped() {
        return wrapped;
    }

    /** Whether the text of that object was given to the sink, without that of what it wraps. */
    boolean hadEscapes() {
        return escapes;
    }

    private void value(String path, String value, int from, int to, boolean isString) {
        String field = KeywordText.field(path);
        if (!isString && field.equals(MESSAGE) && isByte(value)) {
            messageBytes.write(Integer.parseInt(value));
            return;
        }
        String known = field.startsWith(PAYLOAD) ? field.substring(PAYLOAD.length()) : field;
        boolean isText = FieldNames.isWholeText(known);
        boolean isWrapped = isString && wrapped.size() < MOST_WRAPPED && isWrapped(value, isText, known.equals("log"));
        if (isText && isString) {
            fields.message(from, to);
        }
        if (isWrapped) {
            wrapped.add(new Wrapped(field, value, from, to, isText));
        } else if (escapes) {
            sink.text(value);
        }
        tell(field, known, value);
        fields.folded(path, field, isString ? withoutEscapes(value) : value, from, to);
    }

    private static boolean isByte(String value) {
        return !value.isEmpty()
                && value.length() <= 3
                && value.chars().allMatch(c -> c >= '0' && c <= '9')
                && Integer.parseInt(value) <= 0xff;
    }

    /** A message that the journal wrote as an array of bytes, as it does where one is no printable character. */
    private void message() {
        byte[] bytes = messageBytes.toByteArray();
        if (bytes.length == 1) { // a number
            fields.folded(MESSAGE, MESSAGE, Integer.toString(bytes[0] & 0xff), -1, -1);
        } else if (bytes.length > 1) {
            String text = withoutEscapes(new String(bytes, StandardCharsets.UTF_8));
            sink.text(text);
            if (wrapped.size() < MOST_WRAPPED && isWrapped(text, true, false)) {
                wrapped.add(new Wrapped(MESSAGE, text, -1, -1, true));
            }
            fields.folded(MESSAGE, MESSAGE, text, -1, -1);
        }
    }

    private static String withoutEscapes(String value) {
        if (value.indexOf('\u001b') < 0) {
            return value;
        }
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        EscapeSequences escapes = new EscapeSequences();
        escapes.clean(utf8, 0, utf8.length);
        return new String(escapes.bytes(), 0, escapes.length(), StandardCharsets.UTF_8);
    }

    /** Whether a value is an object, or, of a text, may be a line that tells more than its words. */
    private static boolean isWrapped(String value, boolean isText, boolean isLog) {
        int length = value.length();
        int at = 0;
        while (at < length && value.charAt(at) <= ' ' && value.charAt(at) != '\u001b') {
            at++;
        }
        if (at >= length) {
            return false;
        }
        char first = value.charAt(at);
        if (first == '{') {
            int end = length;
            while (end > at && value.charAt(end - 1) <= ' ') {
                end--;
            }
            return value.charAt(end - 1) == '}' || isText;
        }
        boolean isSign = first < '0' && first != '"' || first == '<' || first == '[' || first == '\u001b';
        boolean isCapital = at + 1 < length && first <= 'Z' && Character.isUpperCase(value.charAt(at + 1));
        boolean isDate = at + 4 < length && value.charAt(at + 3) == ' ' && value.charAt(at + 4) <= '9';
        isDate |= at + 5 < length && value.charAt(at + 4) <= '9' && value.charAt(at + 5) == ' '; // E1128 10:00:00
        boolean isPairs = value.indexOf('=') > 0 || value.indexOf('\u001b') >= 0;
        return isText && (isLog || isSign || first <= '9' || isCapital || isDate || isPairs);
    }

    private void tell(String field, String known, String value) {
        String name = field.endsWith(".#text") ? field.substring(0, field.length() - ".#text".length()) : field;
        String last = name.substring(name.lastIndexOf('.') + 1);
        Integer role = ROLES.get(last);
        boolean isInPayload = known.length() < field.length();
        isOfCloud |= isInPayload || field.startsWith("protopayload.");
        if (isInPayload
                && levelWithin == null
                && FieldNames.common(known).orElse(known).equals("level")) {
            String level = KeywordText.level(KeywordText.fold(value).strip());
            levelWithin = level.isEmpty() ? null : level;
        }
        if (field.endsWith(".user.name") && !value.isEmpty()) { // attributes of OpenTelemetry
            sink.field("user", value);
        }
        if (role == null) {
            return;
        }
        isOfWindows |= (role & OF_WINDOWS) != 0;
        isOfWindowsAlone |= (role & OF_WINDOWS_ALONE) != 0;
        isOfCloud |= (role & OF_CLOUD) != 0;
        switch (last) {
            case "eventid", "event_id", "id", "code" -> eventId(last, field, value);
            case "keywords" -> outcome = outcome == null ? WindowsEvent.outcome(value) : outcome;
            case "level" -> levelNumber = isNumber(value) ? value : levelNumber;
            case "severity" -> severityNumber = isNumber(value) ? value : severityNumber;
            case "label" -> levelWithin = levelWithin == null ? DatabaseHeader.levelOfLabel(value) : levelWithin;
            case "severitynumber" -> levelWithin = ofTelemetry(value);
            case "receivetimestamp", "timecreated", "systemtime" -> received = value;
            case "seconds", "timestampseconds" -> {
                if (field.startsWith("time") || field.startsWith("ts.")) {
                    fields.time(value);
                } else if (field.startsWith("receivetimestamp")) {
                    received = value;
                }
            }
            default -> {}
        }
        boolean isUser =
                (role & IS_USER) != 0 && !FieldNames.common(field).orElse(field).equals("user");
        if (isUser && !value.equals("-") && !value.isEmpty()) {
            sink.field("user", value);
        }
    }

    private void eventId(String last, String field, String value) {
        boolean isOwn = last.equals("eventid") || field.equals("winlog.event_id") || field.equals("event.code");
        boolean mayBe = isOwn || eventId == null && (field.equals("id") || last.equals("event_id"));
        if (isNumber(value) && mayBe) {
            eventId = value;
            isOwnId |= isOwn;
        }
    }

    private static boolean isNumber(String value) {
        return !value.isEmpty()
                && value.length() <= LONGEST_NUMBER
                && value.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    /** OpenTelemetry's numbers of severities: four to a level. */
    private static @Nullable String ofTelemetry(String number) {
        int value = isNumber(number) && number.length() < 3 ? Integer.parseInt(number) : 0;
        String[] levels = {"trace", "debug", "info", "warn", "error", "fatal"};
        return value < 1 || value > 24 ? null : levels[(value - 1) / 4];
    }

    /** Google's numbers of severities. */
    private static @Nullable String ofCloud(String number) {
        return switch (number) {
            case "100" -> "debug";
            case "200" -> "info";
            case "300" -> "notice";
            case "400" -> "warn";
            case "500" -> "error";
            case "600" -> "critical";
            case "700" -> "alert";
            case "800" -> "emergency";
            default -> null;
        };
    }

    private void finish() {
        if (received != null && !header.timed) {
            String millis = received.startsWith("/Date(") && received.endsWith(")/")
                    ? received.substring(6, received.length() - 2)
                    : received;
            fields.time(millis);
        }
        if (isOfCloud && severityNumber != null && ofCloud(severityNumber) != null) {
            header.level = ofCloud(severityNumber);
        }
        if (isOfCloud && "default".equals(header.level)) {
            header.level = null;
        }
        if (eventId != null && isOfWindows && (isOwnId || isOfWindowsAlone)) {
            windows(sink, header, eventId, levelNumber, outcome);
        }
        if (header.level == null) {
            header.level = levelWithin;
        }
    }

    /** Gives the meaning of an event of Windows, by its identifier and level, and the outcome that it tells itself. */
    static void windows(
            RecordSink sink, Header header, String id, @Nullable String levelNumber, @Nullable String outcome) {
        String level = levelNumber == null ? null : WindowsEvent.level(levelNumber);
        boolean isOfNumber = header.level == null || header.level.equals("emergency");
        if (level != null) {
            header.level = level;
        } else if (isOfNumber && "0".equals(levelNumber)) {
            header.level = "info";
        }
        WindowsEvent.Meaning meaning = WindowsEvent.meaning(id);
        if (meaning != null) {
            sink.field("event.action", meaning.action());
            sink.field("event.outcome", outcome == null ? meaning.outcome() : outcome);
            sink.text(meaning.words());
        } else if (outcome != null) {
            sink.field("event.outcome", outcome);
        }
    }
}
