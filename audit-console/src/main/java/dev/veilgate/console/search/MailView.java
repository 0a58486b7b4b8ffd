package dev.veilgate.console.search;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.veilgate.extract.mail.PartLabel;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Reader;
import java.io.UnsupportedEncodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.james.mime4j.codec.DecodeMonitor;
import org.apache.james.mime4j.codec.DecoderUtil;
import org.apache.james.mime4j.dom.Body;
import org.apache.james.mime4j.dom.Entity;
import org.apache.james.mime4j.dom.Message;
import org.apache.james.mime4j.dom.Multipart;
import org.apache.james.mime4j.dom.SingleBody;
import org.apache.james.mime4j.dom.TextBody;
import org.apache.james.mime4j.dom.field.UnstructuredField;
import org.apache.james.mime4j.message.DefaultMessageBuilder;
import org.apache.james.mime4j.message.DefaultMessageWriter;
import org.apache.james.mime4j.stream.Field;
import org.apache.james.mime4j.stream.MimeConfig;
import org.jspecify.annotations.Nullable;

/**
 * A mail as it is shown; of the interface. Whatever it brings is a stranger's.
 *
 * @param html      without scripts, forms and anything from elsewhere
 * @param removed   what was taken out of it or left out
 * @param truncated whether text or parts of it are missing here
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record MailView(
        List<NamedValue> headers,
        String text,
        @Nullable String html,
        @Nullable List<String> removed,
        boolean truncated,
        List<Attachment> attachments) {
    /** Most characters of all its texts together, HTML and plain. */
    static final int MAX_TEXT = 1 << 20;

    private static final int MAX_HEADERS = 200;
    private static final Set<String> NAMING = Set.of("from", "sender", "to", "cc", "subject", "date");
    private static final int MAX_PARTS = 500;
    private static final int MAX_DEPTH = 20;
    private static final int MAX_NAME = 4096;
    private static final int MAX_OTHER_NAMES = 20;

    record NamedValue(String name, String value) {
        @Override
        public String toString() {
            return "NamedValue[hidden]";
        }
    }

    /**
     * A part that is no text of the mail, as it is offered.
     *
     * @param alsoNamed what else its header says of its name, since other programs may show that, or nobody; null if
     *                  there is nothing
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Attachment(
            int number,
            String name,
            String type,
            long bytes,
            @Nullable List<String> alsoNamed) {
        @Override
        public String toString() {
            return "Attachment[" + number + "]";
        }
    }

    /** A part that is no text of the mail, whole. */
    record File(String name, byte[] bytes) {
        @Override
        public String toString() {
            return "File[" + bytes.length + "]";
        }
    }

    static MailView of(byte[] mail) throws IOException {
        Parts parts = new Parts(-1);
        Message message = message(mail);
        parts.walk(message, 0);
        SafeHtml html = parts.html.isEmpty()
                ? null
                : SafeHtml.of(parts.html.stream().map(StringBuilder::toString).toList());
        List<String> removed = new ArrayList<>(html == null ? List.of() : html.removed());
        if (parts.leftOut > 0) {
            removed.add(parts.leftOut + (parts.leftOut == 1 ? " part" : " parts") + " beyond the first " + MAX_PARTS
                    + " or nested deeper than " + MAX_DEPTH);
        }
        return new MailView(
                headers(message),
                parts.text.toString(),
                html == null ? null : html.html(),
                html == null && removed.isEmpty() ? null : List.copyOf(removed),
                parts.isCut
                        || parts.leftOut > 0
                        || message.getHeader().getFields().size() > MAX_HEADERS,
                parts.attachments);
    }

    /** An attachment by number; null if there is none. */
    static @Nullable File attachment(byte[] mail, int number) throws IOException {
        Parts parts = new Parts(number);
        parts.walk(message(mail), 0);
        return parts.wanted;
    }

    private static Message message(byte[] mail) throws IOException {
        DefaultMessageBuilder builder = new DefaultMessageBuilder();
        builder.setMimeEntityConfig(MimeConfig.custom()
                .setMaxLineLen(-1)
                .setMaxHeaderLen(-1)
                .setMaxHeaderCount(10_000)
                .setMalformedHeaderStartsBody(true)
                .build());
        builder.setDecodeMonitor(DecodeMonitor.SILENT);
        return builder.parseMessage(new ByteArrayInputStream(mail));
    }

    /** The first ones; those that name people and the subject before all others, as they may be in the text too. */
    private static List<NamedValue> headers(Message message) {
        List<Field> fields = message.getHeader().getFields();
        Predicate<Field> isNaming = field -> NAMING.contains(field.getName().toLowerCase(Locale.ROOT));
        Stream<Field> shown = fields.size() <= MAX_HEADERS
                ? fields.stream()
                : Stream.concat(
                        fields.stream().filter(isNaming), fields.stream().filter(isNaming.negate()));
        return shown.limit(MAX_HEADERS)
                .map(field -> new NamedValue(field.getName(), value(field)))
                .toList();
    }

    private static String value(Field field) {
        if (field instanceof UnstructuredField unstructured) {
            return String.valueOf(unstructured.getValue());
        }
        return DecoderUtil.decodeEncodedWords(String.valueOf(field.getBody()), DecodeMonitor.SILENT);
    }

    @Override
    public String toString() {
        return "MailView[hidden]";
    }

    /** Goes through a mail's parts. */
    private static final class Parts {
        private static final Set<String> SHOWN = Set.of("text/plain", "text/html");
        private final int wantedNumber;
        private final StringBuilder text = new StringBuilder();
        private final List<Attachment> attachments = new ArrayList<>();
        private final List<StringBuilder> html = new ArrayList<>();
        private @Nullable File wanted;
        private int seen;
        private int leftOut;
        private int left = MAX_TEXT;
        private boolean isCut;

        Parts(int wantedNumber) {
            this.wantedNumber = wantedNumber;
        }

        void walk(Entity entity, int depth) throws IOException {
            Body body = entity.getBody();
            if (++seen > MAX_PARTS || depth > MAX_DEPTH) {
                leftOut++;
                return;
            }
            if (body instanceof Multipart multipart) {
                for (Entity part : multipart.getBodyParts()) {
                    walk(part, depth + 1);
                }
                return;
            }
            PartLabel label = PartLabel.of(entity.getHeader().getFields());
            boolean isShown = !label.hasFilename()
                    && !label.isAttachment()
                    && SHOWN.contains(String.valueOf(entity.getMimeType()).toLowerCase(Locale.ROOT));
            if (isShown && body instanceof TextBody textBody) {
                show(entity, textBody);
            } else {
                attach(entity, label, body);
            }
        }

        private void show(Entity entity, TextBody body) throws IOException {
            boolean isHtml = "text/html".equalsIgnoreCase(entity.getMimeType());
            StringBuilder to = isHtml ? new StringBuilder() : text;
            if (isHtml) {
                html.add(to);
            } else if (!to.isEmpty()) {
                to.append("\n\n");
            }
            try (Reader reader = body.getReader()) {
                append(reader, to);
            } catch (UnsupportedEncodingException e) { // an unknown charset: bytes are shown as well as they can be
                append(new InputStreamReader(body.getInputStream(), StandardCharsets.ISO_8859_1), to);
            }
        }

        private void append(Reader reader, StringBuilder to) throws IOException {
            char[] chars = new char[8192];
            for (int read = reader.read(chars); read >= 0; read = reader.read(chars)) {
                int taken = Math.min(read, left);
                to.append(chars, 0, taken);
                left -= taken;
                if (taken < read) {
                    isCut = true;
                    return;
                }
            }
        }

        /** Only one that is wanted is held. */
        private void attach(Entity entity, PartLabel label, Body body) throws IOException {
            int number = attachments.size();
            String name = label.name().isEmpty() ? "part-" + (number + 1) : label.name();
            String type = label.type().isEmpty() ? String.valueOf(entity.getMimeType()) : label.type();
            ByteArrayOutputStream content = new ByteArrayOutputStream();
            Counting out = new Counting(number == wantedNumber ? content : OutputStream.nullOutputStream());
            write(body, out);
            attachments.add(new Attachment(number, cut(name), cut(type), out.count, alsoNamed(label.rest())));
            if (number == wantedNumber) {
                wanted = new File(name, content.toByteArray());
            }
        }

        private @Nullable List<String> alsoNamed(List<String> rest) {
            isCut |= rest.size() > MAX_OTHER_NAMES;
            return rest.isEmpty()
                    ? null
                    : rest.stream().limit(MAX_OTHER_NAMES).map(this::cut).toList();
        }

        private String cut(String name) {
            isCut |= name.length() > MAX_NAME;
            return name.length() > MAX_NAME ? name.substring(0, MAX_NAME) : name;
        }

        /** A message within the message as it came. */
        private static void write(Body body, OutputStream out) throws IOException {
            if (body instanceof SingleBody single) {
                single.writeTo(out);
            } else if (body instanceof Message message) {
                new DefaultMessageWriter().writeMessage(message, out);
            }
        }
    }

    private static final class Counting extends FilterOutputStream {
        private long count;

        Counting(OutputStream to) {
            super(to);
        }

        @Override
        public void write(int value) throws IOException {
            out.write(value);
            count++;
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            out.write(bytes, from, length);
            count += length;
        }
    }
}
