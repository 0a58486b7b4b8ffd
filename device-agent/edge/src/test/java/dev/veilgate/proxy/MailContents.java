package dev.veilgate.proxy;

import dev.veilgate.envelope.smime.MailSigner;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.cert.jcajce.JcaCertStore;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.CMSSignedDataGenerator;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoGeneratorBuilder;

/** Mails of several kinds, as people send them. */
final class MailContents {
    private static final String TEXT = "the owls are not what they seem";
    private static final String PLAIN = "Content-Type: text/plain; charset=utf-8\n\n" + TEXT + "\n";
    private static final String HTML =
            "Content-Type: text/html; charset=utf-8\n\n<html><body><p>" + TEXT + "</p></body></html>\n";

    private MailContents() {}

    /**
     * A mail.
     *
     * @param text of it, that a program should show
     */
    record Content(String mail, String text) {}

    static String date(Instant time) {
        return DateTimeFormatter.RFC_1123_DATE_TIME.format(time.atOffset(ZoneOffset.UTC));
    }

    /**
     * The mails by what they have in them.
     *
     * @param sender what the sender's own program signs with
     */
    static Map<String, Content> all(MailSigner sender, Instant date) throws Exception {
        Map<String, Content> all = new LinkedHashMap<>();
        all.put("plain text", content(date, "", PLAIN));
        all.put("HTML", content(date, "", HTML));
        all.put("both", content(date, "", parts("alternative", PLAIN, HTML)));
        all.put("an attachment", content(date, "", parts("mixed", PLAIN, """
                                Content-Type: application/pdf; name="offer.pdf"
                                Content-Disposition: attachment; filename="offer.pdf"
                                Content-Transfer-Encoding: base64

                                JVBERi0xLjQKJUVPRgo=
                                """)));
        all.put("a forwarded mail", content(date, "", parts("mixed", PLAIN, """
                Content-Type: message/rfc822

                From: carol@example.org
                Subject: an older one

                an older text
                """)));
        all.put(
                "an invitation",
                new Content(mail(date, "", parts("alternative", PLAIN, invitation(date))), "the meeting of owls"));
        all.put("a request for a receipt", content(date, "Disposition-Notification-To: ada@example.org\n", PLAIN));
        all.put("signed before by its sender", content(date, "", signed(sender)));
        return all;
    }

    /**
     * Mails that are an S/MIME structure as a whole, by what they are.
     *
     * @param sender what the sender's own program signs with
     * @param other  what somebody else's does
     */
    static Map<String, Content> opaque(MailSigner sender, MailSigner other, Instant date) throws Exception {
        String usual = "application/pkcs7-mime; smime-type=signed-data; name=\"smime.p7m\"";
        byte[] signed = signedData(sender);
        Map<String, Content> all = new LinkedHashMap<>();
        all.put("signed by its sender", structure(date, usual, signed));
        all.put("the same, with a type of before", structure(date, usual.replace("/", "/x-"), signed));
        all.put("the same, without smime-type", structure(date, "application/pkcs7-mime; name=smime.p7m", signed));
        all.put("the same, with a false smime-type", structure(date, usual.replace("signed", "enveloped"), signed));
        all.put("the same, with a false file name", structure(date, usual.replace("smime.p7m", "smime.p7c"), signed));
        all.put("the same, with `mail.subject: outside`", structure(date, usual, signed));
        all.put("signed by somebody else", structure(date, usual, signedData(other)));
        byte[] altered = signed.clone();
        altered[altered.length - 1] ^= 1;
        all.put("with a signature that is not good", structure(date, usual, altered));
        return all;
    }

    /** A mail that is a CMS structure in base64. */
    static Content structure(Instant date, String type, byte[] structure) {
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(structure);
        return content(date, "", "Content-Type: " + type + "\nContent-Transfer-Encoding: base64\n\n" + base64 + "\n");
    }

    private static Content content(Instant date, String fields, String body) {
        return new Content(mail(date, fields, body), TEXT);
    }

    private static String mail(Instant date, String fields, String body) {
        return "From: ada@example.org\nTo: rsa2048@example.org\nDate: " + date(date) + "\nSubject: the true subject\n"
                + fields + "MIME-Version: 1.0\n" + body;
    }

    private static String parts(String kind, String... parts) {
        StringBuilder text = new StringBuilder("Content-Type: multipart/" + kind + "; boundary=\"limit\"\n\n");
        for (String part : parts) {
            text.append("--limit\n").append(part);
        }
        return text.append("--limit--\n").toString();
    }

    private static String invitation(Instant date) {
        DateTimeFormatter form =
                DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
        return """
                Content-Type: text/calendar; charset=utf-8; method=REQUEST

                BEGIN:VCALENDAR
                PRODID:-//example//example//EN
                VERSION:2.0
                METHOD:REQUEST
                BEGIN:VEVENT
                UID:meeting-1@example.org
                DTSTAMP:%1$s
                DTSTART:%2$s
                DTEND:%2$s
                SUMMARY:the meeting of owls
                ORGANIZER:mailto:ada@example.org
                ATTENDEE;RSVP=TRUE;PARTSTAT=NEEDS-ACTION:mailto:rsa2048@example.org
                SEQUENCE:0
                END:VEVENT
                END:VCALENDAR
                """.formatted(form.format(date), form.format(date.plus(Duration.ofDays(7))));
    }

    /** SignedData around a plain text. */
    static byte[] signedData(MailSigner signer) throws Exception {
        return signedData(signer, true);
    }

    /** Without a time, which programs compare with the Date of the mail. */
    private static byte[] signedData(MailSigner signer, boolean hasContent) throws Exception {
        var generator = new CMSSignedDataGenerator();
        generator.addSignerInfoGenerator(new JcaSimpleSignerInfoGeneratorBuilder()
                .setDirectSignature(true)
                .build("SHA256withECDSA", signer.privateKey(), signer.leaf()));
        generator.addCertificates(new JcaCertStore(signer.chain()));
        byte[] plain = PLAIN.replace("\n", "\r\n").getBytes(StandardCharsets.US_ASCII);
        return generator
                .generate(new CMSProcessableByteArray(plain), hasContent)
                .getEncoded(ASN1Encoding.DER);
    }

    private static String signed(MailSigner sender) throws Exception {
        byte[] signature = signedData(sender, false);
        return "Content-Type: multipart/signed; protocol=\"application/pkcs7-signature\"; micalg=sha-256;\n"
                + " boundary=\"limit\"\n\n"
                + "--limit\n" + PLAIN + "\n--limit\nContent-Type: application/pkcs7-signature; name=\"smime.p7s\"\n"
                + "Content-Transfer-Encoding: base64\n\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(signature) + "\n--limit--\n";
    }
}
