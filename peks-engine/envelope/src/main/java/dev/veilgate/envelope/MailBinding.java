package dev.veilgate.envelope;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.secret.Secret;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The header of a mail that stays outside its sealed content, and the key that binds it there.
 *
 * <p>An envelope beside a mail is signed by nobody who is registered, and names the digest of the content: anybody
 * can put another envelope, and another header, beside the same
 * content. So the envelope holds the fields of the header, and a signature over all of it: fields, digest, index and
 * wraps.
 *
 * @param outer  each {@code Name: value}, unfolded, printable ASCII; together at most {@value
 * EnvelopeFormat#MAX_OUTER_BYTES} bytes
 * @param signer whose certificate goes along
 */
@Secret
public record MailBinding(List<String> outer, MailSigner signer) {
    /** Copies. */
    public MailBinding {
        outer = List.copyOf(outer);
        if (outer.isEmpty() || !isShort(outer)) {
            throw new IllegalArgumentException("the fields of a mail's header have 1 to "
                    + EnvelopeFormat.MAX_OUTER_BYTES + " bytes, and are " + EnvelopeFormat.MAX_OUTER_FIELDS
                    + " at most");
        }
    }

    /** Tells if an envelope has room for some fields. */
    public static boolean isShort(List<String> outer) {
        return outer.size() <= EnvelopeFormat.MAX_OUTER_FIELDS
                && outer.stream().mapToLong(String::length).sum() <= EnvelopeFormat.MAX_OUTER_BYTES;
    }

    /**
     * Bytes that the key signs: a label, a digest of the envelope and one of the certificate, since that is beside the
     * signature. No CMS signature of the same key is over such bytes, since what is signed there is DER.
     *
     * @param digest      SHA-256 of the envelope without the signature, the head of its map with one field less
     * @param certificate DER
     */
    static byte[] signed(byte[] digest, byte[] certificate) {
        byte[] label = EnvelopeFormat.LABEL_MAIL.getBytes(StandardCharsets.US_ASCII);
        return new ByteWriter(label.length + 2 * Hashes.SHA256_BYTES)
                .bytes(label)
                .bytes(digest)
                .bytes(Hashes.sha256(certificate))
                .toByteArray();
    }
}
