package dev.veilgate.envelope.smime;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes a sealed mail (docs/mail.md): the outer header, and
 *
 * <pre>{@code
 * multipart/mixed
 *   application/pkcs7-mime; smime-type=enveloped-data         the message: EnvelopedData around a signature and what
 * is signed
 *   (or authEnveloped-data)                                   (or AuthEnvelopedData, where every recipient's program
 * reads it)
 *   application/vnd.veilgate.index+cbor                       its index, bound to the digest of the CMS structure
 * }</pre>
 *
 * <p>Without an index it is application/pkcs7-mime alone, as mail programs write it. All lines are ASCII of at most 76
 * characters and end in CR LF, so that every server passes it on unchanged.
 */
public final class SealedMailWriter {
    /** Media type of the index part. */
    public static final String INDEX_TYPE = "application/vnd.veilgate.index+cbor";

    private static final String CMS_TYPE = "Content-Type: application/pkcs7-mime; smime-type=";
    private static final String CMS_HEADER = ";\r\n"
            + " name=\"smime.p7m\"\r\n"
            + "Content-Transfer-Encoding: base64\r\n"
            + "Content-Disposition: attachment; filename=\"smime.p7m\"\r\n\r\n";
    private static final String INDEX_HEADER = "Content-Type: " + INDEX_TYPE + "\r\n"
            + "Content-Transfer-Encoding: base64\r\n"
            + "Content-Disposition: attachment; filename=\"veilgate.index\"\r\n\r\n";

    private final CmsSealer sealer;
    private final SecureRandom random;

    /** @param random source of keys, nonces and of the boundary between the parts */
    public SealedMailWriter(SecureRandom random) {
        this.sealer = new CmsSealer(random);
        this.random = random;
    }

    /** Makes the index part when the CMS structure is written. */
    @FunctionalInterface
    public interface IndexMaker {
        /**
         * The index.
         *
         * @param key    the mail's key, to be wrapped for the tenant; erased when this returns
         * @param digest SHA-256 of the CMS structure
         */
        byte[] index(MailKey key, byte[] digest) throws IOException;
    }

    /**
     * Seals and writes one copy of a mail.
     *
     * @param header     both of its header sections
     * @param body       the body as it was submitted, lines ending in CR LF; read to its end, not closed
     * @param recipients whose keys open this copy: each of them sees who the others are
     * @param encryption what all of their programs read
     * @param as         the signature of {@link Encryption#SIGNED}, which alone has one of ours; else it may be null
     * @param index      null for a mail without an index
     * @param target     not closed
     */
    public void write(
            HeaderProtection.Protected header,
            InputStream body,
            List<RecipientCertificate> recipients,
            Encryption encryption,
            @Nullable SignedAs as,
            @Nullable IndexMaker index,
            OutputStream target)
            throws IOException {
        byte[] tag = new byte[16];
        random.nextBytes(tag);
        String boundary = "veilgate-" + HexFormat.of().formatHex(tag);
        ascii(target, header.outer() + "MIME-Version: 1.0\r\n");
        if (index != null) {
            ascii(target, "Content-Type: multipart/mixed; boundary=\"" + boundary + "\"\r\n\r\n--" + boundary + "\r\n");
        }
        ascii(target, CMS_TYPE + typeOf(encryption) + CMS_HEADER);
        CmsSealer.Sealed sealed;
        try (OutputStream cms = base64(target)) {
            SealedContent message =
                    SealedContent.of(new SequenceInputStream(new ByteArrayInputStream(header.inner()), body));
            sealed = sealer.seal(contentOf(message, recipients, encryption, as), cms, recipients, encryption);
        }
        ascii(target, "\r\n");
        try (MailKey key = sealed.key()) {
            if (index != null) {
                ascii(target, "--" + boundary + "\r\n" + INDEX_HEADER);
                try (OutputStream out = base64(target)) {
                    out.write(index.index(key, sealed.digest()));
                }
                ascii(target, "\r\n--" + boundary + "--\r\n");
            }
        }
    }

    private static SealedContent contentOf(
            SealedContent message,
            List<RecipientCertificate> recipients,
            Encryption encryption,
            @Nullable SignedAs as) {
        return switch (encryption) {
            case AUTHENTICATED, SIGNED_BY_AUTHOR -> message;
            case SIGNED -> {
                if (as == null) {
                    throw new IllegalArgumentException("there is no key to sign with");
                }
                yield SignedEntity.of(message, as, recipients);
            }
        };
    }

    private static String typeOf(Encryption encryption) {
        return switch (encryption) {
            case AUTHENTICATED -> "authEnveloped-data";
            case SIGNED, SIGNED_BY_AUTHOR -> "enveloped-data";
        };
    }

    private static OutputStream base64(OutputStream target) {
        return Base64.getMimeEncoder().wrap(new OpenStream(target));
    }

    private static void ascii(OutputStream target, String text) throws IOException {
        target.write(text.getBytes(StandardCharsets.US_ASCII));
    }
}
