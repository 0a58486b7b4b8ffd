package dev.veilgate.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.testing.Thunderbird;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A sealed mail in the window of Thunderbird. Photographs are kept in target/thunderbird. */
@Timeout(300)
class ThunderbirdTest {
    private static final String READER = "rsa2048@example.org";
    private static final String TEXT = "the owls are not what they seem";

    @TempDir
    private Path folder;

    private MailLab lab;
    private Path pictures;

    private Thunderbird start() throws Exception {
        lab = new MailLab(Files.createDirectory(folder.resolve("lab")));
        lab.add(READER, "RSA", 2048, Duration.ofDays(1));
        lab.publish();
        pictures = Files.createDirectories(Path.of("target/thunderbird"));
        Path key = lab.pkcs12(READER);
        return Thunderbird.start(
                folder.resolve("thunderbird"), lab.signerCertificate, List.of(key), MailLab.PASSPHRASE, READER);
    }

    @Test
    void theSubjectStandsInTheTextAndOutsideIfThatIsSet() throws Exception {
        try (Thunderbird thunderbird = start()) {
            Thunderbird.Shown shown = thunderbird.open(sealed("text"), pictures.resolve("subject-in-text.png"));
            assertThat(shown.subject()).isEqualTo("[...]");
            assertThat(shown.text()).isEqualTo("Subject: the true subject\n\n" + TEXT + "\n");
            assertThat(shown.encryption()).isEqualTo("Decryption successful");
            Thunderbird.Shown outside = thunderbird.open(sealed("outside"), pictures.resolve("subject-outside.png"));
            assertThat(outside.subject()).isEqualTo("the true subject");
            assertThat(outside.text()).isEqualTo(TEXT + "\n");
        }
    }

    /**
     * By one bit of each of the blocks that CBC chains: no change, of the header or of what is signed, leaves the text
     * alone.
     */
    @Test
    void anAlteredMailIsNotShownAsItsTextWithoutASignature() throws Exception {
        try (Thunderbird thunderbird = start()) {
            byte[] mail = sealed("text");
            Thunderbird.Shown genuine = thunderbird.open(mail, pictures.resolve("genuine.png"));
            assertThat(genuine.signature()).isNotEmpty();
            for (int block : new int[] {0, 2, 4, 7, 9, 11, 20, 60}) {
                Thunderbird.Shown shown = thunderbird.open(
                        AlteredMail.inBlock(mail, block), pictures.resolve("altered-" + block + ".png"));
                boolean isText = shown.text().contains(TEXT);
                assertThat(isText && shown.signature().isEmpty())
                        .as("block %d: %s", block, shown)
                        .isFalse();
            }
        }
    }

    private byte[] sealed(String subject) throws Exception {
        String mail = """
                From: ada@example.org
                To: %s
                Subject: the true subject
                Content-Type: text/plain; charset=utf-8

                %s
                """.formatted(READER, TEXT);
        Path out = folder.resolve("sealed.eml");
        Files.deleteIfExists(out);
        SentMail.send(lab, mail, "--no-index", "--subject", subject, "-o", out.toString());
        return Files.readAllBytes(out);
    }
}
