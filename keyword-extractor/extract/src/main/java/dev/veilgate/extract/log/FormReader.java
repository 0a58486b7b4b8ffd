package dev.veilgate.extract.log;

import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.FieldNames;
import dev.veilgate.extract.KeywordText;
import dev.veilgate.extract.RecordSink;
import dev.veilgate.extract.TokenKind;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads what rules 2 know beside rules 1: records of the forms that their first bytes tell, and lines that stand in
 * other records, each by a reader of its own, up to {@value #MOST_LAYERS} in one another. Each layer reads at most the
 * bytes of the one around it. For one thread.
 */
final class FormReader implements FieldSink {
    /** Records in one another that are read; what is deeper is words. */
    static final int MOST_LAYERS = 4;

    private static final int LONGEST_PID = 10;
    private static final int LONGEST_HOST = 128;

    private final LogReader reader;
    private final ExtractorProfile profile;
    private final RecordSink sink;
    private final Header header;
    private final StructuredFields structured;
    private final int layer;
    private @Nullable LogReader inner;

    FormReader(
            LogReader reader,
            ExtractorProfile profile,
            RecordSink sink,
            Header header,
            StructuredFields structured,
            int layer) {
        this.reader = reader;
        this.profile = profile;
        this.sink = sink;
        this.header = header;
        this.structured = structured;
        this.layer = layer;
    }

    /** The reader of what the record wraps; null if it is too deep. */
    private @Nullable LogReader inner() {
        if (inner == null && layer + 1 < MOST_LAYERS) {
            inner = LogReader.within(profile, sink, layer + 1);
        }
        return inner;
    }

    /** Reads a record of a form of rules 2 as a whole; false, with nothing changed, if it is none. */
    boolean read(byte[] lower, int length) {
        if (length < 8) {
            return false;
        }
        return switch (lower[0]) {
            case '<' -> lower[1] == 'e' && xml(lower, length);
            case '{' -> lower[2] == 'l' && lower[3] == 'o' && pieces(lower, length);
            case 'c', 'l' -> lower[1] == 'e' && event(lower, 0, length);
            case '*', '.', '%' -> CiscoMessage.read(lower, 0, length, header, this);
            case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> container(lower, length);
            default -> false;
        };
    }

    /** As {@link #read}, of records for which no form of rules 1 was found by their first bytes. */
    boolean readOther(byte[] lower, int length) {
        if (length < 8) {
            return false;
        }
        if (AccessLog.read(lower, 0, length, header, this)) {
            return true;
        }
        int first = lower[0];
        boolean mayBeCisco = first == '<'
                || first >= 'a' && first <= 'z' && lower[3] == ' '
                || first >= '0' && first <= '9' && (isCounter(lower, length) || lower[4] == ' ' && lower[5] >= 'a');
        if (!mayBeCisco) {
            return false;
        }
        int begin = first == '<' ? SyslogHeader.priorityAlone(lower, length, header) : 0;
        return CiscoMessage.read(lower, begin, length, header, this);
    }

    /** {@code 000123: }, a number of a message. */
    private static boolean isCounter(byte[] lower, int length) {
        int end = 1;
        while (end < length && end <= LONGEST_PID && lower[end] >= '0' && lower[end] <= '9') {
            end++;
        }
        return end < length && lower[end] == ':';
    }

    /** Reads what stands behind a header that was read; where that begins, the end if there is nothing but words. */
    int readBehind(byte[] lower, int length) {
        if (!header.app.isEmpty() && lower[header.app.from] == '%') { // host %SYS-5-CONFIG_I: text
            int end = CiscoMessage.tagEnd(lower, header.app.from, length);
            if (end > 0) {
                CiscoMessage.tag(lower, header.app.from, end, length, header, this);
                return length;
            }
        }
        int at = header.message.from;
        if (isApp(lower, "cef") || isApp(lower, "leef")) { // host CEF: 0|Vendor|
            at = header.app.from;
            header.app.set(0, 0);
        } else if (at + 4 < length && lower[at] == '[') {
            at = pastSequence(lower, at, length);
        }
        while (at < length && (Columns.isSpace(lower[at]) || lower[at] == ':' || lower[at] == '-')) {
            at++;
        }
        if (at >= length || at == 0) {
            return length;
        }
        if (!mayBegin(lower, at, length)) {
            int column = Columns.end(lower, at, Math.min(length, at + LONGEST_HOST));
            int next = Columns.pastSpaces(lower, column, length);
            if (!SecurityEvent.begins(lower, next, length)) {
                return trailing(lower, at, length);
            }
            if (header.host.isEmpty()) {
                header.host.set(at, column);
            }
            at = next;
        }
        LogReader within = inner();
        if (within == null) {
            return length;
        }
        boolean isCounter = Columns.isDigits(lower, header.app.from, header.app.to);
        within.readWithin(reader.record(), reader.start() + at, reader.start() + length, "", true);
        if (isCounter && within.header().level != null) { // 123: *Nov 28 10:00:00: %SYS-5-CONFIG_I: text
            header.app.set(0, 0);
        }
        reader.textEnds(at);
        if (merge(within)) {
            int from = within.messageFrom() - reader.start();
            header.message.set(from, Math.max(from, within.messageTo() - reader.start()));
        }
        return at;
    }

    private boolean isApp(byte[] lower, String name) {
        int from = header.app.from;
        boolean is = header.app.to - from == name.length();
        for (int i = 0; is && i < name.length(); i++) {
            is = lower[from + i] == name.charAt(i);
        }
        return is;
    }

    /** Behind {@code [3-1]}, by which PostgreSQL numbers the lines that it gives to syslog. */
    private static int pastSequence(byte[] lower, int from, int to) {
        int end = from + 1;
        while (end < to && (lower[end] >= '0' && lower[end] <= '9' || lower[end] == '-' && end > from + 1)) {
            end++;
        }
        return end < to && end > from + 1 && lower[end] == ']' ? end + 1 : from;
    }

    /** Whether what begins here behind a header may be a record itself; words are the usual case. */
    private boolean mayBegin(byte[] lower, int at, int to) {
        byte first = lower[at];
        return switch (first) {
            case '{', '%', '*', '<' -> true;
            case 'c', 'l' ->
                to - at > 6 && lower[at + 1] == 'e' && (lower[at + 3] == ':' || lower[at + 4] == ':')
                        || reader.hasPairs() && PairFields.isPairs(lower, at, to);
            case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> to - at > 16 && isColumns(lower, at, to);
            default ->
                first >= 'a'
                        && first <= 'z'
                        && (isOfKubernetes(lower, at, to) || reader.hasPairs() && PairFields.isPairs(lower, at, to));
        };
    }

    /** {@code E1128 10:00:00}: letter of a level, month and day, and a time. */
    private static boolean isOfKubernetes(byte[] lower, int at, int to) {
        return at + 8 < to
                && Columns.isDigits(lower, at + 1, at + 5)
                && Columns.isSpace(lower[at + 5])
                && lower[at + 8] == ':'
                && Header.levelOfLetter(lower[at]) != null;
    }

    /** An address and a column, or a year and a hyphen. */
    private static boolean isColumns(byte[] lower, int at, int to) {
        int end = Columns.end(lower, at, Math.min(to, at + 64));
        return end - at > 6 && end + 2 < to && (lower[end + 1] == '-' || lower[at + 4] == '-');
    }

    /** An object at the end of a line of text: {@code pump stopped {"user":"ann"}}; where it begins. */
    private int trailing(byte[] lower, int from, int to) {
        int end = to;
        while (end > from + 2 && lower[end - 1] == ']' && lower[end - 2] == '[' && lower[end - 3] == ' ') {
            end -= 3; // {"user":"ann"} []: of Monolog, which has two objects
        }
        if (lower[end - 1] != '}') {
            return to;
        }
        int at = EscapeSequences.find(lower, (byte) '{', from, to);
        while (at >= 0 && at + 1 < to && lower[at + 1] != '"') {
            at = EscapeSequences.find(lower, (byte) '{', at + 1, to);
        }
        LogReader within = at >= 0 && at + 1 < to ? inner() : null;
        if (within == null) {
            return to;
        }
        within.readWithin(reader.record(), reader.start() + at, reader.start() + to, "", true);
        merge(within);
        reader.textEnds(at);
        return at;
    }

    /** Takes over what the header of a line within tells; whether it is more than words. */
    private boolean merge(LogReader within) {
        Header told = within.header();
        boolean any = told.timed || told.level != null || within.isStructured();
        if (told.timed && !reader.isDated()) {
            told.time.tokens(sink);
            reader.datedBy(within);
        }
        if (header.level == null) {
            header.level = told.level;
        } else if (header.isOfPriority && told.level != null && within.isStructured()) {
            sink.token(TokenKind.LEVEL, told.level); // what passed it on gave all the same priority
        }
        if (header.host.isEmpty()) {
            within.tell(TokenKind.HOST, told.host);
        }
        within.tell(TokenKind.APP, told.app);
        within.tell(TokenKind.PID, told.pid);
        within.tellNamed();
        return any;
    }

    /** Lines of container runtimes; several are the parts of one. */
    private boolean container(byte[] lower, int length) {
        int stream = ContainerLine.stream(lower, 0, length);
        LogReader within = stream < 0 ? null : inner();
        if (within == null) {
            return false;
        }
        header.timed = header.time.read(lower, 0, stream - 1) == stream - 1;
        if (!header.timed) {
            return false;
        }
        field("stream", stream, ContainerLine.streamEnd(stream));
        int content = ContainerLine.content(lower, stream, length);
        header.message.from = content;
        reader.addText(content);
        reader.textIsRead();
        boolean isOne = EscapeSequences.find(lower, (byte) '\n', content, length) < 0;
        if (isOne) {
            int start = reader.start();
            within.readWithin(reader.record(), start + content, start + length, "", true);
            merge(within);
            header.message.set(within.messageFrom() - start, within.messageTo() - start);
        } else {
            byte[] joined = joined(lower, content, length, ContainerLine.isPart(lower, stream));
            within.readWithin(joined, 0, joined.length, "", true);
            merge(within);
        }
        return true;
    }

    /** The text of lines in a container's format, without their headers; parts of one line stand together. */
    private byte[] joined(byte[] lower, int from, int to, boolean goesOn) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(to - from);
        boolean isPart = goesOn;
        int at = from;
        while (at < to) {
            int end = EscapeSequences.find(lower, (byte) '\n', at, to);
            end = end < 0 ? to : end;
            out.write(reader.record(), reader.start() + at, end - at);
            at = end + 1;
            int stream = at < to ? ContainerLine.stream(lower, at, to) : -1;
            if (!isPart && at < to) {
                out.write('\n');
            }
            if (stream >= 0) {
                isPart = ContainerLine.isPart(lower, stream);
                at = ContainerLine.content(lower, stream, to);
            }
        }
        return out.toByteArray();
    }

    /** Several lines of Docker, which are the parts of one. */
    private boolean pieces(byte[] lower, int length) {
        int start = reader.start();
        LogReader within = EscapeSequences.find(lower, (byte) '\n', 0, length) < 0 ? null : inner();
        byte[] joined = within == null ? new byte[0] : DockerLine.joined(reader.record(), start, start + length);
        if (within == null || joined.length == 0) {
            return false;
        }
        within.readWithin(joined, 0, joined.length, "", true);
        merge(within);
        reader.textIsRead();
        return true;
    }

    private boolean event(byte[] lower, int from, int length) {
        structured.begin();
        if (!SecurityEvent.read(lower, from, length, header, this)) {
            header.reset(length);
            return false;
        }
        if (EscapeSequences.find(lower, (byte) '\\', from, length) >= 0) {
            sink.text(PairValues.unescaped(string(0, length), true));
            reader.textIsRead();
        }
        return true;
    }

    private boolean xml(byte[] lower, int length) {
        if (length < 16 || lower[2] != 'v' || lower[3] != 'e' || lower[4] != 'n' || lower[5] != 't') {
            return false;
        }
        structured.begin();
        String[] ofWindows = new String[3];
        boolean read = WindowsEvent.visit(string(0, length), (name, value) -> {
            switch (name) {
                case "EventID" -> ofWindows[0] = value.strip();
                case "Level" -> ofWindows[1] = value.strip();
                case "Keywords", "Keyword" ->
                    ofWindows[2] = ofWindows[2] == null ? WindowsEvent.outcome(value) : ofWindows[2];
                case "TimeCreated.SystemTime" -> structured.time(value);
                case "Execution.ProcessID" -> sink.token(TokenKind.PID, value);
                case "Computer" -> sink.token(TokenKind.HOST, value);
                case "Provider.Name" -> sink.token(TokenKind.APP, value);
                case "TargetUserName", "SubjectUserName" -> {
                    if (!value.equals("-")) {
                        sink.field("user", value);
                    }
                }
                default -> {}
            }
            if (!name.equals("Level")) {
                structured.field(name, value, -1, -1);
            }
            if (value.indexOf('&') >= 0) {
                sink.text(value);
            }
        });
        if (read && ofWindows[0] != null) {
            Document.windows(sink, header, ofWindows[0], ofWindows[1], ofWindows[2]);
        }
        return read;
    }

    /** Reads the lines that stand in a JSON object which was read. */
    void readWrapped() {
        Document document = structured.document();
        if (document == null) {
            return;
        }
        for (Document.Wrapped value : document.wrapped()) {
            LogReader within = inner();
            if (within == null) {
                if (document.hadEscapes()) {
                    sink.text(value.value());
                }
                continue;
            }
            byte[] utf8 = value.value().getBytes(StandardCharsets.UTF_8);
            within.readWithin(utf8, 0, utf8.length, value.isText() ? "" : value.field(), document.hadEscapes());
            merge(within);
            int from = value.from();
            boolean isAscii = utf8.length == value.value().length();
            if (isAscii && from >= 0 && header.message.from == from) {
                int escape = Columns.find(reader.lower(), '\\', from, value.to(), value.to() - from);
                boolean isAsWritten = escape < 0 || escape >= from + within.messageTo();
                if (isAsWritten) {
                    header.message.set(from + within.messageFrom(), from + within.messageTo());
                }
            }
        }
    }

    /** Whether a line may have the user as a pair: {@code user=ann}. */
    static boolean mayHaveUser(byte[] lower, int from, int to) {
        int at = EscapeSequences.find(lower, (byte) '=', from, to);
        while (at >= 0) {
            if (at - 3 >= from && (lower[at - 1] == 'r' || lower[at - 1] == 'e') && lower[at - 2] >= 'a') {
                int s = lower[at - 1] == 'r' ? at - 2 : at - 4;
                boolean isUser =
                        lower[at - 1] == 'r' && (lower[s] == 'e' || lower[s] == 's') || s >= from && lower[s] == 'n';
                if (isUser) {
                    return true;
                }
            }
            at = EscapeSequences.find(lower, (byte) '=', at + 1, to);
        }
        return false;
    }

    /** Whether a pair of a line of text names the user, and is not part of an address of the web. */
    static boolean isUser(String field, byte[] lower, int nameFrom) {
        boolean isOfQuery = nameFrom > 0 && (lower[nameFrom - 1] == '?' || lower[nameFrom - 1] == '&');
        return !isOfQuery && FieldNames.common(field).orElse(field).equals("user");
    }

    @Override
    public void field(String name, int from, int to) {
        field(name, reader.string(from, to));
    }

    @Override
    public void field(String name, String value) {
        String folded = KeywordText.field(name);
        if (!structured.counts(folded)) {
            return;
        }
        switch (folded) {
            case "host" -> sink.token(TokenKind.HOST, value);
            case "app" -> sink.token(TokenKind.APP, value);
            case "pid" -> sink.token(TokenKind.PID, value);
            case "level" -> sink.token(TokenKind.LEVEL, value);
            default -> sink.field(folded, value);
        }
    }

    @Override
    public void path(int from, int to) {
        sink.token(TokenKind.PATH, reader.string(from, to));
    }

    @Override
    public String string(int from, int to) {
        return reader.string(from, to);
    }
}
