package dev.veilgate.envelope.smime;

import dev.veilgate.envelope.smime.MailHeader.Field;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Which header fields of a sealed mail the world sees, and how the others travel inside (RFC 9788, {@code
 * hp="cipher"}).
 *
 * <p>Outside stay {@link #OUTER} with their values, and {@code Subject: [...]} unless it is asked for; everything else
 * is inside only: Subject, Received and other traces, List-*, User-Agent, X-*. Inside is the whole header section as
 * it was written, its Content-Type with {@code hp="cipher"}, and one {@code HP-Outer} for each field outside, so that
 * a mail program can tell what was public. Removed everywhere: Bcc and Resent-Bcc (RFC 5322, section 3.6.3), and
 * HP-Outer fields and {@code hp} parameters of others, which would lie about our outside.
 *
 * <p>Added where missing, inside and outside: From (the envelope's sender), Date, Message-ID (RFC 6409, section 8);
 * inside a Content-Type of text/plain, which is what its absence means.
 *
 * <p>For programs that do not know RFC 9788 the Subject may stay outside, or be put into the text too ({@link
 * LegacyDisplay}). Above what somebody else signed stays no text that a program would show beside the mark of that
 * signature ({@link #protectBare}).
 */
public final class HeaderProtection {
    /**
     * Names, in lower case, of the fields that stay readable: who, to whom, when, and what threads, auto-responders and
     * receipts need.
     */
    public static final Set<String> OUTER = Set.of(
            "from",
            "sender",
            "reply-to",
            "to",
            "cc",
            "date",
            "message-id",
            "in-reply-to",
            "references",
            "auto-submitted",
            "disposition-notification-to");

    /** Names of fields that hold mailboxes. */
    private static final Set<String> MAILBOXES =
            Set.of("from", "sender", "reply-to", "to", "cc", "disposition-notification-to");

    /** Spelling of a field outside. */
    enum Spelling {
        /** Bytes outside ASCII as encoded words in UTF-8. */
        ENCODED,
        /** Bytes outside ASCII as question marks, in mail of before 2026-11-29. */
        FORMER,
        /** Addresses without names ({@link OuterHeader#withoutNames}). */
        BARE
    }

    /** The Subject that the world sees. */
    public static final String NEUTRAL_SUBJECT = "[...]";

    /** Name of the field inside that has the places of the lines which {@link LegacyDisplay} put into the body. */
    static final String DISPLAY_FIELD = "Veilgate-Legacy-Display";

    private static final Set<String> REMOVED = Set.of("bcc", "resent-bcc", "hp-outer", LegacyDisplay.FIELD);
    private static final Set<String> ADDED = Set.of("from", "date", "message-id");
    private static final int FOLD_AT = 900;
    private static final int MAX_LINE = 998;
    /** Comments and quotes that are opened and never closed cost the square of a field's length. */
    static final int MAX_CONTENT_TYPE = 16 << 10;

    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("EEE, d MMM uuuu HH:mm:ss Z", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final MailHeader header;
    private final List<String> added;
    /** Who sends, for a bare From of a header in which that is not one address. */
    private final String sender;

    private HeaderProtection(MailHeader header, List<String> added, String sender) {
        this.header = header;
        this.added = List.copyOf(added);
        this.sender = sender;
    }

    /**
     * The two header sections of a sealed mail.
     *
     * @param messageId the Message-ID with its angle brackets
     * @param outer     the fields outside, ASCII, without MIME-Version and Content-Type and without the empty line
     * @param inner     the fields inside with the empty line behind them
     */
    public record Protected(String messageId, String outer, byte[] inner) {}

    /**
     * Splits a header.
     *
     * @param header         of the message as it was submitted
     * @param envelopeSender who sends, for a message without From; empty if unknown
     * @param now            for a message without Date
     * @throws MalformedMailException if neither From nor sender is there, or a Content-Type is longer than 16 KiB
     */
    public static Protected protect(MailHeader header, String envelopeSender, Instant now)
            throws MalformedMailException {
        return of(header, envelopeSender, now).protect(false, LegacyDisplay.NONE);
    }

    /**
     * A header that is split once or more, always with the same fields added.
     *
     * @param header         of the message as it was submitted
     * @param envelopeSender who sends, for a message without From; empty if unknown
     * @param now            for a message without Date
     * @throws MalformedMailException as {@link #protect(MailHeader, String, Instant)}
     */
    public static HeaderProtection of(MailHeader header, String envelopeSender, Instant now)
            throws MalformedMailException {
        if (header.all("content-type").stream().anyMatch(field -> field.raw().length() > MAX_CONTENT_TYPE)) {
            throw new MalformedMailException("a Content-Type is longer than " + MAX_CONTENT_TYPE + " bytes");
        }
        return new HeaderProtection(header, added(header, envelopeSender, now), envelopeSender);
    }

    /**
     * Splits the header.
     *
     * @param isSubjectOutside whether the Subject stays outside as it is
     * @param display          lines that are put into the body; their places are in the header inside
     */
    public Protected protect(boolean isSubjectOutside, LegacyDisplay display) {
        return protect(isSubjectOutside, display, Spelling.ENCODED);
    }

    /**
     * Splits the header of a message that somebody else may have signed than who sends it. Outside are addresses alone:
     * those in From, Sender, To and Cc, no Reply-To, no request for a receipt and {@link #NEUTRAL_SUBJECT}; dates and
     * what threads as ever. From is the envelope's sender where it is not one address. Inside is the header as it was
     * written.
     *
     * @param display as for {@link #protect(boolean, LegacyDisplay)}
     */
    public Protected protectBare(LegacyDisplay display) {
        return protect(false, display, Spelling.BARE);
    }

    Protected protect(boolean isSubjectOutside, LegacyDisplay display, Spelling spelling) {
        List<String> outer = spelling == Spelling.BARE
                ? OuterHeader.withoutNames(header(), sender)
                : outer(isSubjectOutside, spelling);
        var inner = new StringBuilder();
        added.forEach(inner::append);
        if (header.first("content-type").isEmpty()) {
            inner.append("MIME-Version: 1.0\r\nContent-Type: text/plain; hp=\"cipher\"")
                    .append(display.isInHeader() ? ";" + LegacyDisplay.PARAMETER : "")
                    .append("\r\n");
        }
        if (!display.isEmpty()) {
            inner.append(DISPLAY_FIELD).append(": ").append(display.places()).append("\r\n");
        }
        outer.forEach(field -> inner.append("HP-Outer: ").append(field));
        for (Field field : header.fields()) {
            if (!REMOVED.contains(field.name())) {
                boolean isType = field.name().equals("content-type");
                inner.append(isType ? ProtectionParameter.set(field.raw(), display.isInHeader()) : field.raw());
            }
        }
        inner.append("\r\n");
        String messageId = outer.stream()
                .filter(f -> f.regionMatches(true, 0, "message-id", 0, 10))
                .findFirst()
                .map(f -> new Field("message-id", f).value())
                .orElse("");
        return new Protected(messageId, String.join("", outer), latin1(inner.toString()));
    }

    /**
     * The header section as it was submitted, without what {@link #protect} removed: the inverse of that, for what is
     * known to come from there. {@link WrittenMail} gives what anybody may have sealed.
     *
     * @param inner the header section inside, as {@link MailHeader} read it
     */
    public static byte[] restore(MailHeader inner) {
        return new MailHeader(behindOuter(inner.fields())).toBytes();
    }

    /**
     * A header section inside, taken apart; empty if it is not one of ours. Whether it is one, {@link #protect} says:
     * it must give the same bytes.
     *
     * @param inner as {@link MailHeader} read it
     */
    static Optional<HeaderProtection> ofSealed(MailHeader inner) {
        List<Field> fields = inner.fields();
        MailHeader written = new MailHeader(behindOuter(fields));
        List<Field> types = written.all("content-type");
        boolean isBare = types.isEmpty()
                && written.first("mime-version").isEmpty()
                && written.fields().stream().anyMatch(field -> field.name().startsWith("content-"));
        if (!hasOuter(fields)
                || isBare // read by the MIME-Version that was added
                || types.stream().mapToInt(field -> field.raw().length()).sum() > MAX_CONTENT_TYPE
                || !fields.stream().allMatch(ClearHeader::isWellFormed)
                || !types.stream().allMatch(ClearHeader::hasClearType)) {
            return Optional.empty();
        }
        List<String> added = fields.stream()
                .takeWhile(field -> ADDED.contains(field.name()))
                .map(Field::raw)
                .toList();
        String sender = fields.stream()
                .filter(field -> field.name().equals("hp-outer"))
                .map(Field::value)
                .filter(value -> value.startsWith("From: "))
                .findFirst()
                .map(value -> value.substring("From: ".length()))
                .orElse("");
        return Optional.of(new HeaderProtection(written, added, sender));
    }

    /** Tells if a header section has a field that says what is outside, as all inside have. */
    static boolean isProtected(MailHeader inner) {
        return hasOuter(inner.fields());
    }

    /** The fields as they were submitted, and those that were added in front of them. */
    public MailHeader header() {
        List<Field> fields = new ArrayList<>();
        for (String raw : added) {
            fields.add(new Field(raw.substring(0, raw.indexOf(':')).strip().toLowerCase(Locale.ROOT), raw));
        }
        fields.addAll(header.fields());
        return new MailHeader(fields);
    }

    private static List<Field> behindOuter(List<Field> fields) {
        int start = 0;
        boolean hasOuter = hasOuter(fields);
        while (hasOuter && !fields.get(start).name().equals("hp-outer")) {
            start++;
        }
        while (start < fields.size() && fields.get(start).name().equals("hp-outer")) {
            start++;
        }
        return fields.subList(start, fields.size()).stream()
                .map(field -> field.name().equals("content-type")
                        ? new Field(field.name(), ProtectionParameter.unset(field.raw()))
                        : field)
                .toList();
    }

    private static boolean hasOuter(List<Field> fields) {
        return fields.stream().anyMatch(f -> f.name().equals("hp-outer"));
    }

    private List<String> outer(boolean isSubjectOutside, Spelling spelling) {
        List<String> outer = new ArrayList<>(added);
        var seen = new ArrayList<String>();
        for (Field field : header.fields()) {
            if (OUTER.contains(field.name()) && !seen.contains(field.name()) && !isEmpty(field)) {
                seen.add(field.name());
                ascii(field, spelling).ifPresent(outer::add);
            }
        }
        outer.add(subject(isSubjectOutside, spelling));
        return outer;
    }

    private String subject(boolean isOutside, Spelling spelling) {
        Optional<String> written =
                isOutside ? header.first("subject").flatMap(field -> ascii(field, spelling)) : Optional.empty();
        return written.orElse("Subject: " + NEUTRAL_SUBJECT + "\r\n");
    }

    private static List<String> added(MailHeader header, String sender, Instant now) throws MalformedMailException {
        var added = new ArrayList<String>();
        if (missing(header, "from")) {
            if (sender.isEmpty()) {
                throw new MalformedMailException("the message has no From and the envelope no sender");
            }
            added.add("From: <" + sender + ">\r\n");
        }
        if (missing(header, "date")) {
            added.add("Date: " + DATE.format(now) + "\r\n");
        }
        if (missing(header, "message-id")) {
            added.add("Message-ID: <" + UUID.randomUUID() + "@" + domain(sender) + ">\r\n");
        }
        return added;
    }

    private static boolean missing(MailHeader header, String name) {
        return header.first(name).map(f -> isEmpty(f) || ascii(f).isEmpty()).orElse(true);
    }

    private static boolean isEmpty(Field field) {
        return field.value().isEmpty();
    }

    private static String domain(String sender) {
        String domain = sender.substring(sender.lastIndexOf('@') + 1);
        return domain.matches("[A-Za-z0-9.-]+") ? domain : "veilgate.invalid";
    }

    /**
     * The field with lines of a length that every server takes and no byte that is not printable ASCII; empty if that
     * cannot be.
     */
    static Optional<String> ascii(Field field) {
        return ascii(field, Spelling.ENCODED);
    }

    static Optional<String> ascii(Field field, Spelling spelling) {
        var out = new StringBuilder(field.spelledName()).append(':');
        int column = out.length();
        String value = field.raw().substring(field.raw().indexOf(':') + 1);
        String line = value.replace("\r\n", "").stripTrailing();
        boolean isText = field.name().equals("subject");
        if (spelling != Spelling.FORMER && (isText || MAILBOXES.contains(field.name()))) {
            line = isText ? EncodedWords.ofText(line) : EncodedWords.ofMailboxes(line);
        }
        for (String word : line.splitWithDelimiters("[ \\t]+", 0)) {
            if (word.length() > FOLD_AT) {
                return Optional.empty();
            }
            if (column + word.length() > 78 && word.isBlank() && column > 1) {
                out.append("\r\n");
                column = 0;
            }
            out.append(word.replaceAll("[^\\x20-\\x7e\\t]", "?"));
            column += word.length();
            if (column > MAX_LINE) {
                return Optional.empty();
            }
        }
        return Optional.of(out.append("\r\n").toString());
    }

    private static byte[] latin1(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
