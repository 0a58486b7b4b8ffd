package dev.veilgate.console.search;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.james.mime4j.codec.DecodeMonitor;
import org.apache.james.mime4j.codec.DecoderUtil;
import org.apache.james.mime4j.dom.BinaryBody;
import org.apache.james.mime4j.dom.Body;
import org.apache.james.mime4j.dom.Entity;
import org.apache.james.mime4j.dom.Message;
import org.apache.james.mime4j.dom.Multipart;
import org.apache.james.mime4j.dom.SingleBody;
import org.apache.james.mime4j.dom.TextBody;
import org.apache.james.mime4j.dom.field.UnstructuredField;
import org.apache.james.mime4j.message.DefaultMessageBuilder;
import org.apache.james.mime4j.stream.Field;
import org.apache.james.mime4j.stream.MimeConfig;
import org.jspecify.annotations.Nullable;

/**
 * A mail as it is shown; of the interface. Whatever it brings is a stranger's.
 *
 * @param html    without scripts, forms and anything from elsewhere
 * @param removed what was taken out of it
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record MailView(
        List<NamedValue> headers,
        String text,
        @Nullable String html,
        @Nullable List<String> removed,
        List<Attachment> attachments) {
    private static final int MAX_TEXT = 1 << 20;
    private static final int MAX_HEADERS = 200;
    private static final int MAX_PARTS = 500;
    private static final int MAX_DEPTH = 20;

    record NamedValue(String name, String value) {
        @Override
        public String toString() {
            return "NamedValue[hidden]";
        }
    }

    record Attachment(int number, String name, String type, long bytes) {}

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
        SafeHtml html = parts.html == null ? null : SafeHtml.of(parts.html);
        return new MailView(
                headers(message),
                parts.text.toString(),
                html == null ? null : html.html(),
                html == null ? null : html.removed(),
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

    private static List<NamedValue> headers(Message message) {
        return message.getHeader().getFields().stream()
                .limit(MAX_HEADERS)
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
        private @Nullable String html;
        private @Nullable File wanted;
        private int seen;

        Parts(int wantedNumber) {
            this.wantedNumber = wantedNumber;
        }

        void walk(Entity entity, int depth) throws IOException {
            Body body = entity.getBody();
            if (++seen > MAX_PARTS || depth > MAX_DEPTH) {
                return;
            }
            if (body instanceof Multipart multipart) {
                for (Entity part : multipart.getBodyParts()) {
                    walk(part, depth + 1);
                }
                return;
            }
            boolean isShown = entity.getFilename() == null
                    && !"attachment".equalsIgnoreCase(entity.getDispositionType())
                    && SHOWN.contains(String.valueOf(entity.getMimeType()).toLowerCase(Locale.ROOT));
            if (isShown && body instanceof TextBody textBody) {
                show(entity, textBody);
            } else {
                attach(entity, body);
            }
        }

        private void show(Entity entity, TextBody body) throws IOException {
            String content = text(body);
            if ("text/html".equalsIgnoreCase(entity.getMimeType())) {
                html = html == null ? content : html + "<hr>" + content;
            } else {
                text.append(text.isEmpty() ? "" : "\n\n").append(content);
            }
        }

        private static String text(TextBody body) throws IOException {
            try (Reader reader = body.getReader()) {
                char[] chars = new char[MAX_TEXT];
                int length = 0;
                for (int read = 0; read >= 0 && length < MAX_TEXT; ) {
                    length += read;
                    read = reader.read(chars, length, MAX_TEXT - length);
                }
                return new String(chars, 0, length);
            } catch (
                    java.io.UnsupportedEncodingException
                            e) { // an unknown charset: bytes are shown as well as they can be
                return new String(bytes(body), StandardCharsets.ISO_8859_1);
            }
        }

        private void attach(Entity entity, Body body) throws IOException {
            byte[] content = body instanceof SingleBody single ? bytes(single) : bytes(body);
            int number = attachments.size();
            String name = entity.getFilename() == null ? "part-" + (number + 1) : entity.getFilename();
            attachments.add(new Attachment(number, name, String.valueOf(entity.getMimeType()), content.length));
            if (number == wantedNumber) {
                wanted = new File(name, content);
            }
        }

        private static byte[] bytes(SingleBody body) throws IOException {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            body.writeTo(out);
            return out.toByteArray();
        }

        /** A message within the message, as it came. */
        private static byte[] bytes(Body body) throws IOException {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            if (body instanceof Message message) {
                new org.apache.james.mime4j.message.DefaultMessageWriter().writeMessage(message, out);
            } else if (body instanceof BinaryBody binary) {
                binary.writeTo(out);
            }
            return out.toByteArray();
        }
    }
}
