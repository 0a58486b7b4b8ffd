package dev.veilgate.envelope.smime;

import dev.veilgate.envelope.smime.MailHeader.Field;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A message that its author signed opaquely (RFC 8551, section 3.5.2): its whole body is SignedData with what is signed
 * inside.
 *
 * <p>Programs show no SignedData within a SignedData, so such a message is sealed as it is, and nobody signs around it
 * ({@link Encryption#SIGNED_BY_AUTHOR}). Its header stands above the author's structure, encrypted, and under no
 * signature of the author's. Whether the author's signature is good, and whose it is, is not looked at: the program of
 * who reads it says so.
 *
 * <p>The bytes decide, not the parameter smime-type, which may be missing or lie. Certificates alone, a signature
 * without what it is over, encrypted messages and whatever is malformed or can be read in two ways are not opaque.
 */
public final class OpaqueMessage {
    private static final Set<String> TYPES = Set.of("application/pkcs7-mime", "application/x-pkcs7-mime");
    private static final Set<String> UNENCODED = Set.of("7bit", "8bit", "binary");
    private static final String TYPE = "content-type";
    private static final String ENCODING = "content-transfer-encoding";

    /** Longest line of base64 (RFC 2045, section 6.8). */
    private static final int MAX_LINE = 76;

    private static final int LINE_BYTES = MAX_LINE / 4 * 3;
    private static final int GROUP = 4;
    private static final int BUFFER_BYTES = 64 << 10;

    private final MailHeader header;
    private final boolean isBase64;
    private final boolean isRewritten;
    private final long length;

    private OpaqueMessage(MailHeader header, boolean isBase64, boolean isRewritten, long length) {
        this.header = header;
        this.isBase64 = isBase64;
        this.isRewritten = isRewritten;
        this.length = length;
    }

    /**
     * Looks at a message.
     *
     * @param header of it, as it was submitted
     * @param body   as it was submitted; read to its end if the header says S/MIME, and not closed
     * @return empty if it is not signed in this way
     */
    public static Optional<OpaqueMessage> of(MailHeader header, InputStream body) throws IOException {
        String encoding = encoding(header);
        boolean isBase64 = encoding.equals("base64");
        if (!isOfType(header) || !isBase64 && !UNENCODED.contains(encoding)) {
            return Optional.empty();
        }
        Base64Lines lines = new Base64Lines(body);
        InputStream bytes =
                new BufferedInputStream(isBase64 ? Base64.getDecoder().wrap(lines) : body, BUFFER_BYTES);
        Optional<Long> length = SignedDataForm.lengthOf(bytes);
        if (length.isEmpty() || !isAtEnd(bytes, lines, isBase64)) {
            return Optional.empty();
        }
        boolean isRewritten = !isBase64 || lines.longest() > MAX_LINE || lines.chars() % GROUP != 0;
        return Optional.of(new OpaqueMessage(described(header, isRewritten), isBase64, isRewritten, length.get()));
    }

    /** Tells if a header that all programs read alike is one of an S/MIME structure. */
    static boolean isOfType(MailHeader header) {
        Optional<Field> type = header.first(TYPE);
        if (type.isEmpty() || type.get().raw().length() > HeaderProtection.MAX_CONTENT_TYPE) {
            return false;
        }
        String media = type.get().value().replaceAll("[;\\s].*", "").toLowerCase(Locale.ROOT);
        return TYPES.contains(media) && ClearHeader.isClear(header.fields());
    }

    private static String encoding(MailHeader header) {
        return header.first(ENCODING)
                .map(field -> field.value().toLowerCase(Locale.ROOT))
                .orElse("7bit");
    }

    /** Nothing may stand behind the structure; behind bytes that are not encoded the end of the last line does. */
    private static boolean isAtEnd(InputStream bytes, InputStream base64, boolean isBase64) {
        try {
            String rest = new String(bytes.readNBytes(3), StandardCharsets.ISO_8859_1);
            return isBase64 ? rest.isEmpty() && base64.read() < 0 : rest.isEmpty() || rest.equals("\r\n");
        } catch (IOException e) {
            return false; // no base64
        }
    }

    /** The header with fields that say what the body is; of those that are false no more is changed than must be. */
    private static MailHeader described(MailHeader header, boolean isRewritten) {
        Field ours = new Field(ENCODING, SignedEntity.ENCODING);
        List<Field> fields = new ArrayList<>();
        for (Field field : header.fields()) {
            boolean isEncoding = isRewritten && field.name().equals(ENCODING);
            fields.add(isEncoding ? ours : SignedDataLabel.of(field));
        }
        if (isRewritten && header.first(ENCODING).isEmpty()) {
            fields.add(ours);
        }
        return new MailHeader(fields);
    }

    /**
     * The header that it is sealed with: as it was submitted, but for a transfer encoding that is rewritten, and for
     * what in type and disposition makes programs show an attachment ({@link SignedDataLabel}).
     */
    public MailHeader header() {
        return header;
    }

    /**
     * The body that it is sealed with: as it was submitted, or in base64 with lines of 76 characters where it is not in
     * a base64 that every program reads.
     *
     * @param body as it was submitted; not closed
     */
    public InputStream body(InputStream body) {
        if (!isRewritten) {
            return body;
        }
        return new Encoded(isBase64 ? Base64.getDecoder().wrap(new Base64Lines(body)) : body, length);
    }

    /** The first bytes of a stream, in lines of base64. */
    private static final class Encoded extends InputStream {
        private final InputStream in;
        private long left;
        private byte[] line = {};
        private int at;

        Encoded(InputStream in, long length) {
            this.in = in;
            this.left = length;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) == 1 ? one[0] & 0xff : -1;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (at == line.length) {
                byte[] raw = in.readNBytes((int) Math.min(LINE_BYTES, left));
                left -= raw.length;
                line = raw.length == 0
                        ? raw
                        : (Base64.getEncoder().encodeToString(raw) + "\r\n").getBytes(StandardCharsets.US_ASCII);
                at = 0;
            }
            int n = Math.min(length, line.length - at);
            System.arraycopy(line, at, bytes, offset, n);
            at += n;
            return n == 0 && length > 0 ? -1 : n;
        }
    }
}
