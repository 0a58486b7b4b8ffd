package dev.veilgate.extract.mail;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

/** Reads the parts of one mail that are no multiparts: text here, files elsewhere. */
final class PartReader {
    /** As much of a part as tells what it is. */
    private static final int HEAD_BYTES = 1024;

    /** HTML longer than this is read where it can be stopped. */
    private static final int LONG_HTML_BYTES = 1 << 18;

    private final MailLimits limits;
    private final AttachmentTexts attachments;
    private final MailWords words;
    private final ProcessorTime time;
    private final List<Refusal> refusals;
    private int textChars;
    private int filesInTexts;
    private int textsInTexts;

    PartReader(
            MailLimits limits,
            AttachmentTexts attachments,
            MailWords words,
            ProcessorTime time,
            List<Refusal> refusals) {
        this.limits = limits;
        this.attachments = attachments;
        this.words = words;
        this.time = time;
        this.refusals = refusals;
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

    /** @param written as it is in the mail, in its transfer encoding */
    void read(String part, String type, MailHeader header, InputStream written) throws IOException {
        file(header, type);
        if (PartTypes.isSignature(type)) {
            return;
        }
        if (PartTypes.isEncrypted(type)) {
            refuse(part, Refusal.Reason.ENCRYPTED);
            return;
        }
        List<TransferEncoding> encodings = header.body().encodings();
        if (encodings.size() == 1) {
            encoded(part, type, header, encodings.getFirst(), written);
            return;
        }
        byte[] bytes = written.readNBytes(maxBytes(room(header)));
        if (written.read() >= 0) {
            refuse(part, Refusal.Reason.TOO_MUCH_TEXT);
        }
        for (TransferEncoding encoding : encodings) {
            encoded(part, type, header, encoding, new ByteArrayInputStream(bytes));
        }
    }

    private void encoded(String part, String type, MailHeader header, TransferEncoding encoding, InputStream written)
            throws IOException {
        if (encoding == TransferEncoding.UNKNOWN) {
            refuse(part, Refusal.Reason.UNKNOWN_ENCODING);
        }
        if (encoding != TransferEncoding.UUENCODE) {
            decoded(part, type, header, encoding, encoding.decode(written));
            return;
        }
        byte[] bytes = written.readNBytes(maxBytes(room(header)));
        if (written.read() >= 0) {
            refuse(part, Refusal.Reason.TOO_LARGE);
        }
        List<Uuencoded.File> files = Uuencoded.in(bytes, 1).files();
        if (files.isEmpty()) {
            refuse(part, Refusal.Reason.DAMAGED);
            decoded(part, type, header, TransferEncoding.UNKNOWN, new ByteArrayInputStream(bytes));
        } else {
            name(files.getFirst().name());
            decoded(
                    part,
                    type,
                    header,
                    encoding,
                    new ByteArrayInputStream(files.getFirst().content()));
        }
    }

    private void decoded(String part, String type, MailHeader header, TransferEncoding encoding, InputStream body)
            throws IOException {
        byte[] head = body.readNBytes(HEAD_BYTES);
        PushbackInputStream whole = new PushbackInputStream(body, HEAD_BYTES);
        whole.unread(head);
        if (PartTypes.isFile(type, head) && PartTypes.isShown(type, head)) {
            int room = room(header);
            byte[] bytes = whole.readNBytes(maxBytes(room));
            attachment(part, type, room, new SequenceInputStream(new ByteArrayInputStream(bytes), whole));
            text(part, type, header, new ByteArrayInputStream(bytes));
        } else if (PartTypes.isFile(type, head)) {
            attachment(part, type, room(header), whole);
        } else if (PartTypes.isText(type, head)) {
            text(part, type, header, whole);
        } else if (encoding != TransferEncoding.UNKNOWN) {
            refuse(part, Refusal.Reason.UNSUPPORTED_TYPE);
        }
    }

    private void refuse(String part, Refusal.Reason reason) {
        refusals.add(new Refusal(part, reason));
    }

    private static int maxBytes(int room) {
        return (int) Math.min(4L * room, Integer.MAX_VALUE - 64);
    }

    private void text(String part, String type, MailHeader header, InputStream body) throws IOException {
        int room = room(header);
        int maxBytes = maxBytes(room);
        byte[] bytes = body.readNBytes(maxBytes);
        boolean more = bytes.length == maxBytes && body.read() >= 0;
        Set<TextForm> forms = TextForm.of(type, header.body().contentTypes());
        TextReadings readings = TextReadings.of(bytes, room, header.charsets(), forms.contains(TextForm.HTML));
        if (readings.charsetUnknown()) {
            refuse(part, Refusal.Reason.UNKNOWN_CHARSET);
        }
        if (type.equals("message/partial")) {
            refuse(part, Refusal.Reason.UNSUPPORTED_TYPE); // the rest is in other mails
        }
        boolean first = true;
        for (String reading : readings.texts()) {
            for (TextForm form : forms) {
                if (first || form.mayBe(reading)) {
                    formed(part, form, reading, new Allowed(room, more, first), bytes.length);
                    first = false;
                }
            }
        }
        if (type.equals("text/plain")) {
            plain(bytes, readings.texts().getFirst(), header, room);
        }
        if (forms.contains(TextForm.PLAIN)) {
            filesIn(part, bytes);
        }
    }

    /**
     * What may be added to what was read.
     *
     * @param more  whether there is more than was read
     * @param first whether it is the first reading of a part, which alone counts
     */
    private record Allowed(int room, boolean more, boolean first) {}

    private void formed(String part, TextForm form, String written, Allowed allowed, int bytes) throws IOException {
        if (form != TextForm.HTML) {
            add(part, form.text(written), allowed);
            return;
        }
        // of the tags, too, for a tree takes much more memory than its text
        String text = limited(written, allowed.room);
        Allowed rest = new Allowed(allowed.room, allowed.more || text.length() < written.length(), allowed.first);
        if (bytes <= LONG_HTML_BYTES) {
            add(part, form.text(text), rest);
            return;
        }
        if (rest.more) {
            refuse(part, Refusal.Reason.TOO_MUCH_TEXT);
        }
        attachment(part, "text/html", rest.room, new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** Readings of plain text beside the pieces by which such mail was found before. */
    private void plain(byte[] bytes, String text, MailHeader header, int room) {
        String japanese = EncodedText.japanese(bytes, bytes.length);
        if (japanese != null) {
            words.text(limited(japanese, room));
        }
        if (header.deletesSpaces()) {
            words.text(FlowedText.withoutBreaks(limited(text, room)));
        }
    }

    /** Files that were put into a text before there was MIME. */
    private void filesIn(String part, byte[] bytes) throws IOException {
        int left = limits.attachments().maxEmbedded() - filesInTexts;
        Uuencoded found = Uuencoded.in(bytes, left);
        if (found.more()) {
            refuse(part, Refusal.Reason.TOO_MANY_PARTS);
        }
        if (!found.files().isEmpty() && textsInTexts >= limits.attachments().maxEmbeddedDepth()) {
            refuse(part, Refusal.Reason.TOO_DEEP);
            return;
        }
        filesInTexts += found.files().size();
        textsInTexts++;
        int number = 0;
        for (Uuencoded.File file : found.files()) {
            String inner = part + "/" + ++number;
            if (!file.whole()) {
                refuse(inner, Refusal.Reason.DAMAGED);
            }
            name(MailHeader.leaf(file.name()));
            decoded(
                    inner,
                    "application/octet-stream",
                    new MailHeader(words.rules()),
                    TransferEncoding.UUENCODE,
                    new ByteArrayInputStream(file.content()));
        }
        textsInTexts--;
    }

    private static String limited(String text, int room) {
        return text.length() > room ? text.substring(0, room) : text;
    }

    /**
     * Characters that a part may have: what is left, for files half of it, so that something is left for what
     * follows.
     */
    private int room(MailHeader header) {
        int left = limits.maxTextChars() - textChars;
        boolean isFile = header.isAttachment()
                || !header.filename().isEmpty()
                || !header.declaredType().startsWith("text/");
        return isFile && !header.declaredType().isEmpty() ? left / 2 : left;
    }

    private void add(String part, String text, Allowed allowed) {
        String limited = limited(text, allowed.room);
        if (allowed.first) {
            if (allowed.more || limited.length() < text.length()) {
                refuse(part, Refusal.Reason.TOO_MUCH_TEXT);
            }
            textChars += limited.length();
        }
        words.text(limited);
    }

    private void attachment(String part, String type, int room, InputStream body) throws IOException {
        attachments.read(type, body, room, time, found -> use(part, type, room, found));
    }

    private void use(String part, String type, int room, AttachmentText found) {
        for (Refusal refusal : found.refusals()) {
            refusals.add(new Refusal(part + refusal.part(), refusal.reason()));
        }
        if (!found.type().isEmpty() && !found.type().equals(type) && !type.equals("text/html")) {
            words.header("attachment-type", found.type());
        }
        found.names().forEach(this::name);
        add(part, found.text(), new Allowed(room, false, true));
    }
}
