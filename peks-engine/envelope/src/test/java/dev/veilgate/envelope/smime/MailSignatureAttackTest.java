package dev.veilgate.envelope.smime;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERSet;
import org.bouncycastle.asn1.cms.Attribute;
import org.bouncycastle.asn1.cms.AttributeTable;
import org.bouncycastle.asn1.cms.CMSAttributes;
import org.bouncycastle.asn1.cms.CMSObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.cms.CMSAttributeTableGenerator;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.CMSSignedDataGenerator;
import org.bouncycastle.cms.DefaultSignedAttributeTableGenerator;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoGeneratorBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Signatures that must not count, by somebody who knows all that is public, and by the signer for something else. */
class MailSignatureAttackTest {
    private static final byte[] CONTENT = {1, 2, 3};
    private static final BigInteger SERIAL = BigInteger.valueOf(77);

    private static KeyPair own;
    private static KeyPair other;
    private static X509Certificate signer;
    private static byte[] digest;

    @BeforeAll
    static void makeKeys() throws Exception {
        own = pair();
        other = pair();
        signer = certificate(own);
        digest = MessageDigest.getInstance("SHA-256").digest(CONTENT);
    }

    @Test
    void theSignersCounts() throws Exception {
        assertThat(isOf(signed(CONTENT, own.getPrivate(), signer, null))).isTrue();
    }

    @Test
    void oneOverAnotherMessageDoesNot() throws Exception {
        assertThat(isOf(signed(new byte[] {4}, own.getPrivate(), signer, null))).isFalse();
        assertThat(isOf(signedWithContent(new byte[] {4}))).isFalse();
    }

    @Test
    void oneByAnotherKeyUnderTheSignersNameDoesNot() throws Exception {
        assertThat(isOf(signed(CONTENT, other.getPrivate(), certificate(other), null)))
                .isFalse();
        assertThat(isOf(signed(CONTENT, other.getPrivate(), signer, null))).isFalse();
    }

    @Test
    void oneOfTheIssuersDoesNot() throws Exception {
        var chain = new SigningCertificates().make().chain();
        var generator = new CMSSignedDataGenerator();
        generator.addSignerInfoGenerator(new JcaSimpleSignerInfoGeneratorBuilder()
                .build("SHA256withECDSA", other.getPrivate(), chain.getLast()));
        byte[] signature =
                generator.generate(new CMSProcessableByteArray(CONTENT), false).getEncoded();
        assertThat(MailSignature.isOf(signature, digest, List.of(chain.getFirst())))
                .isFalse();
    }

    @Test
    void twoSignersAreTooMany() throws Exception {
        var generator = new CMSSignedDataGenerator();
        for (PrivateKey key : List.of(own.getPrivate(), own.getPrivate())) {
            generator.addSignerInfoGenerator(
                    new JcaSimpleSignerInfoGeneratorBuilder().build("SHA256withECDSA", key, signer));
        }
        assertThat(isOf(generator
                        .generate(new CMSProcessableByteArray(CONTENT), false)
                        .getEncoded()))
                .isFalse();
    }

    @Test
    void attributesMustSayWhatIsSigned() throws Exception {
        var twice = new ASN1EncodableVector();
        twice.add(new Attribute(CMSAttributes.contentType, new DERSet(CMSObjectIdentifiers.data)));
        for (byte[] each : new byte[][] {digest, new byte[32]}) {
            twice.add(new Attribute(CMSAttributes.messageDigest, new DERSet(new DEROctetString(each))));
        }
        assertThat(isOf(signed(CONTENT, own.getPrivate(), signer, given -> new AttributeTable(twice))))
                .isFalse();
        for (ASN1ObjectIdentifier each : List.of(CMSAttributes.contentType, CMSAttributes.messageDigest)) {
            CMSAttributeTableGenerator without = given -> new DefaultSignedAttributeTableGenerator()
                    .getAttributes(given)
                    .remove(each);
            assertThat(isOf(signed(CONTENT, own.getPrivate(), signer, without))).isFalse();
        }
    }

    /** A signature of the same bytes as something else, such as a receipt or a time stamp. */
    @Test
    void oneOverAnotherTypeOfContentDoesNot() throws Exception {
        var generator = new CMSSignedDataGenerator();
        generator.addSignerInfoGenerator(
                new JcaSimpleSignerInfoGeneratorBuilder().build("SHA256withECDSA", own.getPrivate(), signer));
        var content = new CMSProcessableByteArray(new ASN1ObjectIdentifier("1.2.840.113549.1.9.16.1.4"), CONTENT);
        assertThat(isOf(generator.generate(content, false).getEncoded())).isFalse();
    }

    @Test
    void aStrangersHoldsByTheCertificateThatItBringsAndIsNobodysElse() throws Exception {
        X509Certificate stranger = certificate(other);
        byte[] signature = signedBy(other.getPrivate(), stranger, stranger);
        assertThat(isOf(signature)).isFalse();
        assertThat(MailSignature.signer(signature, digest, List.of(signer))).hasValue(stranger);
        assertThat(MailSignature.signer(signature, new byte[32], List.of(signer)))
                .isEmpty();
        assertThat(MailSignature.signer(signedBy(own.getPrivate(), stranger, stranger), digest, List.of()))
                .as("by a key that is not the certificate's")
                .isEmpty();
    }

    /** Somebody could have a reader hold very many of them. */
    @Test
    void aLongCertificateIsNotTaken() throws Exception {
        for (int bytes : new int[] {10_000, 80_000}) {
            X500Name name = new X500Name("CN=long");
            var builder = new JcaX509v3CertificateBuilder(
                    name,
                    SERIAL,
                    Date.from(Instant.now()),
                    Date.from(Instant.now().plus(Duration.ofDays(1))),
                    name,
                    other.getPublic());
            builder.addExtension(
                    new ASN1ObjectIdentifier("2.25.1"), false, new DEROctetString(new byte[bytes]).getEncoded());
            X509Certificate certificate = new JcaX509CertificateConverter()
                    .getCertificate(
                            builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(other.getPrivate())));
            byte[] signature = signedBy(other.getPrivate(), certificate, certificate);
            assertThat(MailSignature.signer(signature, digest, List.of()).isPresent())
                    .as("%s", bytes)
                    .isEqualTo(bytes < 64_000);
        }
    }

    /** Reading such a key can take minutes. */
    @Test
    void aKeyOfAnUnusualKindIsNotTried() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(1024);
        KeyPair small = generator.generateKeyPair();
        var builder = new JcaX509v3CertificateBuilder(
                new X500Name("CN=small"),
                SERIAL,
                Date.from(Instant.now()),
                Date.from(Instant.now().plus(Duration.ofDays(1))),
                new X500Name("CN=small"),
                small.getPublic());
        X509Certificate certificate = new JcaX509CertificateConverter()
                .getCertificate(builder.build(new JcaContentSignerBuilder("SHA256withRSA").build(small.getPrivate())));
        var signing = new CMSSignedDataGenerator();
        signing.addSignerInfoGenerator(
                new JcaSimpleSignerInfoGeneratorBuilder().build("SHA256withRSA", small.getPrivate(), certificate));
        signing.addCertificate(new JcaX509CertificateHolder(certificate));
        byte[] signature =
                signing.generate(new CMSProcessableByteArray(CONTENT), false).getEncoded();
        assertThat(MailSignature.signer(signature, digest, List.of())).isEmpty();
    }

    private static byte[] signedBy(PrivateKey key, X509Certificate as, X509Certificate brought) throws Exception {
        var generator = new CMSSignedDataGenerator();
        generator.addSignerInfoGenerator(new JcaSimpleSignerInfoGeneratorBuilder().build("SHA256withECDSA", key, as));
        generator.addCertificate(new JcaX509CertificateHolder(brought));
        return generator.generate(new CMSProcessableByteArray(CONTENT), false).getEncoded();
    }

    /** Tells if it is the signer's; the reading that names the certificate has to agree. */
    private static boolean isOf(byte[] signature) {
        boolean isOf = MailSignature.isOf(signature, digest, List.of(signer));
        assertThat(MailSignature.signer(signature, digest, List.of(signer)).filter(signer::equals))
                .isEqualTo(isOf ? Optional.of(signer) : Optional.empty());
        return isOf;
    }

    private static byte[] signedWithContent(byte[] content) throws Exception {
        var generator = new CMSSignedDataGenerator();
        generator.addSignerInfoGenerator(
                new JcaSimpleSignerInfoGeneratorBuilder().build("SHA256withECDSA", own.getPrivate(), signer));
        return generator.generate(new CMSProcessableByteArray(content), true).getEncoded();
    }

    private static byte[] signed(
            byte[] content, PrivateKey key, X509Certificate certificate, CMSAttributeTableGenerator attributes)
            throws Exception {
        var builder = new JcaSimpleSignerInfoGeneratorBuilder();
        if (attributes != null) {
            builder.setSignedAttributeGenerator(attributes);
        }
        var generator = new CMSSignedDataGenerator();
        generator.addSignerInfoGenerator(builder.build("SHA256withECDSA", key, certificate));
        return generator.generate(new CMSProcessableByteArray(content), false).getEncoded();
    }

    private static KeyPair pair() throws Exception {
        var generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    /** Each of the same issuer and serial number. */
    private static X509Certificate certificate(KeyPair pair) throws Exception {
        var name = new X500Name("CN=sealing");
        Instant now = Instant.now();
        var builder = new JcaX509v3CertificateBuilder(
                name,
                SERIAL,
                Date.from(now.minus(Duration.ofDays(1))),
                Date.from(now.plus(Duration.ofDays(1))),
                name,
                pair.getPublic());
        return new JcaX509CertificateConverter()
                .getCertificate(builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(pair.getPrivate())));
    }
}
