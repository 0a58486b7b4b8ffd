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
import dev.veilgate.testing.FrozenSet;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
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
import java.util.Map;
import java.util.Optional;
import org.bouncycastle.cms.CMSEnvelopedData;
import org.bouncycastle.cms.jcajce.JceKeyTransEnvelopedRecipient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Mail of each form that an earlier version sealed is opened by recipients of every kind of key, and by the authority.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ParameterizedClass
@FieldSource("dev.veilgate.files.Frozen#SETS")
class FrozenMailTest {
    private static final List<String> RECIPIENTS = List.of("rsa", "p256", "p384", "p521");

    /** Mails of a form, by what they are called: the first of each is in every set. */
    private static final Map<Encryption, List<String>> MAILS = Map.of(
            Encryption.SIGNED, List.of("enveloped-data", "enveloped-data-as-sender", "without-index"),
            Encryption.AUTHENTICATED, List.of("auth-enveloped-data"));

    private static final String BODY = "The pump is overheated.";
    private static final char[] SIGNER_PASSPHRASE = "frozen signer passphrase".toCharArray();

    @Parameter
    private FrozenSet set;

    /** The CMS structure of a sealed mail, and its index, if it has one. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Parts(byte[] cms, byte[] index) {
        static Parts of(byte[] mail) {
            String text = new String(mail, StandardCharsets.US_ASCII);
            if (!text.contains("boundary=")) {
                return new Parts(decoded(text), new byte[0]);
            }
            String boundary = text.replaceAll("(?s).*?boundary=\"([^\"]+)\".*", "$1");
            String[] parts = text.split("--" + boundary, -1);
            return new Parts(decoded(parts[1]), decoded(parts[2]));
        }

        private static byte[] decoded(String part) {
            return Base64.getMimeDecoder().decode(part.substring(part.indexOf("\r\n\r\n") + 4));
        }
    }

    private Parts parts(String mail) throws IOException {
        return Parts.of(set.bytes("mail/" + mail + ".eml"));
    }

    List<String> mails() throws IOException {
        return MAILS.values().stream()
                .flatMap(List::stream)
                .filter(set.names("mail")::contains)
                .toList();
    }

    private static boolean isAuthenticated(String mail) {
        return MAILS.get(Encryption.AUTHENTICATED).contains(mail);
    }

    private PublicBundle bundle() throws Exception {
        return PublicBundle.verify(set.bytes("bundles/last.vgb"), Frozen.authority(set), set.now());
    }

    private List<X509Certificate> signers() throws Exception {
        return bundle().mailSigners().stream().map(List::getFirst).toList();
    }

    private X509Certificate certificate(String name) throws Exception {
        return (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(set.bytes("mail/" + name + ".crt")));
    }

    private PrivateKey key(String name) throws Exception {
        return KeyFactory.getInstance(name.equals("rsa") ? "RSA" : "EC")
                .generatePrivate(new PKCS8EncodedKeySpec(set.bytes("mail/" + name + ".key")));
    }

    /** A form without a frozen mail fails here; that of {@link FrozenAuthorMailTest} is younger than these sets. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SIGNED_BY_AUTHOR")
    void eachFormHasAMail(Encryption encryption) throws Exception {
        assertThat(mails()).contains(MAILS.get(encryption).getFirst());
    }

    @ParameterizedTest
    @MethodSource("mails")
    void recipientsOpenIt(String mail) throws Exception {
        for (String name : RECIPIENTS) {
            ByteArrayOutputStream opened = new ByteArrayOutputStream();
            CmsOpener.open(new ByteArrayInputStream(parts(mail).cms), key(name), certificate(name), signers(), opened);
            assertThat(opened.toString(StandardCharsets.UTF_8)).as(name).contains("Subject: overheated pump\r\n", BODY);
        }
    }

    @ParameterizedTest
    @MethodSource("mails")
    void theAuthorityFindsItAndOpensItByItsIndex(String mail, @TempDir Path temporary) throws Exception {
        try (KeyFolder folder = KeyFolder.open(
                        set.copy("keys", temporary),
                        Frozen.PASSPHRASE.getBytes(StandardCharsets.UTF_8),
                        Access.READ,
                        new SecureRandom());
                var store = folder.trapdoors()) {
            Parts parts = parts(mail);
            assertThat(parts.index.length == 0).isEqualTo(mail.equals("without-index"));
            if (parts.index.length == 0) {
                return;
            }
            Envelope index = Envelope.decode(parts.index);
            var request = folder.keys()
                    .request(
                            "mail",
                            Frozen.epochs(set).subList(0, 1),
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

    private boolean opens(String mail, List<X509Certificate> signers) {
        return catchThrowable(() -> CmsOpener.open(
                        new ByteArrayInputStream(parts(mail).cms),
                        key("rsa"),
                        certificate("rsa"),
                        signers,
                        new ByteArrayOutputStream()))
                == null;
    }

    @ParameterizedTest
    @MethodSource("mails")
    void itOpensByTheSignerThatSignedItAloneUnlessItProvesItself(String mail) throws Exception {
        boolean byTheFormerSigner = mail.equals("enveloped-data") && !set.equals(Frozen.FIRST);
        List<X509Certificate> present = signers().subList(0, 1);
        List<X509Certificate> former = signers().subList(1, signers().size());
        assertThat(former).isNotEmpty();
        assertThat(opens(mail, List.of())).isEqualTo(isAuthenticated(mail));
        assertThat(opens(mail, present)).isEqualTo(isAuthenticated(mail) || !byTheFormerSigner);
        assertThat(opens(mail, former)).isEqualTo(isAuthenticated(mail) || byTheFormerSigner);
    }

    @ParameterizedTest
    @MethodSource("mails")
    void theSignatureNamesTheSenderIfItIsSignedAsTheSender(String mail) throws Exception {
        if (isAuthenticated(mail)) {
            return;
        }
        byte[] signed = new CMSEnvelopedData(parts(mail).cms)
                .getRecipientInfos()
                .getRecipients()
                .iterator()
                .next() // the one with RSA
                .getContent(new JceKeyTransEnvelopedRecipient(key("rsa")));
        assertThat(Optional.ofNullable(SignedMail.read(signed).certificate().getSubjectAlternativeNames())
                        .map(names -> List.copyOf(names).getFirst().get(1)))
                .isEqualTo(mail.equals("enveloped-data") ? Optional.empty() : Optional.of("ada@example.com"));
    }

    @Test
    void theSignersKeyIsTheBundlesPresentOne() throws Exception {
        byte[] file = set.bytes("mail/" + (set.equals(Frozen.FIRST) ? "mail-signer" : "senders-signer") + ".p12");
        MailSigner signer = MailSigner.fromPkcs12(file, SIGNER_PASSPHRASE, set.now());
        assertThat(signer.leaf()).isEqualTo(signers().getFirst());
        assertThatThrownBy(() -> MailSigner.fromPkcs12(file, "another passphrase".toCharArray(), set.now()))
                .isInstanceOf(RefusedSignerException.class);
    }
}
