package dev.veilgate.reading;

import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.EnvelopeOpener;
import dev.veilgate.envelope.UnopenableEnvelopeException;
import dev.veilgate.envelope.smime.CmsOpener;
import dev.veilgate.envelope.smime.MailHeader;
import dev.veilgate.envelope.smime.MailKey;
import dev.veilgate.envelope.smime.MalformedMailException;
import dev.veilgate.envelope.smime.UnopenableMailException;
import dev.veilgate.envelope.smime.WrittenMail;
import dev.veilgate.extract.mail.MailSummary;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.UUID;
import org.apache.james.mime4j.codec.DecodeMonitor;
import org.apache.james.mime4j.codec.DecoderUtil;

/**
 * A sealed mail, opened by the tenant's key of its index. Its fields are those inside, not those that the servers on the way read.
 *
 * @param message all of it, as it was written ({@link WrittenMail}); not copied
 */
@SuppressWarnings("ArrayRecordComponent")
public record OpenedMail(UUID envelope, String date, String from, String to, String subject, byte[] message) {
    /**
     * Opens a mail whose S/MIME is at the top.
     *
     * @param index its envelope
     * @throws UnopenableEnvelopeException if it is not the mail of the index, or does not open
     */
    public static OpenedMail of(Envelope index, byte[] mail, EnvelopeOpener opener) throws UnopenableEnvelopeException {
        byte[] expected = index.detachedDigest()
                .orElseThrow(() -> new UnopenableEnvelopeException("the envelope " + index.id() + " is of no mail"));
        byte[] key = opener.detachedKey(index);
        try (MailKey mailKey = MailKey.of(key)) {
            byte[] cms = body(mail);
            ByteArrayOutputStream opened = new ByteArrayOutputStream(cms.length);
            CmsOpener.open(new ByteArrayInputStream(cms), mailKey, expected, opened);
            byte[] message = WrittenMail.of(opened.toByteArray(), OpenedMail::clear);
            MailHeader header =
                    MailHeader.read(new ByteArrayInputStream(message)).header();
            return new OpenedMail(
                    index.id(),
                    field(header, "date"),
                    field(header, "from"),
                    field(header, "to"),
                    field(header, "subject"),
                    message);
        } catch (UnopenableMailException | MalformedMailException | IllegalArgumentException | IOException e) {
            throw new UnopenableEnvelopeException(
                    "the mail beside " + index.id() + " does not open: " + e.getMessage());
        } finally {
            Arrays.fill(key, (byte) 0);
        }
    }

    /** What the base64 behind the header holds. */
    private static byte[] body(byte[] mail) throws IOException, MalformedMailException {
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
        return Base64.getMimeDecoder().decode(body.toByteArray());
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
