package dev.veilgate.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.testing.Thunderbird;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A sealed mail in the window of Thunderbird. Photographs are kept in target/thunderbird. */
@Timeout(300)
class ThunderbirdTest {
    private static final String READER = "rsa2048@example.org";
    private static final String TEXT = "the owls are not what they seem";
    private static final int BLOCK = 16;

    @TempDir
    private Path folder;

    private MailLab lab;
    private Path pictures;

    private Thunderbird start() throws Exception {
        lab = new MailLab(Files.createDirectory(folder.resolve("lab")));
        lab.add(READER, "RSA", 2048, Duration.ofDays(1));
        lab.publish();
        pictures = Files.createDirectories(Path.of("target/thunderbird"));
        Path key = folder.resolve("reader.p12");
        MailLab.Identity reader = lab.identity(READER);
        MailLab.Result made = MailLab.run(List.of(
                "openssl",
                "pkcs12",
                "-export",
                "-inkey",
                reader.keyFile().toString(),
                "-in",
                reader.certificateFile().toString(),
                "-out",
                key.toString(),
                "-passout",
                "pass:x"));
        assertThat(made.code()).as(made.output()).isZero();
        return Thunderbird.start(folder.resolve("thunderbird"), lab.signerCertificate, key, "x", READER);
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
            byte[] cms = cms(mail);
            int content = cms.length - lastContent(cms);
            for (int block : new int[] {0, 1, 2, 4, 7, 9, 11, 13, 20, 60}) {
                byte[] altered = cms.clone();
                altered[content + BLOCK * block + 3] ^= 1;
                Thunderbird.Shown shown =
                        thunderbird.open(with(mail, altered), pictures.resolve("altered-" + block + ".png"));
                boolean isText = shown.text().contains(TEXT);
                assertThat(isText && shown.signature().isEmpty())
                        .as("block %d: %s", block, shown)
                        .isFalse();
            }
        }
    }

    /** Bytes from the first of the encrypted content to the end: the content's chunks are the last OCTET STRINGs. */
    private static int lastContent(byte[] cms) {
        for (int i = 0; i + 4 < cms.length; i++) {
            if (cms[i] == 4 && cms[i + 1] == (byte) 0x82 && cms[i + 2] == 3 && cms[i + 3] == (byte) 0xe8) {
                return cms.length - (i + 4);
            }
        }
        throw new AssertionError("no chunk of a thousand bytes");
    }

    private static byte[] cms(byte[] mail) {
        String text = new String(mail, StandardCharsets.ISO_8859_1);
        return Base64.getMimeDecoder().decode(text.substring(text.indexOf("\r\n\r\n")));
    }

    private static byte[] with(byte[] mail, byte[] cms) {
        String text = new String(mail, StandardCharsets.ISO_8859_1);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(Arrays.copyOf(mail, text.indexOf("\r\n\r\n") + 4));
        out.writeBytes(Base64.getMimeEncoder().encode(cms));
        return out.toByteArray();
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
