package dev.veilgate.envelope.smime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.KeyFolder.Access;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.files.Frozen;
import dev.veilgate.testing.FrozenSet;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Mail with a bound header, and mail that its author signed opaquely, as the first version that wrote them did. */
class FrozenAuthorMailTest {
    private static final FrozenSet SET = new FrozenSet("b4b391b4", Frozen.SECOND.now());
    private static final String ADA = "ada@example.com";

    @TempDir
    private Path temporary;

    private static byte[] part(String mail, int number) throws IOException {
        String text = SET.text(mail + ".eml");
        String boundary = text.replaceAll("(?s).*?boundary=\"([^\"]+)\".*", "$1");
        String part = text.split("--" + boundary, -1)[number];
        return Base64.getMimeDecoder().decode(part.substring(part.indexOf("\r\n\r\n") + 4));
    }

    private static List<List<X509Certificate>> signers() throws Exception {
        return PublicBundle.verify(Frozen.SECOND.bytes("bundles/last.vgb"), Frozen.authority(Frozen.SECOND), SET.now())
                .mailSigners();
    }

    private record Opened(String written, MailAuthor author, Optional<X509Certificate> inside) {}

    private Opened opened(String mail) throws Exception {
        try (KeyFolder folder = KeyFolder.open(
                Frozen.SECOND.copy("keys", temporary),
                Frozen.PASSPHRASE.getBytes(StandardCharsets.UTF_8),
                Access.READ,
                new SecureRandom())) {
            Envelope index = Envelope.decode(part(mail, 2));
            TenantSigners signers = new TenantSigners(signers());
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            Optional<X509Certificate> inside;
            try (MailKey key = MailKey.of(folder.keys().opener().detachedKey(index))) {
                inside = CmsOpener.open(
                        new ByteArrayInputStream(part(mail, 1)),
                        key,
                        index.detachedDigest().orElseThrow(),
                        signers,
                        out);
            }
            byte[] written = WrittenMail.of(out.toByteArray(), MailHeader.Field::value);
            MailHeader header =
                    MailHeader.read(new ByteArrayInputStream(written)).header();
            return new Opened(
                    new String(written, StandardCharsets.UTF_8), MailAuthor.of(index, inside, header, signers), inside);
        }
    }

    @Test
    void itsHeaderIsBoundByItsSender() throws Exception {
        for (String mail : List.of("bound", "signed-by-author")) {
            OuterHeader header =
                    OuterHeader.bound(Envelope.decode(part(mail, 2)), signers()).orElseThrow();
            assertThat(header.text()).as(mail).contains("From: Ada <" + ADA + ">\r\n", "Subject: [...]\r\n");
            assertThat(header.isSignedBy(ADA)).as(mail).isTrue();
        }
    }

    @Test
    void itIsOpenedAsItWasWritten() throws Exception {
        Opened mail = opened("signed-by-author");
        assertThat(mail.written()).isEqualTo(SET.text("signed-by-author.plain.eml"));
        assertThat(mail.inside()).isEmpty();
        assertThat(mail.author()).isEqualTo(new MailAuthor(MailAuthor.Kind.SENDER, ADA));
    }

    @Test
    void itsSenderSignedIt() throws Exception {
        Opened mail = opened("bound");
        assertThat(mail.written())
                .endsWith("\r\n\r\nThe pump is overheated.\r\n")
                .contains("Subject: overheated pump\r\n");
        assertThat(mail.inside()).isPresent();
        assertThat(mail.author()).isEqualTo(new MailAuthor(MailAuthor.Kind.SENDER, ADA));
    }
}
