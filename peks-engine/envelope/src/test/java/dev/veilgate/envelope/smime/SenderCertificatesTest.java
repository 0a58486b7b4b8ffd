package dev.veilgate.envelope.smime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cms.CMSSignedData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Certificates of senders below an authority: alike everywhere, for permitted addresses only, and believed. */
class SenderCertificatesTest {
    private static final String ADA = "ada@acme.example";
    private static final byte[] CONTENT = "what is signed".getBytes(StandardCharsets.US_ASCII);

    private static SigningCertificates authorities() {
        return new SigningCertificates().senders("acme.example");
    }

    private static MailSigner authority() throws Exception {
        SigningCertificates.Identity made = authorities().make();
        return MailSigner.of(made.key(), made.chain());
    }

    @ParameterizedTest
    @ValueSource(strings = {"secp256r1", "secp384r1", "secp521r1", "2048"})
    void anAddressHasTheSameKeyAndCertificateOnEveryEdge(String key) throws Exception {
        SigningCertificates.Identity made = authorities().key(key).make();
        MailSigner one = MailSigner.of(made.key(), made.chain());
        char[] passphrase = "x".toCharArray();
        MailSigner other = MailSigner.fromPkcs12(one.toPkcs12(passphrase), passphrase, Instant.now());
        MailSigner ada = one.ofSender(ADA);
        assertThat(other.ofSender(ADA).chain()).isEqualTo(ada.chain());
        assertThat(((ECPrivateKey) other.ofSender(ADA).privateKey()).getS())
                .isEqualTo(((ECPrivateKey) ada.privateKey()).getS());
        assertThat(one.ofTenant().chain()).isEqualTo(other.ofTenant().chain());
    }

    @Test
    void differentAddressesAndAuthoritiesHaveDifferentKeysAndSerialNumbers() throws Exception {
        MailSigner authority = authority();
        List<MailSigner> all =
                new ArrayList<>(List.of(authority.ofTenant(), authority().ofSender("1@acme.example")));
        IntStream.range(0, 50).forEach(i -> all.add(authority.ofSender(i + "@acme.example")));
        assertThat(all.stream().map(each -> each.leaf().getPublicKey()).distinct())
                .hasSize(all.size());
        assertThat(all.stream().map(each -> each.leaf().getSerialNumber()).distinct())
                .hasSize(all.size());
    }

    @Test
    void theCertificateNamesTheAddressAndLastsAsLongAsTheAuthority() throws Exception {
        MailSigner authority = authority();
        X509Certificate certificate = authority.ofSender(ADA).leaf();
        assertThat(certificate.getSubjectAlternativeNames()).containsExactly(List.of(1, ADA));
        assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo("CN=" + ADA);
        assertThat(certificate.getNotBefore()).isEqualTo(authority.leaf().getNotBefore());
        assertThat(certificate.getNotAfter()).isEqualTo(authority.leaf().getNotAfter());
        assertThat(certificate.getBasicConstraints()).isEqualTo(-1);
        assertThat(certificate.getKeyUsage()[0]).isTrue();
        assertThat(certificate.getKeyUsage()[5]).isFalse();
        assertThat(((ECPublicKey) certificate.getPublicKey())
                        .getParams()
                        .getCurve()
                        .getField()
                        .getFieldSize())
                .isEqualTo(256);
        assertThat(authority.ofTenant().leaf().getSubjectAlternativeNames()).isNull();
    }

    @Test
    void javasOwnPathValidationTakesThePermittedAndRefusesOthers() throws Exception {
        MailSigner authority = authority();
        validate(authority.ofSender(ADA));
        validate(authority.ofTenant());
        MailSigner elsewhere = SenderCertificates.signer(authority, java.util.Optional.of("ada@acme.example.net"));
        assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> validate(elsewhere)))
                .isInstanceOf(java.security.cert.CertPathValidatorException.class);
    }

    private static void validate(MailSigner signer) throws Exception {
        List<X509Certificate> chain = signer.chain();
        PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(chain.getLast(), null)));
        parameters.setRevocationEnabled(false);
        CertPathValidator.getInstance("PKIX")
                .validate(
                        CertificateFactory.getInstance("X.509").generateCertPath(chain.subList(0, chain.size() - 1)),
                        parameters);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ada@other.example",
                "ada@sub.acme.example",
                "ada@acme.example.net",
                "ada@notacme.example",
                "ada@acme.example@other.example",
                "acme.example",
                "ada@",
                ""
            })
    void signsForNoAddressOutsideItsDomains(String address) throws Exception {
        MailSigner authority = authority();
        assertThat(authority.permits(address)).isFalse();
        assertThatIllegalArgumentException().isThrownBy(() -> authority.ofSender(address));
    }

    @Test
    void saysWhichDomainsItPermits() throws Exception {
        assertThat(authority().domains()).containsExactly("acme.example");
        assertThat(authority().isAuthority()).isTrue();
        assertThat(SigningCertificates.signer().domains()).isEmpty();
        assertThat(SigningCertificates.signer().isAuthority()).isFalse();
        assertThat(SigningCertificates.signer().permits(ADA)).isFalse();
    }

    @Test
    void oneThatSignsMailItselfIsTheTenantsAsItIs() throws Exception {
        MailSigner signer = SigningCertificates.signer();
        assertThat(signer.ofTenant()).isSameAs(signer);
    }

    @Test
    void theOpenerBelievesSendersOfAnAuthorityAndNobodyElses() throws Exception {
        MailSigner authority = authority();
        byte[] byAda = signature(authority.ofSender(ADA));
        assertThat(isOf(byAda, authority.leaf())).isTrue();
        assertThat(isOf(signature(authority.ofTenant()), authority.leaf())).isTrue();
        assertThat(isOf(byAda, authority().leaf())).isFalse();
        assertThat(isOf(byAda, authority.chain().getLast())).isFalse();
        assertThat(isOf(byAda, authority.ofSender("bob@acme.example").leaf())).isFalse();
    }

    /** Certificates that a signer of mail makes below its own, and the authority's signature on a mail itself. */
    @Test
    void theOpenerBelievesNoCertificateBelowOneThatSignsMail() throws Exception {
        SigningCertificates.Identity below = new SigningCertificates()
                .authorities(1)
                .usage(KeyUsage.digitalSignature)
                .make();
        MailSigner forger = MailSigner.of(below.key(), below.chain());
        // its issuer does not sign certificates alone: it has no key usage
        assertThat(isOf(signature(forger), below.chain().getLast())).isFalse();
        MailSigner authority = authority();
        MailSigner sender = authority.ofSender(ADA);
        SigningCertificates.Identity rogue = authorities().below(sender).make();
        MailSigner third = MailSigner.of(rogue.key(), rogue.chain()).ofSender(ADA);
        assertThat(isOf(signature(third), authority.leaf(), sender.leaf())).isFalse();
        assertThat(isOf(signature(authority), authority.leaf())).isFalse();
    }

    /** An authority of a site's own may have issued others: for servers, say, or with which one does not sign. */
    @Test
    void theOpenerBelievesOnlyCertificatesForMailOfAnAuthority() throws Exception {
        MailSigner authority = authority();
        byte[] byServer = signature(below(authority, KeyUsage.digitalSignature, KeyPurposeId.id_kp_serverAuth));
        assertThat(isOf(byServer, authority.leaf())).isFalse();
        byte[] byEncryption = signature(below(authority, KeyUsage.keyAgreement, KeyPurposeId.id_kp_emailProtection));
        assertThat(isOf(byEncryption, authority.leaf())).isFalse();
        byte[] byMail = signature(below(authority, KeyUsage.digitalSignature, KeyPurposeId.id_kp_emailProtection));
        assertThat(isOf(byMail, authority.leaf())).isTrue();
    }

    /** Whoever it is whom an authority issued a certificate; we ourselves would not sign with each. */
    private static MailSigner below(MailSigner authority, int usage, KeyPurposeId purpose) throws Exception {
        SigningCertificates.Identity made = new SigningCertificates()
                .usage(usage)
                .purpose(purpose)
                .below(authority)
                .make();
        var construct = MailSigner.class.getDeclaredConstructor(java.security.PrivateKey.class, List.class);
        construct.setAccessible(true);
        return construct.newInstance(made.key(), made.chain());
    }

    private static boolean isOf(byte[] signature, X509Certificate... signers) throws Exception {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(CONTENT);
        return MailSignature.isOf(signature, digest, List.of(signers));
    }

    /** Detached, as the opener's reader makes it of what we write. */
    private static byte[] signature(MailSigner signer) throws Exception {
        var out = new ByteArrayOutputStream();
        SignedEntity.of(
                        SealedContent.of(new ByteArrayInputStream(CONTENT)),
                        new SignedAs(signer, Instant.now()),
                        List.of())
                .writeTo(out);
        String text = out.toString(StandardCharsets.US_ASCII);
        String base64 = text.substring(text.indexOf("\r\n\r\n") + 4);
        var signed = new ByteArrayOutputStream();
        byte[] signature = new SignedDataReader(
                        new ByteArrayInputStream(base64.strip().getBytes(StandardCharsets.US_ASCII)),
                        signed,
                        MessageDigest.getInstance("SHA-256"))
                .read();
        assertThat(signed.toByteArray()).isEqualTo(CONTENT);
        assertThat(new CMSSignedData(signature).getSignerInfos().size()).isOne();
        return signature;
    }

    @Test
    void theSigningTimeIsTheOneThatIsAskedFor() throws Exception {
        Instant time = Instant.parse("2024-02-29T12:00:00Z");
        var out = new ByteArrayOutputStream();
        SignedEntity.of(
                        SealedContent.of(new ByteArrayInputStream(CONTENT)),
                        new SignedAs(SigningCertificates.signer(), time),
                        List.of())
                .writeTo(out);
        String text = out.toString(StandardCharsets.US_ASCII);
        byte[] der = Base64.getMimeDecoder().decode(text.substring(text.indexOf("\r\n\r\n") + 4));
        var attributes = new CMSSignedData(der)
                .getSignerInfos()
                .getSigners()
                .iterator()
                .next()
                .getSignedAttributes();
        var value = attributes.get(org.bouncycastle.asn1.cms.CMSAttributes.signingTime)
                .getAttributeValues()[0];
        assertThat(org.bouncycastle.asn1.cms.Time.getInstance(value).getDate()).isEqualTo(Date.from(time));
        assertThat(Duration.between(time, Instant.now())).isPositive();
    }
}
