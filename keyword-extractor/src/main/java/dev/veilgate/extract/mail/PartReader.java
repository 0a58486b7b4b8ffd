package dev.veilgate.extract.mail;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the parts of one mail that are no multiparts: text here, files elsewhere. */
final class PartReader {
    /** As much of a part as tells what it is. */
    private static final int HEAD_BYTES = 1024;

    /** HTML longer than this is read where it can be stopped. */
    private static final int LONG_HTML_BYTES = 1 << 18;

    private static final Pattern META_CHARSET =
            Pattern.compile("charset\\s*=\\s*[\"']?([a-z0-9_:.-]{2,40})", Pattern.CASE_INSENSITIVE);

    private static final Set<String> TEXT_TYPES = Set.of(
            "application/json",
            "application/javascript",
            "application/x-javascript",
            "application/x-sh",
            "application/x-patch",
            "application/x-yaml",
            "application/yaml",
            "application/sql");

    private static final Set<String> SIGNATURES = Set.of(
            "application/pgp-signature",
            "application/pkcs7-signature",
            "application/x-pkcs7-signature",
            "application/pgp-keys");

    private static final Set<String> ENCRYPTED =
            Set.of("application/pgp-encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime");

    private static final List<String> FILE_TYPES = List.of(
            "application/pdf",
            "application/msword",
            "application/vnd.ms-",
            "application/vnd.openxmlformats-officedocument",
            "application/vnd.oasis.opendocument",
            "application/ms-tnef",
            "application/rtf",
            "application/zip",
            "application/x-zip",
            "application/gzip",
            "application/x-gzip",
            "text/rtf",
            "text/richtext-format");

    private static final List<byte[]> FILE_STARTS = List.of(
            start("%PDF-"),
            start("PK\u0003\u0004"),
            start("\u00d0\u00cf\u0011\u00e0"),
            start("{\\rtf"),
            start("\u001f\u008b\u0008"),
            start("x\u009f>\""));

    private final MailLimits limits;
    private final AttachmentReader attachments;
    private final MailWords words;
    private final List<Refusal> refusals;
    private long attachmentNanos;
    private int textChars;

    PartReader(MailLimits limits, AttachmentReader attachments, MailWords words, List<Refusal> refusals) {
        this.limits = limits;
        this.attachments = attachments;
        this.words = words;
        this.refusals = refusals;
        this.attachmentNanos = limits.messageMillis() * 1_000_000L;
    }

    private static byte[] start(String bytes) {
        return bytes.getBytes(StandardCharsets.ISO_8859_1);
    }

    int textChars() {
        return textChars;
    }

    /** Name and type of a part that is a file. */
    void file(MailHeader header, String type) {
        name(header.filename());
        boolean container = type.startsWith("multipart/");
        boolean isFile = header.isAttachment() || !header.filename().isEmpty() || !type.startsWith("text/");
        if (isFile && !container) {
            words.header("attachment-type", header.declaredType().isEmpty() ? type : header.declaredType());
        }
    }

    private void name(String name) {
        if (name.isEmpty()) {
            return;
        }
        words.header("filename", name);
        int dot = name.lastIndexOf('.');
        if (dot >= 0 && dot < name.length() - 1) {
            words.header("filename", "*" + name.substring(dot));
        }
        words.shortText(name);
    }

    void read(String part, String type, MailHeader header, InputStream body) throws IOException {
        file(header, type);
        if (SIGNATURES.contains(type)) {
            return;
        }
        if (ENCRYPTED.contains(type)) {
            refusals.add(new Refusal(part, Refusal.Reason.ENCRYPTED));
            return;
        }
        byte[] head = body.readNBytes(HEAD_BYTES);
        PushbackInputStream whole = new PushbackInputStream(body, HEAD_BYTES);
        whole.unread(head);
        boolean isText = type.startsWith("text/")
                || type.startsWith("message/")
                || TEXT_TYPES.contains(type)
                || isXml(type)
                || type.equals("application/octet-stream") && looksLikeText(head);
        if (isFileType(type) || startsAsFile(head)) {
            attachment(part, type, room(header), whole);
        } else if (header.hasUnknownEncoding() && !isText) {
            refusals.add(new Refusal(part, Refusal.Reason.UNKNOWN_ENCODING));
        } else if (isText) {
            text(part, type, header, whole);
        } else {
            refusals.add(new Refusal(part, Refusal.Reason.UNSUPPORTED_TYPE));
        }
    }

    private static boolean isXml(String type) {
        return type.equals("application/xml") || type.startsWith("application/") && type.endsWith("+xml");
    }

    private static boolean isFileType(String type) {
        return FILE_TYPES.stream().anyMatch(type::startsWith);
    }

    private static boolean startsAsFile(byte[] head) {
        for (byte[] start : FILE_STARTS) {
            boolean same = head.length >= start.length;
            for (int i = 0; same && i < start.length; i++) {
                same = head[i] == start[i];
            }
            if (same) {
                return true;
            }
        }
        return false;
    }

    private static boolean looksLikeText(byte[] head) {
        for (byte b : head) {
            if (b >= 0 && b < ' ' && b != '\t' && b != '\n' && b != '\r' && b != '\f' && b != 0x1b) {
                return false;
            }
        }
        return head.length > 0;
    }

    private void text(String part, String type, MailHeader header, InputStream body) throws IOException {
        int room = room(header);
        int maxBytes = (int) Math.min(4L * room, Integer.MAX_VALUE - 64);
        byte[] bytes = body.readNBytes(maxBytes);
        boolean more = bytes.length == maxBytes && body.read() >= 0;
        String named = header.charset();
        Charset charset = EncodedText.charset(named);
        if (charset == null && named != null && !named.isBlank()) {
            refusals.add(new Refusal(part, Refusal.Reason.UNKNOWN_CHARSET));
        }
        boolean html = type.equals("text/html") || type.equals("application/xhtml+xml");
        if (charset == null && html) {
            charset = metaCharset(bytes);
        }
        String text = EncodedText.decode(bytes, bytes.length, charset);
        if (html && text.length() > room) {
            text = text.substring(0, room); // of the tags, too, for a tree takes much more memory than its text
            more = true;
        }
        if (html && bytes.length > LONG_HTML_BYTES) {
            if (more) {
                refusals.add(new Refusal(part, Refusal.Reason.TOO_MUCH_TEXT));
            }
            attachment(part, "text/html", room, new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
            return;
        }
        if (html) {
            text = HtmlText.ofHtml(text);
        } else if (isXml(type) || type.equals("text/xml") || type.equals("text/enriched")) {
            text = HtmlText.ofXml(text);
        }
        add(part, text, room, more);
        String japanese = type.equals("text/plain") ? EncodedText.japanese(bytes, bytes.length) : null;
        if (japanese != null) {
            words.text(japanese.length() > room ? japanese.substring(0, room) : japanese);
        }
        if (type.equals("text/plain")
                && header.deletesSpaces()) { // beside the pieces, by which such mail was found before
            words.text(FlowedText.withoutBreaks(text.length() > room ? text.substring(0, room) : text));
        }
    }

    /** Characters that a part may have: what is left, for files half of it, so that something is left for what follows. */
    private int room(MailHeader header) {
        int left = limits.maxTextChars() - textChars;
        boolean isFile = header.isAttachment()
                || !header.filename().isEmpty()
                || !header.declaredType().startsWith("text/");
        return isFile && !header.declaredType().isEmpty() ? left / 2 : left;
    }

    private static @Nullable Charset metaCharset(byte[] bytes) {
        String head = new String(bytes, 0, Math.min(bytes.length, HEAD_BYTES), StandardCharsets.ISO_8859_1);
        Matcher matcher = META_CHARSET.matcher(head);
        return matcher.find() ? EncodedText.charset(matcher.group(1)) : null;
    }

    private void add(String part, String text, int room, boolean more) {
        String allowed = text.length() > room ? text.substring(0, room) : text;
        if (more || allowed.length() < text.length()) {
            refusals.add(new Refusal(part, Refusal.Reason.TOO_MUCH_TEXT));
        }
        textChars += allowed.length();
        words.text(allowed);
    }

    private void attachment(String part, String type, int room, InputStream body) throws IOException {
        long millis = Math.min(limits.attachmentMillis(), attachmentNanos / 1_000_000);
        long before = System.nanoTime();
        AttachmentText found = attachments.read(type, body, room, millis);
        attachmentNanos -= System.nanoTime() - before;
        for (Refusal refusal : found.refusals()) {
            refusals.add(new Refusal(part + refusal.part(), refusal.reason()));
        }
        if (!found.type().isEmpty() && !found.type().equals(type) && !type.equals("text/html")) {
            words.header("attachment-type", found.type());
        }
        found.names().forEach(this::name);
        add(part, found.text(), room, false);
    }
}
