package dev.veilgate.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.envelope.smime.MailSigner;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
