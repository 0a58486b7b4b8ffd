package dev.veilgate.envelope.smime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.KeyFolder.Access;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.files.Frozen;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.peks.Keyword;
import dev.veilgate.query.Expression;
import dev.veilgate.query.IndexAdmission;
import dev.veilgate.query.PreparedSearch;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Mail of each form that an earlier version sealed is opened by recipients of every kind of key, and by the authority.
 */
class FrozenMailTest {
    private static final List<String> RECIPIENTS = List.of("rsa", "p256", "p384", "p521");
    private static final Map<Encryption, String> FILES =
            Map.of(Encryption.SIGNED, "enveloped-data", Encryption.AUTHENTICATED, "auth-enveloped-data");
    private static final String BODY = "The pump is overheated.";

    /** The CMS structure and the index of a sealed mail. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Parts(byte[] cms, byte[] index) {
        /** A form without a frozen mail has none. */
        static Parts of(Encryption encryption) {
            String text = new String(Frozen.bytes("mail/" + FILES.get(encryption) + ".eml"), StandardCharsets.US_ASCII);
            String boundary = text.replaceAll("(?s).*?boundary=\"([^\"]+)\".*", "$1");
            String[] parts = text.split("--" + boundary, -1);
            return new Parts(decoded(parts[1]), decoded(parts[2]));
        }

        private static byte[] decoded(String part) {
            return Base64.getMimeDecoder().decode(part.substring(part.indexOf("\r\n\r\n") + 4));
        }
    }

    private static PublicBundle bundle() throws Exception {
        return PublicBundle.verify(Frozen.bytes("bundles/last.vgb"), Frozen.authority(), Frozen.NOW);
    }

    private static List<X509Certificate> signers() throws Exception {
        return bundle().mailSigners().stream().map(List::getFirst).toList();
    }

    private static X509Certificate certificate(String name) throws Exception {
        return (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(Frozen.bytes("mail/" + name + ".crt")));
    }

    private static PrivateKey key(String name) throws Exception {
        return KeyFactory.getInstance(name.equals("rsa") ? "RSA" : "EC")
                .generatePrivate(new PKCS8EncodedKeySpec(Frozen.bytes("mail/" + name + ".key")));
    }

    @ParameterizedTest
    @EnumSource
    void recipientsOpenIt(Encryption encryption) throws Exception {
        for (String name : RECIPIENTS) {
            ByteArrayOutputStream opened = new ByteArrayOutputStream();
            CmsOpener.open(
                    new ByteArrayInputStream(Parts.of(encryption).cms),
                    key(name),
                    certificate(name),
                    signers(),
                    opened);
            assertThat(opened.toString(StandardCharsets.UTF_8)).as(name).contains("Subject: overheated pump\r\n", BODY);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theAuthorityFindsItAndOpensIt(Encryption encryption, @TempDir Path temporary) throws Exception {
        try (KeyFolder folder = KeyFolder.open(
                        Frozen.copy("keys", temporary),
                        Frozen.PASSPHRASE.getBytes(StandardCharsets.UTF_8),
                        Access.READ,
                        new SecureRandom());
                var store = folder.trapdoors()) {
            Parts parts = Parts.of(encryption);
            Envelope index = Envelope.decode(parts.index);
            var request = folder.keys()
                    .request(
                            "mail",
                            List.of("2026-11"),
                            List.of(List.of(Keyword.text("word", "overheated"))),
                            Expression.allOf(1),
                            store);
            assertThat(PreparedSearch.of(request, IndexSchemes.load())
                            .match(index, IndexAdmission.trust(index, IndexSchemes.load()))
                            .ordinals()
                            .toArray())
                    .containsExactly(0);
            ByteArrayOutputStream opened = new ByteArrayOutputStream();
            try (MailKey key = MailKey.of(folder.keys().opener().detachedKey(index))) {
                CmsOpener.open(
                        new ByteArrayInputStream(parts.cms),
                        key,
                        index.detachedDigest().orElseThrow(),
                        opened);
            }
            assertThat(opened.toString(StandardCharsets.UTF_8)).contains("HP-Outer", BODY);
            byte[] written = WrittenMail.of(opened.toByteArray(), MailHeader.Field::value);
            assertThat(new String(written, StandardCharsets.UTF_8))
                    .contains("Subject: overheated pump\r\n")
                    .doesNotContain("HP-Outer", "hp=")
                    .endsWith("\r\n\r\n" + BODY + "\r\n");
        }
    }

    @Test
    void onlyTheFormThatProvesItselfOpensWithoutTheTenantsSigners() {
        for (Encryption encryption : Encryption.values()) {
            var opening = catchThrowable(() -> CmsOpener.open(
                    new ByteArrayInputStream(Parts.of(encryption).cms),
                    key("rsa"),
                    certificate("rsa"),
                    List.of(),
                    new ByteArrayOutputStream()));
            assertThat(opening == null)
                    .as(encryption.name().toLowerCase(Locale.ROOT))
                    .isEqualTo(encryption == Encryption.AUTHENTICATED);
        }
    }

    @Test
    void theSignersKeyIsTheBundlesPresentOne() throws Exception {
        MailSigner signer = MailSigner.fromPkcs12(
                Frozen.bytes("mail/mail-signer.p12"), "frozen signer passphrase".toCharArray(), Frozen.NOW);
        assertThat(signer.leaf()).isEqualTo(signers().getFirst());
        assertThatThrownBy(() -> MailSigner.fromPkcs12(
                        Frozen.bytes("mail/mail-signer.p12"), "another passphrase".toCharArray(), Frozen.NOW))
                .isInstanceOf(RefusedSignerException.class);
    }
}
