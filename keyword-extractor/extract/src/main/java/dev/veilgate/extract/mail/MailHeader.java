package dev.veilgate.extract.mail;

import dev.veilgate.extract.ExtractorProfile;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.james.mime4j.codec.DecodeMonitor;
import org.apache.james.mime4j.dom.field.ContentDispositionField;
import org.apache.james.mime4j.field.ContentDispositionFieldLenientImpl;
import org.apache.james.mime4j.field.DateTimeFieldLenientImpl;
import org.apache.james.mime4j.stream.Field;
import org.apache.james.mime4j.stream.RawField;
import org.jspecify.annotations.Nullable;

/** One header, of the message or of a part: what is found by, and what is said of the body. Bcc is never looked at. */
final class MailHeader {
    private static final int MOST_LABELS = 8;

    private final int rules;
    private final BodyFields body = new BodyFields();
    /** Fields that name a file. */
    private final List<Field> naming = new ArrayList<>(0);

    private @Nullable PartLabel label;
    private @Nullable ContentDispositionField disposition;
    private String subject = "";
    private boolean from;
    private final List<Field> senders = new ArrayList<>(0);

    /** @param rules of extraction, by which dates and the names of files are read */
    MailHeader(int rules) {
        this.rules = rules;
    }

    /**
     * A field of the message's own header.
     *
     * @param words takes its keywords
     */
    void ofMessage(Field field, MailWords words) {
        switch (field.getName().toLowerCase(Locale.ROOT)) {
            case "from" -> from |= people("from", field, words);
            case "sender" -> senders.add(field);
            case "to" -> people("to", field, words);
            case "cc" -> people("cc", field, words);
            case "subject" -> HeaderText.texts(field).forEach(text -> words.headerWords("subject", text));
            case "list-id" -> listId(HeaderText.text(field), words);
            case "date" -> date(field, words);
            case "message-id" -> ids("message-id", field, words);
            case "in-reply-to" -> ids("in-reply-to", field, words);
            default -> {}
        }
        ofPart(field);
    }

    /** The message's own header ends. Where nobody is in From, mail programs show the Sender. */
    void endOfMessage(MailWords words) {
        if (!from) {
            senders.forEach(field -> people("from", field, words));
        }
    }

    /** A field of any header that says something of its body. */
    void ofPart(Field field) {
        body.add(field);
        String name = field.getName().strip().toLowerCase(Locale.ROOT);
        boolean isNaming = name.equals("content-disposition") || name.equals("content-type");
        if (rules > ExtractorProfile.RULES && isNaming && naming.size() < MOST_LABELS) {
            naming.add(new RawField(name, HeaderText.raw(field)));
        }
        switch (field.getName().toLowerCase(Locale.ROOT)) {
            case "subject" -> subject = subject.isEmpty() ? HeaderText.text(field) : subject;
            case "content-disposition" -> {
                if (disposition == null) {
                    disposition = ContentDispositionFieldLenientImpl.PARSER.parse(plain(field), DecodeMonitor.SILENT);
                }
            }
            default -> {}
        }
    }

    /** With bytes above 127 as text, which the parser of mime4j would lose. */
    private static Field plain(Field field) {
        return new RawField(field.getName(), EncodedText.sound(HeaderText.raw(field)));
    }

    /** Whether there is an address. */
    private static boolean people(String name, Field field, MailWords words) {
        boolean[] any = {false};
        HeaderText.people(field, person -> {
            any[0] |= !person.addresses().isEmpty();
            for (String address : person.addresses()) {
                words.header(name, address);
                words.header(name, address.substring(address.lastIndexOf('@')));
                words.headerWords(name, address.substring(0, address.lastIndexOf('@')));
            }
            words.headerWords(name, person.name());
        });
        return any[0];
    }

    private static void listId(String text, MailWords words) {
        int open = text.lastIndexOf('<');
        int close = text.indexOf('>', open + 1);
        words.header("list-id", open >= 0 && close > open ? text.substring(open + 1, close) : text);
    }

    private static void ids(String name, Field field, MailWords words) {
        HeaderText.ids(HeaderText.raw(field)).stream().limit(8).forEach(id -> words.header(name, id));
    }

    private void date(Field field, MailWords words) {
        Optional<Instant> date =
                rules > ExtractorProfile.RULES ? MailDate.read(HeaderText.raw(field)) : instantOfRules1(field);
        date.ifPresent(time -> {
            LocalDate day = time.atZone(ZoneOffset.UTC).toLocalDate();
            words.header("date", day.toString());
            words.header("date", day.toString().substring(0, "2026-11".length()));
        });
    }

    /** The time of a field Date by rules 1; empty if it cannot be read, or is of no year from 1 to 9999. */
    private static Optional<Instant> instantOfRules1(Field field) {
        java.util.Date date;
        try {
            date = DateTimeFieldLenientImpl.PARSER
                    .parse(plain(field), DecodeMonitor.SILENT)
                    .getDate();
        } catch (RuntimeException e) {
            return Optional.empty();
        }
        return Optional.ofNullable(date)
                .map(time -> Instant.ofEpochMilli(time.getTime()))
                .filter(time -> {
                    int year = time.atZone(ZoneOffset.UTC).getYear();
                    return year > 0 && year <= 9999;
                });
    }

    /** The decoded subject, "" if none. */
    String subject() {
        return subject;
    }

    /** The type that the header declares, in lower case; "" if none. */
    String declaredType() {
        ContentType type = body.contentType();
        return type == null ? "" : type.type();
    }

    /** What the header says of the body. */
    BodyFields body() {
        return body;
    }

    /** The charsets that the header declares, one in most cases. */
    List<String> charsets() {
        return body.contentTypes().stream()
                .flatMap(type -> type.parameters("charset").stream())
                .distinct()
                .toList();
    }

    /** Whether lines that go on in the next one lose the space at their end. */
    boolean deletesSpaces() {
        ContentType type = body.contentType();
        return type != null
                && "flowed".equalsIgnoreCase(type.parameter("format"))
                && "yes".equalsIgnoreCase(type.parameter("delsp"));
    }

    /** Tells if a part is an attachment by its disposition. */
    boolean isAttachment() {
        return rules > ExtractorProfile.RULES
                ? label().isAttachment()
                : disposition != null && disposition.isAttachment();
    }

    /** The file's name without folders, "" if none: by rules 1 as older software read it, else as it is shown. */
    String filename() {
        return rules > ExtractorProfile.RULES ? leaf(label().name()) : filenameOfRules1();
    }

    private PartLabel label() {
        PartLabel read = label;
        if (read == null) {
            read = PartLabel.of(naming);
            label = read;
        }
        return read;
    }

    /**
     * The file's name without folders by rules 1 of extraction ({@link dev.veilgate.extract.ExtractorProfile#RULES}),
     * "" if none. Keywords of mail that is sealed already were made of this reading, and a reader takes a hit for a lie
     * if the mail does not bring them again; so they go on by it, though {@link MimeParameters} reads more names and
     * reads them better. By rules 2 these are read.
     */
    private String filenameOfRules1() {
        String name = disposition == null ? null : disposition.getFilename();
        if (name == null || name.isEmpty()) {
            ContentType type = body.contentType();
            name = type == null ? null : type.parameter("name");
        }
        return name == null ? "" : leaf(EncodedText.encodedWords(name));
    }

    /** What is behind the last slash or backslash. */
    static String leaf(String name) {
        String plain = name.strip();
        return plain.substring(Math.max(plain.lastIndexOf('/'), plain.lastIndexOf('\\')) + 1);
    }
}
