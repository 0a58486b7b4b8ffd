package dev.veilgate.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.smime.MailHeader;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.envelope.smime.OuterHeader;
import dev.veilgate.envelope.smime.WrittenMail;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Subject of a sealed mail: outside, in the text, in both or in neither. */
class MailSubjectTest {
    private static final String MAIL = """
            From: ada@example.org
            To: rsa@example.org, ec@example.org
            Subject: =?utf-8?Q?the_=C3=BCbernahme?=
            Content-Type: text/plain; charset=utf-8
            Content-Transfer-Encoding: 8bit

            owls
            """;

    private static final String IN_TEXT = "\r\n\r\nFrom: ada@example.org\r\nTo: rsa@example.org, ec@example.org\r\n"
            + "Subject: the \u00fcbernahme\r\n\r\nowls\r\n";

    @TempDir
    private Path folder;

    private MailLab lab;

    @BeforeEach
    void makeLab() throws Exception {
        lab = new MailLab(Files.createDirectory(folder.resolve("lab")));
    }

    @Test
    void itIsInTheTextUnlessSomethingElseIsSaid() throws Exception {
        byte[] sealed = sealed("text");
        assertThat(outside(sealed)).contains("\r\nSubject: [...]\r\n").doesNotContain("bernahme");
        assertThat(inside(sealed))
                .contains("\r\nHP-Outer: Subject: [...]\r\n", "\r\nSubject: =?utf-8?Q?the_=C3=BCbernahme?=\r\n")
                .endsWith(IN_TEXT);
        assertThat(outside(sealed("hidden"))).contains("\r\nSubject: [...]\r\n");
        assertThat(inside(sealed("hidden"))).doesNotContain("legacy").endsWith("\r\n\r\nowls\r\n");
    }

    @Test
    void itStaysOutsideOnlyIfThatIsSaidOfAllRecipients() throws Exception {
        byte[] sealed = sealed("outside");
        assertThat(outside(sealed)).contains("\r\nSubject: =?utf-8?Q?the_=C3=BCbernahme?=\r\n");
        assertThat(inside(sealed))
                .contains("\r\nHP-Outer: Subject: =?utf-8?Q?the_=C3=BCbernahme?=\r\n")
                .endsWith("\r\n\r\nowls\r\n");
        assertThat(inside(sealed("both"))).endsWith(IN_TEXT);
        assertThat(outside(sealed("both; ec@example.org = text"))).contains("\r\nSubject: [...]\r\n");
        assertThat(outside(sealed("hidden; example.org = outside"))).doesNotContain("[...]");
    }

    /** A user could otherwise put one above what another once signed, beside the mark of that signature. */
    @Test
    void aboveAnAuthorsOwnSignatureItStaysOutsideOnlyForWhoOwnsTheSender() throws Exception {
        MailSigner author = MailLab.senders("example.org", lab.clock.instant()).ofSender("ada@example.org");
        String mail = MailContents.opaque(author, author, lab.clock.instant())
                .get("signed by its sender")
                .mail()
                .replace("rsa2048@", "rsa@");
        assertThat(outside(sealed(mail, "--subject", "outside"))).contains("\r\nSubject: the true subject\r\n");
        byte[] other = sealed(mail, "--subject", "both", "--sign-as", "tenant");
        assertThat(outside(other)).contains("\r\nSubject: [...]\r\n");
        assertThat(inside(other)).contains("\r\nHP-Outer: Subject: [...]\r\n", "\r\nSubject: the true subject\r\n");
        assertThat(outside(sealed(MAIL, "--subject", "both", "--sign-as", "tenant")))
                .contains("bernahme");
    }

    /** In AuthEnvelopedData no signature of ours is around what an author signed, in the clear or opaquely. */
    @Test
    void inAuthEnvelopedDataItStandsAboveAnAuthorsSignatureOnlyForWhoOwnsTheSender() throws Exception {
        MailSigner author = MailLab.senders("example.org", lab.clock.instant()).ofSender("ada@example.org");
        for (MailContents.Content content : List.of(
                MailContents.opaque(author, author, lab.clock.instant()).get("signed by its sender"),
                MailContents.all(author, lab.clock.instant()).get("signed before by its sender"))) {
            String mail = content.mail().replace("rsa2048@", "rsa@");
            for (String subject : List.of("outside", "both")) {
                byte[] own = sealed(mail, "--subject", subject, "--authenticated", "*");
                assertThat(outside(own)).contains("\r\nSubject: the true subject\r\n");
                byte[] other = sealed(mail, "--subject", subject, "--sign-as", "tenant", "--authenticated", "*");
                assertThat(outside(other)).contains("\r\nSubject: [...]\r\n");
                assertThat(inside(other))
                        .contains("\r\nHP-Outer: Subject: [...]\r\n", "\r\nSubject: the true subject\r\n");
            }
        }
        assertThat(outside(sealed(MAIL, "--subject", "both", "--sign-as", "tenant", "--authenticated", "*")))
                .contains("bernahme");
    }

    /** The window of a program shows a name, and to whom it would reply, beside the mark of the author's signature. */
    @Test
    void aboveAnAuthorsOwnSignatureOnlyWhoOwnsTheSenderHasNamesAndAReplyToOutside() throws Exception {
        Instant now = lab.clock.instant();
        MailSigner author = MailLab.senders("partner.example", now).ofSender("ada@partner.example");
        String opaque = MailContents.opaque(author, author, now)
                .get("signed by its sender")
                .mail();
        String clear =
                MailContents.all(author, now).get("signed before by its sender").mail();
        assertNamesAreOutsideForTheAuthorAlone(opaque, now, "--subject", "text");
        assertNamesAreOutsideForTheAuthorAlone(opaque, now, "--subject", "both");
        assertNamesAreOutsideForTheAuthorAlone(opaque, now, "--subject", "both", "--authenticated", "*");
        assertNamesAreOutsideForTheAuthorAlone(clear, now, "--subject", "both", "--authenticated", "*");
    }

    private void assertNamesAreOutsideForTheAuthorAlone(String signed, Instant date, String... form) throws Exception {
        String fields = "From: \"Bob Smith, Director of Finance\" <ada@partner.example>\n"
                + "Reply-To: \"Ada Lovelace\" <eve@evil.example>\nDisposition-Notification-To: eve@evil.example\n"
                + "To: \"Whole Board\" <rsa@example.org>\nCc: \"Chief Auditor\" <ec@example.org>\n"
                + "Message-ID: <1@partner.example>\n";
        String mail = signed.replaceFirst("From: .*\nTo: .*\n", Matcher.quoteReplacement(fields));
        List<String> arguments = new ArrayList<>(List.of(form));
        byte[] adas = sealed(mail, form);
        arguments.addAll(List.of("--sign-as", "tenant"));
        byte[] eves = sealed(mail, arguments.toArray(String[]::new));

        String bare = "From: ada@partner.example\r\nTo: rsa@example.org\r\nCc: ec@example.org\r\n"
                + "Message-ID: <1@partner.example>\r\nDate: " + MailContents.date(date) + "\r\nSubject: [...]\r\n";
        assertThat(outside(eves)).startsWith(bare + "MIME-Version: 1.0\r\n");
        assertThat(bound(eves)).isEqualTo(bare);
        assertThat(inside(eves))
                .contains("HP-Outer: " + bare.replaceAll("\r\n(?=.)", "\r\nHP-Outer: ") + "From: \"Bob Smith");
        assertWrittenAs(mail, eves);

        String own = fields.replace("\n", "\r\n");
        assertThat(bound(adas)).startsWith(own);
        assertThat(outside(adas)).startsWith(own);
        assertWrittenAs(mail, adas);
    }

    private String bound(byte[] sealed) throws Exception {
        Envelope index = Envelope.decode(SealedParts.of(sealed).index());
        return OuterHeader.bound(index, lab.mailSigners).orElseThrow().text();
    }

    private void assertWrittenAs(String mail, byte[] sealed) throws Exception {
        byte[] opened = WrittenMail.of(lab.openssl(sealed, "rsa@example.org"), MailHeader.Field::value);
        assertThat(new String(opened, StandardCharsets.UTF_8)).isEqualTo(mail.replace("\n", "\r\n"));
        assertThat(OuterHeader.differing(header(opened), header(sealed))).isEmpty();
    }

    private static MailHeader header(byte[] message) throws Exception {
        return MailHeader.read(new ByteArrayInputStream(message)).header();
    }

    private String outside(byte[] sealed) throws Exception {
        return SealedParts.of(sealed).header();
    }

    private String inside(byte[] sealed) throws Exception {
        return new String(lab.openssl(sealed, "rsa@example.org"), StandardCharsets.UTF_8);
    }

    private byte[] sealed(String subject) throws Exception {
        return sealed(MAIL, "--subject", subject);
    }

    private byte[] sealed(String mail, String... more) throws Exception {
        Path out = folder.resolve("sealed.eml");
        Files.deleteIfExists(out);
        List<String> arguments = new ArrayList<>(List.of(more));
        arguments.addAll(List.of("-o", out.toString()));
        SentMail.send(lab, mail, arguments.toArray(String[]::new));
        return Files.readAllBytes(out);
    }
}
