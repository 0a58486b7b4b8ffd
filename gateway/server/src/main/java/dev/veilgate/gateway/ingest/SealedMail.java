package dev.veilgate.gateway.ingest;

import dev.veilgate.envelope.smime.MailHeader;
import dev.veilgate.envelope.smime.MalformedMailException;
import dev.veilgate.envelope.smime.SealedMailWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.james.mime4j.MimeException;
import org.apache.james.mime4j.codec.DecodeMonitor;
import org.apache.james.mime4j.codec.QuotedPrintableInputStream;
import org.apache.james.mime4j.stream.EntityState;
import org.apache.james.mime4j.stream.Field;
import org.apache.james.mime4j.stream.MimeConfig;
import org.apache.james.mime4j.stream.MimeTokenStream;
import org.apache.james.mime4j.stream.RecursionMode;

/**
 * A sealed mail (docs/mail.md) taken apart. Only the form at the top is looked for: multipart/mixed of an S/MIME part and an index.
 *
 * @param envelope      the index: an envelope without records
 * @param contentDigest SHA-256 of the CMS structure, which the envelope must name
 * @param header        the outer header as it came
 * @param part          the S/MIME part
 */
@SuppressWarnings("ArrayRecordComponent")
record SealedMail(byte[] envelope, byte[] contentDigest, MailHeader header, Part part) {
    private static final int MAX_PART_HEADER_BYTES = 16 << 10;
    private static final int MAX_PARTS = 1000;
    private static final String CMS_TYPE = "application/pkcs7-mime";

    /** Of the first part; they take the place of the multipart's. */
    private static final Set<String> PART_FIELDS =
            Set.of("content-type", "content-transfer-encoding", "content-disposition");

    /** A part at the top: its fields and its body as they came. */
    record Part(String type, String encoding, byte[] fields, byte[] body) {
        private byte[] decoded() throws IOException {
            return switch (encoding) {
                case "base64" -> base64();
                case "quoted-printable" ->
                    new QuotedPrintableInputStream(new ByteArrayInputStream(body), DecodeMonitor.STRICT).readAllBytes();
                default -> body;
            };
        }

        private byte[] base64() throws IOException {
            try {
                return Base64.getMimeDecoder().decode(body);
            } catch (IllegalArgumentException e) {
                throw new IOException(e);
            }
        }
    }

    /**
     * Takes a mail apart.
     *
     * @return empty if it is not sealed, or sealed without an index
     * @throws RefusedException if it has an index and is not in the form, or its header is too long
     */
    static Optional<SealedMail> read(byte[] message) throws RefusedException {
        try (InputStream in = new ByteArrayInputStream(message)) {
            MailHeader header = MailHeader.read(in).header();
            String type =
                    header.first("content-type").map(MailHeader.Field::value).orElse("");
            if (!type.toLowerCase(Locale.ROOT).startsWith("multipart/mixed")) {
                return Optional.empty();
            }
            List<Part> parts = parts(in, type);
            return parts.isEmpty() ? Optional.empty() : Optional.of(of(header, parts));
        } catch (MalformedMailException e) {
            throw new RefusedException(Refusal.MALFORMED, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw malformed("a part is not in its transfer encoding");
        }
    }

    /** The parts at the top if one is an index; none otherwise, also where the mail is so damaged that nobody can tell. */
    private static List<Part> parts(InputStream body, String type) throws RefusedException {
        var config = new MimeConfig.Builder()
                .setMaxHeaderLen(MAX_PART_HEADER_BYTES)
                .setMaxLineLen(MAX_PART_HEADER_BYTES)
                .build();
        var stream = new MimeTokenStream(config);
        stream.setRecursionMode(RecursionMode.M_NO_RECURSE);
        var parts = new ArrayList<Part>();
        boolean indexed = false;
        try {
            stream.parseHeadless(body, type);
            var fields = new ByteArrayOutputStream();
            for (EntityState at = stream.getState(); at != EntityState.T_END_OF_STREAM; at = stream.next()) {
                switch (at) {
                    case T_START_MULTIPART ->
                        stream.setRecursionMode(RecursionMode.M_FLAT); // what is in parts stays there
                    case T_START_BODYPART -> fields.reset();
                    case T_FIELD -> keep(stream.getField(), fields);
                    case T_BODY -> {
                        Part part = part(stream, fields.toByteArray(), indexed || parts.size() < 2);
                        indexed |= part.type().equals(SealedMailWriter.INDEX_TYPE);
                        parts.add(part);
                    }
                    default -> {}
                }
                if (parts.size() > MAX_PARTS) {
                    throw malformed("more than " + MAX_PARTS + " parts");
                }
            }
        } catch (MimeException | IOException | RuntimeException e) { // mime4j throws all of them for damaged mail
            if (indexed) {
                throw malformed("the parts of the sealed mail are damaged");
            }
        }
        return indexed ? parts : List.of();
    }

    private static void keep(Field field, ByteArrayOutputStream fields) {
        if (PART_FIELDS.contains(field.getName().toLowerCase(Locale.ROOT))) {
            fields.write(field.getRaw().toByteArray(), 0, field.getRaw().length());
            fields.write('\r');
            fields.write('\n');
        }
    }

    private static Part part(MimeTokenStream stream, byte[] fields, boolean withBody) throws IOException {
        var descriptor = stream.getBodyDescriptor();
        byte[] body = withBody ? stream.getInputStream().readAllBytes() : new byte[0];
        return new Part(
                String.valueOf(descriptor.getMimeType()).toLowerCase(Locale.ROOT),
                String.valueOf(descriptor.getTransferEncoding()).toLowerCase(Locale.ROOT),
                fields,
                body);
    }

    private static SealedMail of(MailHeader header, List<Part> parts) throws RefusedException, IOException {
        if (parts.size() != 2
                || !parts.get(0).type().equals(CMS_TYPE)
                || !parts.get(1).type().equals(SealedMailWriter.INDEX_TYPE)) {
            throw malformed("a sealed mail is an S/MIME part and then its index, and nothing else");
        }
        Part cms = parts.get(0);
        return new SealedMail(parts.get(1).decoded(), sha256(cms.decoded()), header, cms);
    }

    /** The CMS structure; made anew each time, as it may be large. */
    byte[] cms() {
        try {
            return part.decoded();
        } catch (IOException e) {
            throw new IllegalStateException("a part that was decoded before", e);
        }
    }

    /** Bytes of its header as it came. */
    int headerBytes() {
        return header.fields().stream().mapToInt(field -> field.raw().length()).sum();
    }

    /** Bytes of its content as it came. */
    int contentBytes() {
        return part.body().length;
    }

    /** The mail without its index: header and S/MIME part as they came. */
    byte[] asCame() {
        var out = new ByteArrayOutputStream(part.body().length + 4096);
        for (MailHeader.Field field : header.fields()) {
            if (!PART_FIELDS.contains(field.name())) {
                out.writeBytes(field.raw().getBytes(StandardCharsets.ISO_8859_1));
            }
        }
        out.writeBytes(part.fields());
        out.writeBytes(new byte[] {'\r', '\n'});
        out.writeBytes(part.body());
        out.writeBytes(new byte[] {'\r', '\n'}); // the one before the boundary was the boundary's
        return out.toByteArray();
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static RefusedException malformed(String what) {
        return new RefusedException(Refusal.MALFORMED, what);
    }
}
