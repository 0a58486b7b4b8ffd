package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.authority.KeyFolder;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.proxy.SealedParts;
import dev.veilgate.reading.OpenedMail;
import dev.veilgate.reading.Reading;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Mail that {@code veilgate-edge mail send} sealed is opened by its index as it was written, to the byte. */
class WrittenMailTest {
    private static final String HEADER = "From: Bob <bob@example.com>\r\nTo: ada@example.org\r\n"
            + "Date: Sat, 21 Nov 2026 12:00:00 +0000\r\nMessage-ID: <1@example.com>\r\n";
    private static final String SUBJECT = "Subject: =?utf-8?q?urgent=3A_Pr=C3=BCfung?=\r\n";
    private static final List<String> BODIES = List.of(
            "\r\npump is hot\r\n",
            "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\nh\u00f6t\r\n",
            "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n=C3=B6\r\n",
            "Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n"
                    + Base64.getMimeEncoder().encodeToString("pump is hot".getBytes(StandardCharsets.UTF_8)) + "\r\n",
            "Content-Type: text/html; charset=utf-8\r\n\r\n<html><head></head><body><p>hot</p></body></html>\r\n",
            "Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\n\r\nhot\r\n"
                    + "--b\r\nContent-Type: text/html\r\n\r\n<p>hot</p>\r\n--b--\r\n");

    @TempDir
    private Path temporary;

    private Site site;
    private Path signer;
    private Path signerPassphrase;

    @Test
    void comesOutWhereverItsSubjectWas() throws Exception {
        makeSite();
        List<String> mails = new ArrayList<>(List.of(HEADER + BODIES.getLast()));
        BODIES.forEach(body -> mails.add(HEADER + SUBJECT + body));
        List<byte[]> sealed = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (String mail : mails) {
            for (String subject : List.of("text", "outside", "both", "hidden")) {
                sealed.add(seal(mail, subject));
                expected.add(mail);
            }
        }
        try (KeyFolder folder = KeyFolder.open(
                site.keys,
                CommandRun.PASSPHRASE.getBytes(StandardCharsets.UTF_8),
                KeyFolder.Access.READ,
                new SecureRandom())) {
            for (int i = 0; i < sealed.size(); i++) {
                SealedParts parts = SealedParts.of(sealed.get(i));
                OpenedMail opened = OpenedMail.of(
                        Envelope.decode(parts.index()), parts.delivered(), Reading.ofAuthority(folder.keys()));
                assertThat(new String(opened.message(), StandardCharsets.UTF_8)).isEqualTo(expected.get(i));
                assertThat(opened.subject()).isEqualTo(expected.get(i).contains(SUBJECT) ? "urgent: Pr\u00fcfung" : "");
            }
        }
    }

    private void makeSite() throws Exception {
        site = new Site(temporary);
        Process openssl = new ProcessBuilder(
                        ("openssl req -x509 -newkey rsa:2048 -nodes -keyout ada.key -out ada.pem -days 30 -subj /CN=ada"
                                        + " -addext subjectAltName=email:ada@example.org"
                                        + " -addext keyUsage=keyEncipherment")
                                .split(" "))
                .directory(temporary.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(openssl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(openssl.waitFor()).as(said).isZero();
        site.run.now = Instant.now().plusSeconds(1); // within the certificate's time
        site.run.ok(
                "keys",
                "add-recipient",
                "--address",
                "ada@example.org",
                "--certificate",
                temporary.resolve("ada.pem"),
                "--scope",
                "mailbox-ada");
        site.newBundle();
        signer = temporary.resolve("signer.p12");
        signerPassphrase = Files.writeString(temporary.resolve("signer.passphrase"), "a signing passphrase\n");
        site.run.ok("keys", "mail-signer", "export", "-o", signer, "--signer-passphrase-file", signerPassphrase);
    }

    private byte[] seal(String mail, String subject) throws Exception {
        Path written = Files.writeString(temporary.resolve("mail.eml"), mail);
        Path sealed = temporary.resolve("sealed.eml");
        Files.deleteIfExists(sealed);
        site.run.ok(
                "mail",
                "send",
                "--bundle",
                site.bundle,
                "--authority",
                site.authority,
                "--signing-key",
                signer,
                "--signing-passphrase-file",
                signerPassphrase,
                "--subject",
                subject,
                "-o",
                sealed,
                "--input",
                written);
        return Files.readAllBytes(sealed);
    }
}
