package dev.veilgate.addon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.testing.Thunderbird;
import dev.veilgate.testing.ThunderbirdAddOn;
import dev.veilgate.testing.ThunderbirdAddOn.Notice;
import dev.veilgate.testing.ThunderbirdAddOn.Shown;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The add-on in the window of Thunderbird, installed from its file. Photographs are kept in target/thunderbird. */
@Timeout(300)
class SealedHeaderInThunderbirdTest {
    private static final String NOTICE = "veilgate-sealed-header";
    private static final String ADA = "ada@example.org";
    private static final String GOOD = "Good signature";
    private static final String TEXT = "are not what they seem";
    private static final String DIFFERS = "The header outside says something else";

    @TempDir
    static Path folder;

    private static SealedMails mails;
    private static Thunderbird thunderbird;
    private static ThunderbirdAddOn addOn;
    private static Path pictures;
    private static String genuine;

    @BeforeAll
    static void start() throws Exception {
        mails = new SealedMails(folder);
        pictures = Files.createDirectories(Path.of("target/thunderbird"));
        thunderbird = Thunderbird.start(
                folder.resolve("thunderbird"),
                List.of(mails.trusted()),
                List.of(mails.pkcs12()),
                SealedMails.PASSPHRASE,
                SealedMails.READER);
        addOn = thunderbird.install(Path.of("mail-addon/target/veilgate-sealed-header.xpi"));
        genuine = mails.sealed(mail("Ada Lovelace <" + ADA + ">", "the owls"), mails.authority.ofSender(ADA));
    }

    @AfterAll
    static void end() throws Exception {
        thunderbird.close();
    }

    private static String mail(String from, String subject) {
        return """
                From: %s
                To: Reader <%s>
                Cc: carol@example.org
                Date: %s
                Message-ID: <1@example.org>
                Subject: %s
                Content-Type: text/plain; charset=utf-8

                %s
                """.formatted(from, SealedMails.READER, SealedMails.now(), subject, TEXT);
    }

    private static Shown open(String mail, String picture) throws Exception {
        return addOn.open(
                mail.getBytes(StandardCharsets.ISO_8859_1), NOTICE, pictures.resolve("addon-" + picture + ".png"));
    }

    private static Notice notice(String mail, String picture) throws Exception {
        return open(mail, picture).notice().orElseThrow();
    }

    private static String altered(String field) {
        String name = field.substring(0, field.indexOf(':'));
        return genuine.replaceFirst("(?m)^" + name + ": .*\r\n(?:[ \t].*\r\n)*", field + "\r\n");
    }

    @Test
    void showsTheHeaderInsideAGenuineMail() throws Exception {
        Shown shown = open(genuine, "genuine");
        assertThat(shown.mail().subject()).isEqualTo("[...]");
        assertThat(shown.mail().signature()).isEqualTo(GOOD);
        Notice notice = shown.notice().orElseThrow();
        assertThat(notice.text())
                .contains("From: Ada Lovelace <ada@example.org>")
                .contains("To: Reader <reader@example.org>")
                .contains("Cc: carol@example.org")
                .contains("Subject: the owls")
                .contains("Date: ")
                .doesNotContain(DIFFERS);
        assertThat(notice.isOnTop()).isTrue();
        assertThat(notice.isInside()).isTrue();
    }

    @Test
    void namesWhatIsAlteredOutside() throws Exception {
        Shown from = open(altered("From: Bob <bob@example.org>"), "altered-from");
        assertThat(from.mail().signature()).isNotEqualTo(GOOD);
        assertThat(from.notice().orElseThrow().text())
                .contains(DIFFERS)
                .contains("From outside: Bob <bob@example.org>")
                .contains("From inside: Ada Lovelace <ada@example.org>")
                .doesNotContain("Subject outside", "To outside", "Cc outside", "Date outside");
        Shown subject = open(altered("Subject: bob wants the money"), "altered-subject");
        assertThat(subject.mail().signature()).isEqualTo(GOOD); // which is why this is here
        assertThat(subject.notice().orElseThrow().text())
                .contains(DIFFERS)
                .contains("Subject outside: bob wants the money")
                .contains("Subject inside: the owls")
                .doesNotContain("From outside");
    }
}
