package dev.veilgate.extract.mail;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.james.mime4j.MimeException;
import org.apache.james.mime4j.codec.DecodeMonitor;
import org.apache.james.mime4j.stream.EntityState;
import org.apache.james.mime4j.stream.Field;
import org.apache.james.mime4j.stream.MimeConfig;
import org.apache.james.mime4j.stream.MimeTokenStream;
import org.apache.james.mime4j.stream.RecursionMode;

/** Walks through one mail, part by part, as a stream. */
final class MailReader {
    private static final int MAX_PREAMBLE_BYTES = 1 << 16;
    private static final byte[] NOTHING = {};

    private final MailSource source;
    private final MailLimits limits;
    private final MailWords words;
    private final ProcessorTime time;
    private final PartReader parts;
    private final MimeConfig config;
    private final HeaderLines lines;
    private final List<Refusal> refusals = new ArrayList<>();
    private final Deque<Integer> path = new ArrayDeque<>();
    private MimeTokenStream stream;
    private MailHeader header;
    private String subject = "";
    private byte[] preamble = NOTHING;
    private int messages;
    private int partCount;
    private int depth;

    MailReader(MailSource source, MailLimits limits, AttachmentTexts attachments, MailWords words, ProcessorTime time) {
        this.source = source;
        this.limits = limits;
        this.words = words;
        this.header = new MailHeader(words.rules());
        this.time = time;
        this.parts = new PartReader(limits, attachments, words, time, refusals);
        this.config = new MimeConfig.Builder()
                .setMaxLineLen(limits.maxHeaderBytes())
                .setMaxHeaderLen(limits.maxHeaderBytes())
                .setMaxHeaderCount(limits.maxHeaderFields())
                .build();
        this.lines = new HeaderLines(limits.maxHeaderBytes());
        this.stream = structure();
    }

    private MimeTokenStream structure() {
        return new MimeTokenStream(config, DecodeMonitor.SILENT, lines, new PartDescriptor.Builder(false));
    }

    MailKeywords read() throws IOException {
        try {
            walk(source);
        } catch (ProcessorTime.OverException e) {
            refusals.add(new Refusal("", Refusal.Reason.TIME_LIMIT));
        } catch (MimeException | IOException | RuntimeException e) {
            if (source.failure() != null) {
                throw source.failure();
            }
            refuse(HeaderLines.isLimit(e) ? Refusal.Reason.HEADER_TOO_LONG : Refusal.Reason.MALFORMED_MESSAGE);
        }
        if (source.cut()) {
            refusals.add(new Refusal("", Refusal.Reason.MESSAGE_TOO_LONG));
        }
        var keywords = words.finish();
        if (keywords.isEmpty() && refusals.isEmpty()) {
            refusals.add(new Refusal("", Refusal.Reason.EMPTY));
        }
        if (words.limited()) {
            refusals.add(new Refusal("", Refusal.Reason.TOO_MANY_KEYWORDS));
        }
        return new MailKeywords(keywords, subject, refusals, source.count(), partCount, parts.textChars());
    }

    /** All of one message; false to stop. */
    private boolean walk(InputStream message) throws IOException, MimeException {
        LineEnds ends = new LineEnds(message);
        stream.parse(ends);
        EntityState state = stream.getState();
        boolean on = true;
        while (on && state != EntityState.T_END_OF_STREAM) {
            on = step(state);
            time.check();
            state = on ? stream.next() : state;
        }
        if (ends.hadFalseBoundary()) {
            refuse(Refusal.Reason.DAMAGED);
        }
        return on;
    }

    /** Behind the last part; where more parts follow there, some programs show them. */
    private boolean epilogue() throws IOException, MimeException {
        String boundary = stream.getBodyDescriptor().getBoundary();
        InputStream rest = stream.getInputStream();
        byte[] head = rest.readNBytes(MAX_PREAMBLE_BYTES);
        if (!Boundaries.isIn(head, boundary)) {
            return true;
        }
        refuse(Refusal.Reason.DAMAGED);
        if (depth >= limits.maxDepth()) {
            refuse(Refusal.Reason.TOO_DEEP);
            return true;
        }
        return inside(Boundaries.multipart(boundary, head, rest));
    }

    private boolean inside(InputStream message) throws IOException, MimeException {
        MimeTokenStream outer = stream;
        stream = structure();
        boolean on = walk(message);
        stream = outer;
        return on;
    }

    /** A message inside the mail in a transfer encoding, which has a structure of its own. */
    private boolean encodedMessage(InputStream written) throws IOException, MimeException {
        List<TransferEncoding> encodings = header.body().encodings();
        TransferEncoding encoding = encodings.stream()
                .filter(one -> one != TransferEncoding.PLAIN)
                .findFirst()
                .orElseThrow();
        if (encoding == TransferEncoding.UUENCODE || encoding == TransferEncoding.UNKNOWN) {
            refuse(Refusal.Reason.UNKNOWN_ENCODING);
        }
        return inside(encoding.decode(written));
    }

    private void refuse(Refusal.Reason reason) {
        Refusal refusal = new Refusal(part(), reason);
        if (refusals.isEmpty() || !refusals.getLast().equals(refusal)) {
            refusals.add(refusal);
        }
    }

    private String part() {
        return path.isEmpty()
                ? "1"
                : path.reversed().stream().map(String::valueOf).collect(Collectors.joining("."));
    }

    /** One event; false to stop. */
    private boolean step(EntityState state) throws IOException, MimeException {
        switch (state) {
            case T_START_MESSAGE -> {
                messages++;
                depth++;
            }
            case T_END_MESSAGE -> depth--;
            case T_START_HEADER -> header = new MailHeader(words.rules());
            case T_FIELD -> field();
            case T_END_HEADER -> endOfHeader();
            case T_START_MULTIPART -> {
                depth++;
                path.push(0);
            }
            case T_PREAMBLE -> preamble = stream.getInputStream().readNBytes(MAX_PREAMBLE_BYTES);
            case T_EPILOGUE -> {
                return epilogue();
            }
            case T_END_MULTIPART -> {
                endOfMultipart();
                depth--;
                path.pop();
            }
            case T_START_BODYPART -> {
                path.push(path.pop() + 1);
                preamble = NOTHING;
            }
            case T_BODY -> {
                return body();
            }
            default -> {}
        }
        return true;
    }

    /** A multipart whose boundary never came: what would have been before the first part is all there is. */
    private void endOfMultipart() {
        if (path.getFirst() == 0) {
            refuse(Refusal.Reason.DAMAGED);
            words.text(EncodedText.decode(preamble, preamble.length, null));
        }
        preamble = NOTHING;
    }

    private void field() {
        boolean own = messages == 1 && path.isEmpty();
        Field field = stream.getField();
        read(field, own);
        List<Field> several = BareReturns.fields(field);
        if (several.size() > 1) { // also as those programs read it that end lines there
            refuse(Refusal.Reason.DAMAGED);
            several.forEach(one -> read(one, own));
        }
        String body = BareReturns.body(field);
        if (!body.isEmpty()) {
            refuse(Refusal.Reason.DAMAGED);
            words.text(body);
        }
    }

    private void read(Field field, boolean own) {
        if (own) {
            header.ofMessage(field, words);
        } else {
            header.ofPart(field);
        }
    }

    private void endOfHeader() {
        if (messages == 1 && path.isEmpty()) {
            header.endOfMessage(words);
        }
        if (subject.isEmpty() && messages == 1 && path.isEmpty()) {
            subject = header.subject();
        }
        if (!header.subject().isEmpty()) {
            words.shortText(header.subject());
        }
        String declared = header.declaredType();
        if (declared.startsWith("multipart/") || BodyFields.isMessage(declared)) {
            parts.file(header, declared);
        }
        if (header.body().contradict()) {
            refuse(Refusal.Reason.DAMAGED);
        }
        String others = lines.takeOthers();
        if (!others.isEmpty()) {
            refuse(Refusal.Reason.DAMAGED);
            words.text(others);
        }
        // Flat: what comes is a body, whatever its type.
        stream.setRecursionMode(depth >= limits.maxDepth() ? RecursionMode.M_FLAT : RecursionMode.M_RECURSE);
    }

    private boolean body() throws IOException, MimeException {
        PartDescriptor descriptor = (PartDescriptor) stream.getBodyDescriptor();
        String type = descriptor.type();
        if (type.startsWith("multipart/") || BodyFields.isMessage(type)) {
            if (descriptor.isEncodedMessage() && depth < limits.maxDepth()) {
                return encodedMessage(stream.getInputStream());
            }
            refuse(Refusal.Reason.TOO_DEEP);
            return true;
        }
        if (header.declaredType().startsWith("multipart/")) { // whose boundary is missing, or not understood
            refuse(Refusal.Reason.DAMAGED);
        }
        if (++partCount > limits.maxParts()) {
            refuse(Refusal.Reason.TOO_MANY_PARTS);
            return false;
        }
        try {
            parts.read(part(), type, header, stream.getInputStream());
        } catch (IOException e) {
            if (source.failure() != null) {
                throw e;
            }
            refuse(Refusal.Reason.DAMAGED);
        }
        return true;
    }
}
