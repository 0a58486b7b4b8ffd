package dev.veilgate.extract.mail;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.james.mime4j.MimeException;
import org.apache.james.mime4j.codec.Base64InputStream;
import org.apache.james.mime4j.codec.DecodeMonitor;
import org.apache.james.mime4j.codec.QuotedPrintableInputStream;
import org.apache.james.mime4j.io.MaxHeaderLengthLimitException;
import org.apache.james.mime4j.io.MaxHeaderLimitException;
import org.apache.james.mime4j.io.MaxLineLimitException;
import org.apache.james.mime4j.stream.EntityState;
import org.apache.james.mime4j.stream.MimeConfig;
import org.apache.james.mime4j.stream.MimeTokenStream;
import org.apache.james.mime4j.stream.RecursionMode;
import org.apache.james.mime4j.util.MimeUtil;

/** Walks through one mail, part by part, as a stream. */
final class MailReader {
    private static final int MAX_PREAMBLE_BYTES = 1 << 16;
    private static final byte[] NOTHING = {};
    private static final Pattern AROUND_ENCODING = Pattern.compile("^[\\s\"']+|[\\s;,(\"'].*$", Pattern.DOTALL);

    private final MailSource source;
    private final MailLimits limits;
    private final MailWords words;
    private final ProcessorTime time;
    private final PartReader parts;
    private final MimeTokenStream stream;
    private final List<Refusal> refusals = new ArrayList<>();
    private final Deque<Integer> path = new ArrayDeque<>();
    private MailHeader header = new MailHeader();
    private String subject = "";
    private byte[] preamble = NOTHING;
    private int messages;
    private int partCount;
    private int depth;

    MailReader(
            MailSource source, MailLimits limits, AttachmentReader attachments, MailWords words, ProcessorTime time) {
        this.source = source;
        this.limits = limits;
        this.words = words;
        this.time = time;
        this.parts = new PartReader(limits, attachments, words, refusals);
        MimeConfig config = new MimeConfig.Builder()
                .setMaxLineLen(limits.maxHeaderBytes())
                .setMaxHeaderLen(limits.maxHeaderBytes())
                .setMaxHeaderCount(limits.maxHeaderFields())
                .build();
        this.stream = new MimeTokenStream(config, DecodeMonitor.SILENT, null, null);
    }

    MailKeywords read() throws IOException {
        try {
            stream.parse(source);
            EntityState state = stream.getState();
            while (state != EntityState.T_END_OF_STREAM && step(state)) {
                time.check();
                state = stream.next();
            }
        } catch (ProcessorTime.OverException e) {
            refuse(Refusal.Reason.TIME_LIMIT);
        } catch (MimeException | IOException | RuntimeException e) {
            if (source.failure() != null) {
                throw source.failure();
            }
            refuse(isHeaderLimit(e) ? Refusal.Reason.HEADER_TOO_LONG : Refusal.Reason.MALFORMED_MESSAGE);
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

    private static boolean isHeaderLimit(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof MaxHeaderLengthLimitException
                    || cause instanceof MaxHeaderLimitException
                    || cause instanceof MaxLineLimitException) {
                return true;
            }
        }
        return false;
    }

    private void refuse(Refusal.Reason reason) {
        refusals.add(new Refusal(part(), reason));
    }

    private String part() {
        return path.isEmpty()
                ? "1"
                : path.reversed().stream().map(String::valueOf).collect(Collectors.joining("."));
    }

    /** One event; false to stop. */
    private boolean step(EntityState state) throws IOException {
        switch (state) {
            case T_START_MESSAGE -> {
                messages++;
                depth++;
            }
            case T_END_MESSAGE -> depth--;
            case T_START_HEADER -> header = new MailHeader();
            case T_FIELD -> field();
            case T_END_HEADER -> endOfHeader();
            case T_START_MULTIPART -> {
                depth++;
                path.push(0);
            }
            case T_PREAMBLE -> preamble = stream.getInputStream().readNBytes(MAX_PREAMBLE_BYTES);
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
        if (own) {
            header.ofMessage(stream.getField(), words);
        } else {
            header.ofPart(stream.getField());
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
        if (declared.startsWith("multipart/") || declared.equals("message/rfc822")) {
            parts.file(header, declared);
        }
        // Flat: what comes is a body, whatever its type.
        stream.setRecursionMode(depth >= limits.maxDepth() ? RecursionMode.M_FLAT : RecursionMode.M_RECURSE);
    }

    private String type() {
        String type = stream.getBodyDescriptor().getMimeType();
        return type == null ? "text/plain" : type.toLowerCase(java.util.Locale.ROOT);
    }

    /** The body's bytes, also where more stands behind the name of the encoding, or around it, than may: mail programs take no offence. */
    private InputStream decoded() {
        String written = stream.getBodyDescriptor().getTransferEncoding();
        if (written == null || MimeUtil.isBase64Encoding(written) || MimeUtil.isQuotedPrintableEncoded(written)) {
            return stream.getDecodedInputStream();
        }
        String encoding = AROUND_ENCODING.matcher(written).replaceAll("");
        if (MimeUtil.isBase64Encoding(encoding)) {
            return new Base64InputStream(stream.getInputStream(), DecodeMonitor.SILENT);
        }
        return MimeUtil.isQuotedPrintableEncoded(encoding)
                ? new QuotedPrintableInputStream(stream.getInputStream(), DecodeMonitor.SILENT)
                : stream.getDecodedInputStream();
    }

    private boolean body() throws IOException {
        String type = type();
        if (type.startsWith("multipart/") || type.equals("message/rfc822")) {
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
            parts.read(part(), type, header, decoded());
        } catch (IOException e) {
            if (source.failure() != null) {
                throw e;
            }
            refuse(Refusal.Reason.DAMAGED);
        }
        return true;
    }
}
