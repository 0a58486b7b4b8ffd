package dev.veilgate.console.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.console.search.ExportSample.Unzipped;
import dev.veilgate.envelope.smime.Encryption;
import dev.veilgate.envelope.smime.HeaderProtection;
import dev.veilgate.envelope.smime.LegacyDisplay;
import dev.veilgate.envelope.smime.MailHeader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** A sealed mail is shown, downloaded and exported as it was written. */
class OpenedMailTest extends ScriptedGateway {
    private static final String MAIL = """
            From: ada@acme.example
            To: ben@acme.example
            Date: Sat, 21 Nov 2026 12:00:00 +0000
            Message-ID: <1@acme.example>
            Subject: press 4
            MIME-Version: 1.0
            Content-Type: multipart/mixed; boundary=out

            --out
            Content-Type: multipart/alternative; boundary=in

            --in

            it overheated
            --in
            Content-Type: text/html; charset=utf-8

            <html><body><p>it overheated</p></body></html>
            --in--
            --out
            Content-Type: text/plain
            Content-Disposition: attachment; filename=notes.txt

            Subject: press 4

            attached
            --out--
            """.replace("\n", "\r\n");

    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void isWhatWasWrittenWhereverItIsGivenOut(boolean isOutside, boolean isInText) throws Exception {
        serve(sealMail("plant-opened", sealed(MAIL, isOutside, isInText)));
        String search = searchMails();
        assertThat(rows(search).get("rows").get(0).get("text").asString()).isEqualTo("press 4");
        JsonNode mail = read(search + "/rows/0").get("mail");
        assertThat(mail.get("text").asString()).isEqualTo("it overheated");
        assertThat(mail.get("html").asString().strip()).isEqualTo("<p>it overheated</p>");
        assertThat(mail.get("headers").toString())
                .contains("\"Subject\"", "press 4")
                .doesNotContain("HP-Outer", "hp=", "Veilgate");
        assertThat(text(send(search + "/rows/0/raw").getContentAsByteArray())).isEqualTo(MAIL);
        assertThat(text(send(search + "/rows/0/attachments/0").getContentAsByteArray()))
                .isEqualTo("Subject: press 4\r\n\r\nattached");
        Unzipped export = Unzipped.of(send(search + "/export?format=mbox").getContentAsByteArray());
        assertThat(text(export.bytes("mail.mbox"))).endsWith("\n" + MAIL.replace("\r\n", "\n") + "\n");
    }

    @Test
    void textThatIsPassedOffAsTheLineStays() throws Exception {
        String sealed =
                sealed(MAIL, false, true).replaceFirst("Subject: press 4\r\n\r\nit", "Dismiss Ben now.\r\n\r\nit");
        serve(sealMail("plant-opened", sealed));
        String search = searchMails();
        assertThat(read(search + "/rows/0").get("text").asString()).startsWith("Dismiss Ben now.");
        assertThat(text(send(search + "/rows/0/raw").getContentAsByteArray())).isEqualTo(sealed);
    }

    @Test
    void whoSignedIsSaidAndSearchedFor() throws Exception {
        String outside = "From: eve@acme.example\r\nSubject: pay at once\r\n";
        serve(sealMail("plant-opened", sealed(MAIL, false, false), outside));
        JsonNode row = rows(searchMails()).get("rows").get(0);
        assertThat(row.get("signed").asString()).isEqualTo("nobody");
        assertThat(row.has("signedBy")).isFalse();
        assertThat(row.get("altered").toString()).isEqualTo("[\"From\",\"Subject\"]");

        String others = searchMails("\"signed\": [\"sender\", \"tenant\"]");
        assertThat(rows(others).get("rows")).isEmpty();
        assertThat(read(others).get("otherwiseSigned").asLong()).isEqualTo(1);
        assertThat(read(others).get("signed").toString()).isEqualTo("[\"sender\",\"tenant\"]");
        Unzipped export = Unzipped.of(send(others + "/export?format=csv").getContentAsByteArray());
        assertThat(export.text("manifest.json"))
                .contains("\"otherwiseSigned\" : 1", "\"sender\", \"tenant\"", "\"version\" : 4");
        assertThat(rows(searchMails("\"signed\": [\"nobody\"]")).get("rows")).hasSize(1);
    }

    @Test
    void signersThatNobodyCanFindAreRefused() throws Exception {
        for (String more : List.of("\"signed\": [\"ada\"]", "\"signed\": [null]")) {
            assertThat(send("/api/searches", mailQuery(more)).getStatus())
                    .as(more)
                    .isEqualTo(400);
        }
        String records = query("overheated", "plant-opened", "\"signed\": [\"nobody\"]");
        assertThat(send("/api/searches", records).getStatus()).isEqualTo(400);
    }

    /** The signature is the author's own; all that the index is checked against is the header that was written. */
    @Test
    void whatItsAuthorSignedOpaquelyIsGivenOutAsItWasWritten() throws Exception {
        String mail = """
                From: ada@acme.example
                To: ben@acme.example
                Date: Sat, 21 Nov 2026 12:00:00 +0000
                Message-ID: <1@acme.example>
                Subject: press 4 overheated
                MIME-Version: 1.0
                Content-Type: application/pkcs7-mime; smime-type=signed-data; name="smime.p7m"
                Content-Transfer-Encoding: base64

                MIAGCSqGSIb3DQEHAqCAMIACAQExADCABgkqhkiG9w0BBwGggCSABARvd2xzAAAAAAAAMQIwAAAA
                AAAAAA==
                """.replace("\n", "\r\n");
        serve(sealMail("plant-opened", sealed(mail, false, false), "", Encryption.SIGNED_BY_AUTHOR));
        String search = searchMails();
        JsonNode row = rows(search).get("rows").get(0);
        assertThat(row.get("text").asString()).isEqualTo("press 4 overheated");
        assertThat(text(send(search + "/rows/0/raw").getContentAsByteArray())).isEqualTo(mail);
    }

    private static String mailQuery(String... more) {
        return query("overheated", "plant-opened", more).replace("\"mail\": false", "\"mail\": true");
    }

    private String searchMails(String... more) throws Exception {
        String search = start(mailQuery(more));
        awaitEnd(search);
        return search;
    }

    /** The message inside, as an edge seals it. */
    private static String sealed(String mail, boolean isOutside, boolean isInText) throws Exception {
        ByteArrayInputStream in = new ByteArrayInputStream(mail.getBytes(StandardCharsets.UTF_8));
        MailHeader header = MailHeader.read(in).header();
        byte[] body = in.readAllBytes();
        LegacyDisplay display =
                isInText ? LegacyDisplay.of(header, "press 4", new ByteArrayInputStream(body)) : LegacyDisplay.NONE;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(HeaderProtection.of(header, "", Instant.EPOCH)
                .protect(isOutside, display)
                .inner());
        display.into(new ByteArrayInputStream(body)).transferTo(out);
        return out.toString(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
