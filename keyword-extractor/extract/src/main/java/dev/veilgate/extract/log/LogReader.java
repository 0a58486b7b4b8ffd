package dev.veilgate.extract.log;

import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.KeywordText;
import dev.veilgate.extract.RecordSink;
import dev.veilgate.extract.TokenKind;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads log records and gives what they have to a sink: the text, and beside it the fields host, app, pid, level and
 * time, and the named fields of JSON and key=value records and of structured data, or of any record where the profile
 * names them. Whatever the bytes are, they are read: what is not of the format as plain text, and what is not UTF-8 is
 * between words. Behind the profile's limits nothing is read.
 *
 * <p>Keeps buffers of the longest record so far: at most twice the profile's record bytes, more while a record is not
 * ASCII. For one thread.
 */
public final class LogReader {
    private static final int LONGEST_PID = 10;
    private static final int LONGEST_LEVEL = 32;

    private final ExtractorProfile profile;
    private final LogFormat format;
    private final RecordSink sink;
    private final Header header;
    private final PlainHeader plain;
    private final LineWithin within = new LineWithin();
    private final StructuredFields structured;
    private final @Nullable FormReader forms;
    private final EscapeSequences escapes = new EscapeSequences();
    private final Set<String> listed = new HashSet<>();
    private byte[] lower = new byte[4096];
    private boolean ascii;
    private byte[] record = new byte[0];
    private int start;
    private int end;
    private boolean cut;
    private int cleanedFrom;
    private int textEnd;
    private int signs;
    private LogReader dated = this;

    private LogReader(ExtractorProfile profile, LogFormat format, RecordSink sink, int layer) {
        this.profile = profile;
        this.format = format;
        this.sink = sink;
        boolean isPlain = profile.rules() == ExtractorProfile.RULES;
        this.header = new Header(!isPlain);
        listed.addAll(profile.fields());
        profile.numericFields().forEach(field -> listed.add(field.field()));
        this.structured = new StructuredFields(profile, listed, sink, header);
        this.plain = new PlainHeader(!isPlain);
        this.forms = isPlain ? null : new FormReader(this, profile, sink, header, structured, layer);
    }

    /**
     * A reader of the records of one source.
     *
     * @param profile whose limits and fields it heeds
     * @param sink    gets what each record has while it is read
     */
    public static LogReader of(ExtractorProfile profile, LogFormat format, RecordSink sink) {
        return new LogReader(profile, format, sink, 0);
    }

    /** A reader of lines that stand in other records, so many layers deep. */
    static LogReader within(ExtractorProfile profile, RecordSink sink, int layer) {
        return new LogReader(profile, LogFormat.AUTO, sink, layer);
    }

    /** Reads the record in a part of an array, which may end with a line end. */
    public void read(byte[] buffer, int begin, int to) {
        int length = prepare(buffer, begin, to);
        readHeader(length);
        addHeader();
        addText(textEnd);
        record = new byte[0];
    }

    /**
     * Reads a line that stands in another record. Fields go to the sink; what the header tells is left to
     * {@link #header}.
     *
     * @param field    whose value it is; empty if the record is nothing else
     * @param withText whether the text goes to the sink, too
     */
    void readWithin(byte[] buffer, int begin, int to, String field, boolean withText) {
        int length = prepare(buffer, begin, to);
        structured.within(field);
        if (!withText) {
            textEnd = 0;
        }
        readHeader(length);
        if (withText) {
            addText(textEnd);
        }
    }

    private int prepare(byte[] buffer, int begin, int to) {
        int from = behindMark(buffer, begin, to);
        end = to;
        while (end > from && (buffer[end - 1] == '\n' || buffer[end - 1] == '\r')) {
            end--;
        }
        if (forms != null) {
            while (from < end && buffer[from] == 0) { // of a file that was cut while a program wrote to it
                from++;
            }
            while (end > from && buffer[end - 1] == 0) {
                end--;
            }
        }
        int length = lookedAt(buffer, from, end);
        cut = length < end - from;
        record = buffer;
        start = from;
        cleanedFrom = -1;
        makeRoom(length);
        if (forms == null) {
            ascii = KeywordText.foldAscii(record, start, start + length, lower);
        } else {
            signs = EscapeSequences.fold(record, start, start + length, lower);
            if ((signs & EscapeSequences.ESCAPES) != 0) {
                escapes.clean(buffer, from, from + length);
                record = escapes.bytes();
                cleanedFrom = from;
                start = 0;
                length = escapes.length();
                signs = EscapeSequences.fold(record, 0, length, lower);
            }
            ascii = (signs & EscapeSequences.BEYOND_ASCII) == 0;
        }
        header.reset(length);
        structured.begin();
        textEnd = length;
        dated = this;
        return length;
    }

    private void makeRoom(int length) {
        if (lower.length < length) {
            lower = new byte
                    [Math.min(
                            Math.max(length, 2 * lower.length), profile.limits().recordBytes())];
        }
    }

    /** When the record that was read last was written; empty if it does not say, or says no year. */
    Optional<Instant> dated() {
        return dated.header.timed ? dated.header.time.instant() : Optional.empty();
    }

    /** The same of a record that says no year. */
    Optional<YearlessTime> yearless() {
        return dated.header.timed ? dated.header.time.yearless() : Optional.empty();
    }

    /** First byte of the free text behind time, host, program and level, in the array that was given. */
    int messageFrom() {
        return original(header.message.from);
    }

    /** Behind the last byte of that text, without the line's end. */
    int messageTo() {
        return cut ? end : original(header.message.to);
    }

    private int original(int at) {
        return cleanedFrom < 0 ? start + at : cleanedFrom + escapes.original(at);
    }

    /** Whether the record may have pairs. By rules 2 alone. */
    boolean hasPairs() {
        return (signs & EscapeSequences.EQUALS) != 0;
    }

    byte[] record() {
        return record;
    }

    byte[] lower() {
        return lower;
    }

    /** Where the looked-at bytes begin in {@link #record}. */
    int start() {
        return start;
    }

    Header header() {
        return header;
    }

    /** Whether the record that was read last, or one in it, says when it was written. */
    boolean isDated() {
        return dated.header.timed;
    }

    /** The record within, which was read, says when this one was written. */
    void datedBy(LogReader within) {
        dated = within.dated;
    }

    /** Whether the record that was read last had named fields. */
    boolean isStructured() {
        return structured.any();
    }

    /** Only the text before this place is left to be given to the sink. */
    void textEnds(int at) {
        textEnd = Math.min(textEnd, at);
    }

    /** All text has been given to the sink. */
    void textIsRead() {
        textEnd = 0;
    }

    /** Tells if the record that was read last was longer than the profile allows. */
    boolean isCut() {
        return cut;
    }

    /** A byte order mark, as the first line of a file may have, belongs to no record. */
    private static int behindMark(byte[] buffer, int from, int to) {
        boolean mark = to - from >= 3
                && buffer[from] == (byte) 0xEF
                && buffer[from + 1] == (byte) 0xBB
                && buffer[from + 2] == (byte) 0xBF;
        return mark ? from + 3 : from;
    }

    /**
     * How much of a record is looked at: all, or up to the limit without a token that goes on behind it, unless that
     * would be cut anyway.
     */
    private int lookedAt(byte[] buffer, int from, int to) {
        int limit = profile.limits().recordBytes();
        if (to - from <= limit) {
            return to - from;
        }
        int end = from + limit;
        int least = Math.max(from, end - 4 * profile.limits().valueBytes());
        while (end > least && isTokenByte(buffer[end - 1])) {
            end--;
        }
        return end > least ? end - from : limit;
    }

    private static boolean isTokenByte(byte b) {
        return b < 0 || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z';
    }

    private void readHeader(int length) {
        switch (format) {
            case RFC5424 -> {
                if (!rfc5424(length)) {
                    plain(length);
                }
            }
            case RFC3164 -> {
                if (!rfc3164(length)) {
                    plain(length);
                }
            }
            case JSON -> {
                if (!json(length)) {
                    plain(length);
                }
            }
            case KEY_VALUE -> pairs(length);
            case PLAIN -> plain(length);
            case AUTO -> auto(length);
        }
    }

    private void auto(int length) {
        int first = length == 0 ? 0 : lower[0];
        if (forms != null && forms.read(lower, length)) {
            return;
        }
        boolean read = switch (first) {
            case '<' -> rfc5424(length) || rfc3164(length);
            case '{' -> json(length);
            case 'j', 'f', 'm', 'a', 's', 'o', 'n', 'd' -> rfc3164(length);
            default -> false;
        };
        if (!read && first >= 'A' && PairFields.isPairs(lower, length)) {
            pairs(length);
        } else if (!read && (forms == null || !forms.readOther(lower, length))) {
            plain(length);
        }
    }

    private boolean rfc5424(int length) {
        if (!SyslogHeader.rfc5424(lower, length, header)) {
            header.reset(length);
            return false;
        }
        Header.Range data = header.structured;
        PairFields.visit(lower, data.from, data.to, false, this::pair);
        behind(header.message.from, length);
        return true;
    }

    private boolean rfc3164(int length) {
        if (!SyslogHeader.rfc3164(lower, length, header)) {
            header.reset(length);
            return false;
        }
        levelOfMessage(lineEnd(0, length));
        behind(header.message.from, length);
        return true;
    }

    /** Fields of the text behind a header. */
    private void behind(int from, int length) {
        listedPairs(from, forms == null ? length : forms.readBehind(lower, length));
    }

    /**
     * {@code app[123]: ERROR text}, {@code app: error: text}: a level that a message begins with, and that is no word
     * of its sentence, since it is in capitals or has a sign behind it.
     */
    private void levelOfMessage(int length) {
        int from = header.message.from;
        int end = Columns.end(lower, from, Math.min(length, from + LONGEST_LEVEL));
        boolean behindName = !header.app.isEmpty() && header.level == null && from < end;
        if (behindName && (isSign(lower[end - 1]) || isInCapitals(from, end))) {
            header.level = Header.levelOfColumn(lower, from, end);
        }
        if (!header.app.isEmpty() && header.level == null) {
            header.level = within.level(lower, from, length);
        }
    }

    private static boolean isSign(byte last) {
        return last == ':' || last == ']' || last == ')' || last == '>';
    }

    private static boolean isLetter(byte lower) {
        return lower >= 'a' && lower <= 'z';
    }

    private boolean isInCapitals(int from, int to) {
        for (int i = from; i < to; i++) {
            if (isLetter(record[start + i])) {
                return false;
            }
        }
        return true;
    }

    private boolean json(int length) {
        String text = string(0, length);
        structured.begin();
        boolean escapes = Columns.find(lower, '\\', 0, length, length) >= 0;
        boolean object = structured.json(text, escapes, text.length() == length);
        if (forms != null) {
            structured.dayAndClock();
            forms.readWrapped();
            textEnd = object && escapes ? 0 : textEnd;
        }
        return object || structured.any();
    }

    private void pairs(int length) {
        structured.begin();
        PairFields.visit(lower, 0, length, true, this::pair);
        if (!structured.any()) {
            plain(length);
        } else if (forms != null) {
            structured.dayAndClock();
        }
    }

    private void plain(int length) {
        int lineEnd = lineEnd(0, length);
        plain.read(lower, lineEnd, header);
        levelOfMessage(lineEnd);
        behind(0, length);
    }

    /** Finds the end of the line that begins at a place. By rules 1 a record is one line, whatever is in it. */
    private int lineEnd(int from, int to) {
        int end = forms == null ? -1 : EscapeSequences.find(lower, (byte) '\n', from, to);
        return end < 0 ? to : end;
    }

    /** The pairs of a line of text whose keys the profile lists. */
    private void listedPairs(int from, int to) {
        boolean mayHaveUser = hasPairs() && FormReader.mayHaveUser(lower, from, to);
        if (listed.isEmpty() && !mayHaveUser) {
            return;
        }
        int end;
        for (int at = from; at < to; at = end + 1) {
            end = lineEnd(at, to);
            listedPairs(at, end, mayHaveUser);
        }
    }

    private void listedPairs(int from, int to, boolean mayHaveUser) {
        PairFields.visit(lower, from, to, false, (nameFrom, nameTo, valueFrom, valueTo, escaped) -> {
            if (listed.isEmpty() && lower[nameTo - 1] != 'r' && lower[nameTo - 1] != 'e') {
                return;
            }
            String name = KeywordText.field(string(nameFrom, nameTo));
            boolean isUser = mayHaveUser && FormReader.isUser(name, lower, nameFrom);
            if (listed.contains(name)) {
                sink.field(name, PairValues.unescaped(string(valueFrom, valueTo), escaped));
            }
            if (isUser) {
                UserValue.tell(this, sink, name, valueFrom, valueTo, to, escaped);
            }
        });
    }

    private void pair(int nameFrom, int nameTo, int valueFrom, int valueTo, boolean escaped) {
        String value = PairValues.unescaped(string(valueFrom, valueTo), escaped);
        if (escaped) {
            sink.text(value);
        }
        String name = string(nameFrom, nameTo);
        structured.field(name, value, valueFrom, valueTo);
        boolean mayBeUser = forms != null && !escaped && (lower[nameTo - 1] == 'r' || lower[nameTo - 1] == 'e');
        if (mayBeUser && FormReader.isUser(KeywordText.field(name), lower, nameFrom)) {
            UserValue.tell(this, sink, name, valueFrom, valueTo, textEnd, false);
        }
    }

    /** A part of the record as text. */
    String string(int from, int to) {
        return ascii
                ? new String(record, start + from, to - from, StandardCharsets.ISO_8859_1)
                : new String(record, start + from, to - from, StandardCharsets.UTF_8);
    }

    /** All tokens; a process id is a keyword already, which the search for a number asks for too. */
    void addText(int length) {
        Header.Range pid = header.pid;
        if (!ascii) {
            sink.text(record, start, start + length);
        } else if (!pid.isEmpty()
                && pid.to <= length
                && pid.to - pid.from <= LONGEST_PID
                && Columns.isDigits(lower, pid.from, pid.to)) {
            sink.foldedText(lower, 0, pid.from);
            sink.foldedText(lower, pid.to, length);
        } else {
            sink.foldedText(lower, 0, length);
        }
    }

    private void addHeader() {
        add(TokenKind.HOST, header.host);
        add(TokenKind.APP, header.app);
        add(TokenKind.PID, header.pid);
        if (header.level != null) {
            sink.token(TokenKind.LEVEL, header.level);
        }
        if (header.timed) {
            header.time.tokens(sink);
        }
        tellNamed();
    }

    /** Fields of the header beside those of all headers. */
    void tellNamed() {
        for (int i = 0; i < header.namedCount; i++) {
            sink.field(header.names[i], string(header.values[i].from, header.values[i].to));
        }
    }

    /** Gives a part of the header to the sink, if it is there. */
    void tell(TokenKind kind, Header.Range range) {
        add(kind, range);
    }

    private void add(TokenKind kind, Header.Range range) {
        if (range.isEmpty()) {
            return;
        }
        if (ascii) {
            sink.token(kind, lower, range.from, range.to);
        } else {
            sink.token(kind, string(range.from, range.to));
        }
    }
}
