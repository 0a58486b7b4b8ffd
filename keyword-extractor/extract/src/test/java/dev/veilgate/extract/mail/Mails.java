package dev.veilgate.extract.mail;

import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.peks.Keyword;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.james.mime4j.MimeException;
import org.apache.james.mime4j.stream.RawField;
import org.apache.james.mime4j.stream.RawFieldParser;
import org.apache.james.mime4j.util.ByteArrayBuffer;

/** Mails to test with. */
public final class Mails {
    private static final byte[] MBOX = "From ".getBytes(StandardCharsets.US_ASCII);

    private Mails() {}

    /** A mail in src/test/resources/mail. */
    static byte[] sample(String name) throws IOException {
        try (InputStream in = Mails.class.getResourceAsStream("/mail/" + name)) {
            if (in == null) {
                throw new IOException("no sample " + name);
            }
            return in.readAllBytes();
        }
    }

    static List<Path> samples() throws IOException {
        return files(Path.of("keyword-extractor", "extract", "src", "test", "resources", "mail"));
    }

    static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    /** A mail of a folder of real ones, without the first line of an mbox. */
    static byte[] real(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        if (bytes.length < MBOX.length || !Arrays.equals(Arrays.copyOf(bytes, MBOX.length), MBOX)) {
            return bytes;
        }
        int end = 0;
        while (bytes[end] != '\n') {
            end++;
        }
        return Arrays.copyOfRange(bytes, end + 1, bytes.length);
    }

    /** Fields of the header, unfolded, of some names in lower case. */
    static List<RawField> fields(byte[] mail, Set<String> names) {
        String text = new String(mail, StandardCharsets.ISO_8859_1).replace("\r\n", "\n");
        int end = text.indexOf("\n\n");
        return text.substring(0, end < 0 ? text.length() : end)
                .replaceAll("\n(?=[ \t])", "")
                .lines()
                .filter(line -> line.indexOf(':') > 0)
                .map(line -> new RawField(
                        line.substring(0, line.indexOf(':')).strip().toLowerCase(Locale.ROOT),
                        line.substring(line.indexOf(':') + 1).strip()))
                .filter(field -> names.contains(field.getName()))
                .toList();
    }

    /** A field with its bytes, as a parser of mail hands it on. */
    static RawField field(byte[] lines) {
        try {
            return RawFieldParser.DEFAULT.parseField(new ByteArrayBuffer(lines, true));
        } catch (MimeException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** The label of a part whose header this is. */
    static PartLabel label(byte[] header) {
        String text = new String(header, StandardCharsets.ISO_8859_1);
        return PartLabel.of(Stream.of(text.split("\r\n(?![ \t])"))
                .map(lines -> field(lines.getBytes(StandardCharsets.ISO_8859_1)))
                .toList());
    }

    /** A mail with a text and one attachment. */
    public static byte[] withAttachment(String type, String name, byte[] content) {
        String head = "From: Ann <ann@example.org>\r\nSubject: see attachment\r\nMIME-Version: 1.0\r\n"
                + "Content-Type: multipart/mixed; boundary=cut\r\n\r\n--cut\r\nContent-Type: text/plain\r\n\r\nbefore\r\n"
                + "--cut\r\nContent-Type: " + type + "\r\nContent-Disposition: attachment; filename=\"" + name
                + "\"\r\n"
                + "Content-Transfer-Encoding: base64\r\n\r\n";
        String tail = "\r\n--cut\r\nContent-Type: text/plain\r\n\r\nbehind\r\n--cut--\r\n";
        String body = Base64.getMimeEncoder().encodeToString(content);
        return (head + body + tail).getBytes(StandardCharsets.US_ASCII);
    }

    static MailKeywords extract(byte[] mail) {
        try (MailExtractor extractor = new MailExtractor(ExtractorProfile.defaults())) {
            return extractor.extract(mail);
        }
    }

    static MailKeywords extract(String mail) {
        return extract(mail.getBytes(StandardCharsets.UTF_8));
    }

    /** Keywords as {@code field:value}. */
    static Set<String> words(MailKeywords keywords) {
        Set<String> words = new TreeSet<>();
        for (Keyword keyword : keywords.keywords()) {
            words.add(keyword.field() + ":" + keyword.value());
        }
        return words;
    }

    /** The values of one field. */
    static Set<String> values(MailKeywords keywords, String field) {
        Set<String> values = new TreeSet<>();
        for (Keyword keyword : keywords.keywords()) {
            if (keyword.field().equals(field)) {
                values.add(keyword.value());
            }
        }
        return values;
    }

    static List<Refusal.Reason> reasons(MailKeywords keywords) {
        return keywords.refusals().stream().map(Refusal::reason).toList();
    }
}
