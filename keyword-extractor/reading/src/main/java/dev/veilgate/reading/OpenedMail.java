package dev.veilgate.reading;

import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.UnopenableEnvelopeException;
import dev.veilgate.envelope.smime.CmsOpener;
import dev.veilgate.envelope.smime.MailAuthor;
import dev.veilgate.envelope.smime.MailHeader;
import dev.veilgate.envelope.smime.MailKey;
import dev.veilgate.envelope.smime.MalformedMailException;
import dev.veilgate.envelope.smime.OuterHeader;
import dev.veilgate.envelope.smime.UnopenableMailException;
import dev.veilgate.envelope.smime.WrittenMail;
import dev.veilgate.extract.mail.MailSummary;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.james.mime4j.codec.DecodeMonitor;
import org.apache.james.mime4j.codec.DecoderUtil;

/**
 * A sealed mail, opened by the tenant's key of its index. Its fields are those inside, not those that the servers on
 * the way read.
 *
 * @param author  who signed it
 * @param altered names of the fields outside that say something else than those inside ({@link OuterHeader#differing})
 * @param message all of it, as it was written ({@link WrittenMail}); not copied
 */
@SuppressWarnings("ArrayRecordComponent")
public record OpenedMail(
        UUID envelope,
        String date,
        String from,
        String to,
        String subject,
        MailAuthor author,
        List<String> altered,
        byte[] message) {
    /**
     * Opens a mail whose S/MIME is at the top.
     *
     * @param index its envelope
     * @throws UnopenableEnvelopeException if it is not the mail of the index, or does not open
     */
    public static OpenedMail of(Envelope index, byte[] mail, Reading reading) throws UnopenableEnvelopeException {
        byte[] expected = index.detachedDigest()
                .orElseThrow(() -> new UnopenableEnvelopeException("the envelope " + index.id() + " is of no mail"));
        byte[] key = reading.opener().detachedKey(index);
        try (MailKey mailKey = MailKey.of(key)) {
            Stored stored = Stored.of(mail);
            ByteArrayOutputStream opened = new ByteArrayOutputStream(stored.cms().length);
            Optional<X509Certificate> signer = CmsOpener.open(
                    new ByteArrayInputStream(stored.cms()), mailKey, expected, reading.mailSigners(), opened);
            byte[] message = WrittenMail.of(opened.toByteArray(), OpenedMail::clear);
            MailHeader header =
                    MailHeader.read(new ByteArrayInputStream(message)).header();
            return new OpenedMail(
                    index.id(),
                    field(header, "date"),
                    field(header, "from"),
                    field(header, "to"),
                    field(header, "subject"),
                    MailAuthor.of(index, signer, header, reading.mailSigners()),
                    OuterHeader.differing(header, stored.header()),
                    message);
        } catch (UnopenableMailException | MalformedMailException | IllegalArgumentException | IOException e) {
            throw new UnopenableEnvelopeException(
                    "the mail beside " + index.id() + " does not open: " + e.getMessage());
        } finally {
            Arrays.fill(key, (byte) 0);
        }
    }

    /** The same without its message, which takes the most memory. */
    OpenedMail withoutMessage() {
        return new OpenedMail(envelope, date, from, to, subject, author, altered, new byte[0]);
    }

    /**
     * A mail as it is stored: the header outside, and what the base64 behind it holds.
     */
    @SuppressWarnings("ArrayRecordComponent")
    private record Stored(MailHeader header, byte[] cms) {
        static Stored of(byte[] mail) throws IOException, MalformedMailException {
            ByteArrayInputStream in = new ByteArrayInputStream(mail);
            MailHeader.Split split = MailHeader.read(in);
            String encoding = split.header()
                    .first("content-transfer-encoding")
                    .map(MailHeader.Field::value)
                    .orElse("");
            if (!encoding.equalsIgnoreCase("base64")) {
                throw new MalformedMailException("its S/MIME part must be at the top, in base64");
            }
            ByteArrayOutputStream body = new ByteArrayOutputStream(mail.length);
            body.writeBytes(split.start());
            in.transferTo(body);
            return new Stored(split.header(), Base64.getMimeDecoder().decode(body.toByteArray()));
        }
    }

    private static String field(MailHeader header, String name) {
        return header.first(name).map(OpenedMail::decoded).orElse("");
    }

    /** On one line, decoded; headers are UTF-8 where they are not ASCII. */
    private static String decoded(MailHeader.Field field) {
        String value = new String(field.value().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
        return DecoderUtil.decodeEncodedWords(value, DecodeMonitor.SILENT);
    }

    /** A field as whoever sealed it put it into the text, if that is the one that is shown here too; else empty. */
    private static String clear(MailHeader.Field field) {
        String text = MailSummary.text((field.raw() + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        return text.equals(decoded(field).strip()) ? text : "";
    }
}
