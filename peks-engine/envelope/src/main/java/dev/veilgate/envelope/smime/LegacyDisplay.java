package dev.veilgate.envelope.smime;

import dev.veilgate.envelope.smime.MailHeader.Field;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * From, To, Cc and Subject once more, as first lines of a message's text, for mail programs that show the header
 * outside
 * alone (RFC 9788, section 5.2.2, Legacy Display Element). Programs that know header protection do not show these
 * lines,
 * by the parameter {@code hp-legacy-display="1"}. RFC 9788 puts there only what is hidden outside. We put more: what is
 * signed can be taken out of a mail and sealed for somebody else under another header, and then contradicts that header
 * on its first lines (docs/adr/0045).
 *
 * <p>Lines are put into the text that is shown first: text/plain and text/html, in the first part of multipart/mixed
 * and multipart/related, in all parts of multipart/alternative, in their own transfer encoding and character set, of
 * which a character that is not there becomes {@code ?}. Nothing else of the body changes: it has the pieces of ours
 * at some places, and taking them out gives what it was. What its author signed or encrypted has none, nor has a form
 * that is not understood.
 */
public final class LegacyDisplay {
    /** Nothing is put anywhere. */
    public static final LegacyDisplay NONE = new LegacyDisplay(false, true, List.of());

    static final String PARAMETER = " hp-legacy-display=\"1\"";

    /** Name in lower case of the field inside that has the places. */
    static final String FIELD = HeaderProtection.DISPLAY_FIELD.toLowerCase(Locale.ROOT);

    /** Names of the fields that stand in the text. */
    private static final List<String> SHOWN = List.of("From", "To", "Cc", "Subject");

    private static final int MAX_DEPTH = 8;
    private static final int MAX_PIECES = 16;
    private static final int MAX_LINE_BYTES = 600;
    private static final int MAX_SEARCHED = 64 << 10; // of HTML, for where its body begins
    private static final int MAX_LOOKED_AT = 1 << 10; // of other text, for a mark of its character set
    private static final int MAX_PART_HEADER = 64 << 10;
    private static final Set<String> UNENCODED = Set.of("7bit", "8bit", "binary");

    /** Character sets in which no other character has bytes of ASCII. */
    private static final Pattern NARROW = Pattern.compile("US-ASCII|UTF-8|ISO-8859-\\d+|windows-125\\d|KOI8-[RU]");

    /** Character sets in which other characters may have bytes of ASCII. */
    private static final Set<String> WIDE =
            Set.of("GB2312", "GBK", "GB18030", "Big5", "EUC-KR", "EUC-JP", "Shift_JIS", "windows-31j", "ISO-2022-JP");

    private static final int BASE64_GROUP = 3;
    private static final int QUOTED_LINE = 73;
    private static final String HTML_START = "<div class=\"header-protection-legacy-display\"><pre>";
    private static final String HTML_END = "</pre></div>\r\n";
    private static final Pattern PLACE = Pattern.compile("(\\d{1,15})\\+(\\d{1,5})");
    private static final Pattern PARAMETERS =
            Pattern.compile(";\\s*(boundary|charset)\\s*=\\s*(\"[^\"\\\\]*\"|[^\\s;\"]+)", Pattern.CASE_INSENSITIVE);

    private final boolean isInHeader;
    private final boolean isSure;
    private final List<Piece> pieces;

    /**
     * Bytes that are put into a body.
     *
     * @param at place in the body as it was
     */
    private record Piece(long at, byte[] bytes) {}

    /** @param isSure whether all programs read what is around the lines alike, with them and without */
    private LegacyDisplay(boolean isInHeader, boolean isSure, List<Piece> pieces) {
        this.isInHeader = isInHeader;
        this.isSure = isSure;
        this.pieces = List.copyOf(pieces);
    }

    /**
     * The lines of a message: of From, To, Cc and Subject those that are there once.
     *
     * @param header  of the message
     * @param decoded text of a field; empty for one that is not shown
     * @param body    as it was submitted; is read as far as it must be, and not closed
     */
    public static LegacyDisplay of(MailHeader header, Function<Field, String> decoded, InputStream body)
            throws IOException {
        List<String> lines = new ArrayList<>();
        for (String name : SHOWN) {
            List<Field> fields = header.all(name.toLowerCase(Locale.ROOT));
            if (fields.size() == 1) {
                line(name, decoded.apply(fields.getFirst())).ifPresent(lines::add);
            }
        }
        return of(header, lines, body);
    }

    /**
     * The line of a message of before, which had its Subject alone.
     *
     * @param header  of the message
     * @param subject decoded
     * @param body    as it was submitted; is read as far as it must be, and not closed
     */
    public static LegacyDisplay of(MailHeader header, String subject, InputStream body) throws IOException {
        return of(header, line("Subject", subject).stream().toList(), body);
    }

    private static Optional<String> line(String name, String decoded) {
        String text = decoded.replaceAll("\\p{Cntrl}+", " ").strip();
        return text.isEmpty() ? Optional.empty() : Optional.of(name + ": " + text);
    }

    private static LegacyDisplay of(MailHeader header, List<String> lines, InputStream body) throws IOException {
        if (lines.isEmpty()) {
            return NONE;
        }
        Finder finder = new Finder(lines, body);
        boolean found = finder.part(header, Optional.empty(), 0);
        return found ? new LegacyDisplay(finder.isInHeader, finder.isSure, finder.pieces) : NONE;
    }

    /** Tells if the message's own Content-Type gets the parameter. */
    boolean isInHeader() {
        return isInHeader;
    }

    /** Tells if nothing is put anywhere. */
    boolean isEmpty() {
        return pieces.isEmpty();
    }

    /**
     * Places in the body with what is put there, each as {@code place+length}, in ascending order, with blanks
     * between.
     */
    String places() {
        StringBuilder places = new StringBuilder();
        long shift = 0;
        for (Piece piece : pieces) {
            places.append(places.isEmpty() ? "" : " ")
                    .append(piece.at + shift)
                    .append('+')
                    .append(piece.bytes.length);
            shift += piece.bytes.length;
        }
        return places.toString();
    }

    /** The body with the lines. */
    public InputStream into(InputStream body) {
        List<InputStream> all = new ArrayList<>();
        long at = 0;
        for (Piece piece : pieces) {
            all.add(new Bounded(body, piece.at - at));
            all.add(new ByteArrayInputStream(piece.bytes));
            at = piece.at;
        }
        all.add(body);
        return new SequenceInputStream(Collections.enumeration(all));
    }

    /**
     * Tells if a body has these lines, all that its header names and no others, and if nothing else is read differently
     * without them.
     *
     * @param inner the header inside
     * @param body  with the lines
     */
    boolean isIn(MailHeader inner, byte[] body) {
        List<Field> named = inner.all(FIELD);
        if (!isSure || named.size() != 1 || !named.getFirst().value().equals(places())) {
            return false;
        }
        long shift = 0;
        for (Piece piece : pieces) {
            long from = piece.at + shift;
            shift += piece.bytes.length;
            long to = piece.at + shift;
            if (to > body.length || !Arrays.equals(body, (int) from, (int) to, piece.bytes, 0, piece.bytes.length)) {
                return false;
            }
        }
        return true;
    }

    /**
     * A body as it was before lines were put into it; the same where the header does not name places in ascending
     * order. What stands there is not looked at: {@link WrittenMail} does that.
     *
     * @param inner the header inside, which says where they are
     */
    public static InputStream takenOut(MailHeader inner, InputStream body) {
        List<InputStream> kept = new ArrayList<>();
        long at = 0;
        for (Field field : inner.all(FIELD)) {
            for (String each : field.value().split(" ")) {
                Matcher place = PLACE.matcher(each);
                if (!place.matches() || Long.parseLong(place.group(1)) < at || kept.size() > 4 * MAX_PIECES) {
                    return body; // no header of ours
                }
                long from = Long.parseLong(place.group(1));
                kept.add(new Bounded(body, from - at));
                kept.add(new Gap(body, Long.parseLong(place.group(2))));
                at = from + Long.parseLong(place.group(2));
            }
        }
        kept.add(body);
        return new SequenceInputStream(Collections.enumeration(kept));
    }

    /** Nothing: reading it skips some bytes of another stream, or all that are left. */
    private static final class Gap extends InputStream {
        private final InputStream in;
        private final int length;

        Gap(InputStream in, long length) {
            this.in = in;
            this.length = (int) length;
        }

        @Override
        public int read() throws IOException {
            in.readNBytes(length);
            return -1;
        }
    }

    /** The first bytes of a stream, which is not closed with it. */
    private static final class Bounded extends InputStream {
        private final InputStream in;
        private long left;

        Bounded(InputStream in, long left) {
            this.in = in;
            this.left = left;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) == 1 ? one[0] & 0xff : -1;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (left == 0) {
                return length == 0 ? 0 : -1;
            }
            int n = in.read(bytes, offset, (int) Math.min(length, left));
            left = n < 0 ? 0 : left - n;
            return n;
        }
    }

    /** Goes through a body once, and finds where lines belong. */
    private static final class Finder {
        private final List<String> shown;
        private final LineReader lines;
        private final List<Piece> pieces = new ArrayList<>();
        private final List<String> delimiters = new ArrayList<>();
        private boolean isInHeader;
        private boolean isSure = true;

        Finder(List<String> shown, InputStream body) {
            this.shown = shown;
            this.lines = new LineReader(body);
        }

        /**
         * Looks at a part of which the header was read.
         *
         * @param headerAt place of the header in the body; empty for that of the message
         * @return whether something was put there
         */
        boolean part(MailHeader header, Optional<Long> headerAt, int depth) throws IOException {
            isSure &= ClearHeader.isClear(header.fields());
            String type = header.first("content-type").map(Field::value).orElse("text/plain");
            String media = type.replaceAll("[;(\\s].*", "").toLowerCase(Locale.ROOT);
            if (depth > MAX_DEPTH || pieces.size() >= MAX_PIECES || isAttachment(header)) {
                return false;
            }
            return switch (media) {
                case "text/plain", "text/html" -> text(header, media.equals("text/html"), type, headerAt);
                case "multipart/mixed", "multipart/related" -> children(header, type, false, depth);
                case "multipart/alternative" -> children(header, type, true, depth);
                default -> false;
            };
        }

        private static boolean isAttachment(MailHeader header) {
            return header.first("content-disposition")
                    .filter(field -> field.value().toLowerCase(Locale.ROOT).startsWith("attachment"))
                    .isPresent();
        }

        private boolean children(MailHeader header, String type, boolean all, int depth) throws IOException {
            isSure &= UNENCODED.contains(encoding(header));
            Optional<String> boundary = parameter(type, "boundary");
            if (boundary.isEmpty()) {
                return false;
            }
            String delimiter = "--" + boundary.get();
            isSure &= delimiters.stream().noneMatch(each -> each.startsWith(delimiter) || delimiter.startsWith(each));
            delimiters.addLast(delimiter);
            boolean found = false;
            while (skipTo(delimiter)) {
                long at = lines.place();
                Optional<MailHeader> child = partHeader(at);
                isSure &= child.isPresent();
                found |= child.isPresent() && part(child.get(), Optional.of(at), depth + 1);
                if (!all) {
                    break;
                }
            }
            delimiters.removeLast();
            return found;
        }

        /** Reads behind the next line that is a delimiter of the innermost multipart; false at the end of that. */
        private boolean skipTo(String delimiter) throws IOException {
            while (true) {
                String line = lines.peek();
                if (line.isEmpty()) {
                    return false; // cut off
                }
                String end = lines.peekStart();
                if (end.equals(delimiter)) {
                    next();
                    return true;
                }
                if (end.equals(delimiter + "--")) {
                    next();
                    return false;
                }
                if (isDelimiter(end)) {
                    return false; // of one further out
                }
                next();
            }
        }

        /** Goes on by a line; what some programs take for a delimiter or two lines, and others not, is not sure. */
        private void next() throws IOException {
            String line = lines.peek();
            String start = lines.peekStart();
            String bare = line.endsWith("\r\n") ? line.substring(0, line.length() - 2) : line;
            isSure &= ClearHeader.isClearLine(line)
                    && delimiters.stream()
                            .noneMatch(
                                    each -> start.startsWith(each) && !bare.equals(each) && !bare.equals(each + "--"));
            lines.next();
        }

        private boolean isDelimiter(String line) {
            return delimiters.stream().anyMatch(each -> line.equals(each) || line.equals(each + "--"));
        }

        /** The header of a part; empty if it has lines that are no fields, of which nobody knows how they are read. */
        private Optional<MailHeader> partHeader(long at) throws IOException {
            List<Field> fields = new ArrayList<>();
            while (lines.place() - at < MAX_PART_HEADER) {
                String line = lines.peek();
                if (line.equals("\r\n")) {
                    lines.next();
                    return Optional.of(new MailHeader(fields));
                }
                int colon = line.indexOf(':');
                boolean folded = line.startsWith(" ") || line.startsWith("\t");
                if (line.isEmpty() || isDelimiter(lines.peekStart()) || (folded ? fields.isEmpty() : colon < 1)) {
                    return Optional.empty();
                }
                lines.next();
                if (folded) {
                    Field last = fields.removeLast();
                    fields.add(new Field(last.name(), last.raw() + line));
                } else {
                    fields.add(new Field(line.substring(0, colon).strip().toLowerCase(Locale.ROOT), line));
                }
            }
            return Optional.empty();
        }

        private boolean text(MailHeader header, boolean isHtml, String type, Optional<Long> headerAt)
                throws IOException {
            Optional<Charset> charset = charset(parameter(type, "charset").orElse("us-ascii"));
            String encoding = encoding(header);
            Optional<byte[]> marked = charset.flatMap(each -> encoded(lines(isHtml, each), encoding, each));
            if (marked.isEmpty()) {
                return false;
            }
            if (headerAt.isPresent()) {
                pieces.add(mark(header, headerAt.get()));
            } else {
                isInHeader = true;
            }
            long at = lines.place();
            TextStart start = TextStart.of(read(isHtml ? MAX_SEARCHED : MAX_LOOKED_AT), encoding);
            String charsetName = charset.get().name();
            boolean isWide = WIDE.contains(charsetName);
            isSure &= start.isClear() && (isWide || NARROW.matcher(charsetName).matches());
            pieces.add(new Piece(isHtml ? at + inHtml(start, isWide, encoding) : at, marked.get()));
            return true;
        }

        private static String encoding(MailHeader header) {
            return header.first("content-transfer-encoding")
                    .map(field -> field.value().toLowerCase(Locale.ROOT))
                    .orElse("7bit");
        }

        /** The lines from here, up to a delimiter or so many characters. */
        private String read(int limit) throws IOException {
            StringBuilder seen = new StringBuilder();
            while (seen.length() < limit) {
                String line = lines.peek();
                if (line.isEmpty() || isDelimiter(lines.peekStart())) {
                    break;
                }
                next();
                seen.append(line);
            }
            return seen.toString();
        }

        /** The place where what is shown of HTML begins; the beginning of all where it is not found. */
        private int inHtml(TextStart start, boolean isWide, String encoding) {
            Optional<HtmlStart.Content> content =
                    start.isClear() ? HtmlStart.of(start.text(), isWide) : Optional.empty();
            if (encoding.equals("base64")) { // is not parted
                isSure &= content.isPresent() && !content.get().isTitled();
                return 0;
            }
            isSure &= content.isPresent();
            return content.map(found -> start.place(found.place())).orElseGet(() -> behindBodyTag(start.raw()));
        }

        /** Behind what looks like the tag of the body. */
        private static int behindBodyTag(String raw) {
            String lower = raw.toLowerCase(Locale.ROOT);
            for (int at = lower.indexOf("<body"); at >= 0; at = lower.indexOf("<body", at + 1)) {
                if (at + 5 < lower.length() && " >\t\r=".indexOf(lower.charAt(at + 5)) >= 0) {
                    return lower.indexOf('>', at) + 1;
                }
            }
            return 0;
        }

        /** The parameter in the Content-Type of a part's header, or a Content-Type where there is none. */
        private static Piece mark(MailHeader header, long at) {
            long place = at;
            for (Field field : header.fields()) {
                if (field.name().equals("content-type")) {
                    int semicolon = field.raw().indexOf(';');
                    int end = semicolon < 0 ? field.raw().stripTrailing().length() : semicolon;
                    return new Piece(place + end, latin1(";" + PARAMETER));
                }
                place += field.raw().length();
            }
            return new Piece(at, latin1("Content-Type: text/plain;" + PARAMETER + "\r\n"));
        }

        private String lines(boolean isHtml, Charset charset) {
            String all = shown.stream().map(line -> known(line, charset)).collect(Collectors.joining("\r\n"));
            return isHtml ? HTML_START + escaped(all) : all;
        }

        /** As much of a line as there is room for, in characters that the set has. */
        private static String known(String line, Charset charset) {
            int name = line.indexOf(": ") + 2;
            StringBuilder known = new StringBuilder(line.substring(0, name));
            int bytes = 0;
            for (int character : line.substring(name).codePoints().toArray()) {
                String one = Character.toString(character);
                String written = charset.newEncoder().canEncode(one) ? one : "?";
                bytes += written.getBytes(charset).length;
                if (bytes > MAX_LINE_BYTES) {
                    return known.append("...").toString();
                }
                known.append(written);
            }
            return known.toString();
        }

        private static String escaped(String line) {
            return line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
        }

        private static Optional<byte[]> encoded(String line, String encoding, Charset charset) {
            String end = line.startsWith(HTML_START) ? HTML_END : "\r\n\r\n";
            byte[] start = line.getBytes(charset);
            return switch (encoding) {
                case "7bit" -> Optional.of((ascii(line) + end).getBytes(StandardCharsets.US_ASCII));
                case "8bit", "binary" -> Optional.of((line + end).getBytes(charset));
                case "quoted-printable" -> Optional.of(latin1(quoted(start) + end));
                case "base64" -> {
                    int pad = Math.floorMod(-(start.length + end.length()), BASE64_GROUP);
                    byte[] all = (line + " ".repeat(pad) + end).getBytes(charset);
                    yield all.length % BASE64_GROUP == 0
                            ? Optional.of(latin1(Base64.getMimeEncoder().encodeToString(all) + "\r\n"))
                            : Optional.empty();
                }
                default -> Optional.empty();
            };
        }

        private static String ascii(String line) {
            return line.replaceAll("[^\\x20-\\x7e\\r\\n]", "?");
        }

        private static String quoted(byte[] bytes) {
            StringBuilder quoted = new StringBuilder();
            int column = 0;
            for (byte each : bytes) {
                if (each == '\r' || each == '\n') { // a line's end, of the text too
                    quoted.append((char) each);
                    column = 0;
                    continue;
                }
                boolean plain = each >= ' ' && each < 0x7f && each != '=';
                String one = plain ? Character.toString(each) : String.format(Locale.ROOT, "=%02X", each & 0xff);
                if (column + one.length() > QUOTED_LINE) {
                    quoted.append("=\r\n");
                    column = 0;
                }
                quoted.append(one);
                column += one.length();
            }
            return quoted.toString();
        }

        /** A character set that has ASCII as it is, so that tags and line ends are in it what they are. */
        private static Optional<Charset> charset(String name) {
            try {
                Charset charset = Charset.forName(name);
                String probe = "<Subject: ~>\r\n";
                boolean isLikeAscii = charset.canEncode()
                        && probe.equals(charset.newDecoder()
                                .onMalformedInput(CodingErrorAction.REPORT)
                                .decode(ByteBuffer.wrap(latin1(probe)))
                                .toString())
                        && probe.getBytes(charset).length == probe.length();
                return isLikeAscii ? Optional.of(charset) : Optional.empty();
            } catch (IllegalCharsetNameException | UnsupportedCharsetException | CharacterCodingException e) {
                return Optional.empty();
            }
        }

        private static Optional<String> parameter(String contentType, String name) {
            Matcher matcher = PARAMETERS.matcher(contentType);
            while (matcher.find()) {
                if (matcher.group(1).equalsIgnoreCase(name)) {
                    String value = matcher.group(2);
                    String bare = value.startsWith("\"") ? value.substring(1, value.length() - 1) : value;
                    return bare.isBlank() ? Optional.empty() : Optional.of(bare.stripTrailing());
                }
            }
            return Optional.empty();
        }
    }

    private static byte[] latin1(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
