package dev.veilgate.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.envelope.smime.RecipientCertificate;
import dev.veilgate.envelope.smime.RefusedCertificateException;
import dev.veilgate.envelope.smime.SigningCertificates;
import dev.veilgate.testing.ProcessorTime;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.RSAPrivateKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.ExtensionsGenerator;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Requests for certificates of recipients, honest and hostile, and what is issued for them. */
class RecipientRequestTest {
    private static final String ADA = "ada@acme.example";
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Instant NOW = SealedWord.NOW;

    private static KeyPair rsa;
    private static KeyPair p256;

    @BeforeAll
    static void makeKeys() throws Exception {
        rsa = pair("RSA", 2048);
        p256 = pair("EC", 256);
    }

    private static KeyPair pair(String algorithm, int bits) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
        generator.initialize(bits, RANDOM);
        return generator.generateKeyPair();
    }

    private static byte[] request(PublicKey key, PrivateKey signedBy, String subject, String... named)
            throws Exception {
        var builder = new JcaPKCS10CertificationRequestBuilder(new X500Name(subject), key);
        var extensions = new ExtensionsGenerator();
        if (named.length > 0) {
            GeneralName[] names = new GeneralName[named.length];
            for (int i = 0; i < names.length; i++) {
                names[i] = new GeneralName(GeneralName.rfc822Name, named[i]);
            }
            extensions.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names));
        }
        // What a request for an authority would ask for.
        extensions.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
        extensions.addExtension(
                Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.digitalSignature));
        builder.addAttribute(PKCSObjectIdentifiers.pkcs_9_at_extensionRequest, extensions.generate());
        builder.addAttribute(PKCSObjectIdentifiers.pkcs_9_at_challengePassword, new DERUTF8String("x"));
        String algorithm = signedBy.getAlgorithm().equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA";
        return builder.build(new JcaContentSignerBuilder(algorithm).build(signedBy))
                .getEncoded();
    }

    private static byte[] pem(byte[] der) {
        return ("-----BEGIN CERTIFICATE REQUEST-----\n"
                        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der)
                        + "\n-----END CERTIFICATE REQUEST-----\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static RecipientRequest read(byte[] file) throws RefusedCertificateException {
        return RecipientRequest.ofPkcs10(file, ADA, RANDOM);
    }

    private static void assertRefused(byte[] file, String why) {
        assertThatThrownBy(() -> read(file))
                .isInstanceOf(RefusedCertificateException.class)
                .hasMessageContaining(why);
    }

    @Test
    void takesTheKeyAndNothingElse(@TempDir Path temporary) throws Exception {
        try (KeyFolder folder =
                KeyFolder.open(SealedWord.keys(temporary), SealedWord.PASSPHRASE, KeyFolder.Access.CHANGE, RANDOM)) {
            TenantKeys keys = folder.keys();
            for (KeyPair pair : List.of(rsa, p256)) {
                byte[] der = request(pair.getPublic(), pair.getPrivate(), "CN=Veilgate mail of acme,O=Evil", ADA);
                for (byte[] file : List.of(der, pem(der))) {
                    RecipientRequest request = read(file);
                    X509Certificate issued = keys.issueRecipient(request, RANDOM, NOW);
                    assertThat(issued.getPublicKey()).isEqualTo(pair.getPublic());
                    assertThat(issued.getSerialNumber()).isEqualTo(request.serialNumber());
                    assertThat(issued.getSubjectX500Principal().getName()).isEqualTo("CN=" + ADA);
                    assertThat(issued.getBasicConstraints()).isEqualTo(-1);
                    boolean[] usage = new boolean[9];
                    usage[pair == rsa ? 2 : 4] = true;
                    assertThat(issued.getKeyUsage()).isEqualTo(usage);
                    assertThat(issued.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.4");
                    assertThat(issued.getSubjectAlternativeNames()).containsExactly(List.of(1, ADA));
                    assertThat(issued.getNonCriticalExtensionOIDs())
                            .containsExactlyInAnyOrder("2.5.29.14", "2.5.29.35", "2.5.29.37", "2.5.29.17");
                    issued.verify(keys.mailAuthority().orElseThrow().getPublicKey());
                    RecipientCertificate.check(issued.getEncoded(), ADA, NOW);
                }
            }
        }
    }

    @Test
    void wantsASignatureByTheKeyItself() throws Exception {
        byte[] anothers = request(p256.getPublic(), pair("EC", 256).getPrivate(), "CN=ada");
        assertRefused(anothers, "not signed by its key");
        assertRefused(request(rsa.getPublic(), p256.getPrivate(), "CN=ada"), "not signed by its key");
        byte[] altered = request(p256.getPublic(), p256.getPrivate(), "CN=ada");
        altered[altered.length - 1] ^= 1;
        assertRefused(altered, "not signed by its key");
    }

    @Test
    void refusesAnotherAddressWhereverItIsNamed() throws Exception {
        PrivateKey secret = p256.getPrivate();
        read(request(p256.getPublic(), secret, "CN=Ada Lovelace,E=ADA@acme.example", "Ada@Acme.Example"));
        for (String subject : List.of("E=bob@acme.example", "CN=ada+E=bob@acme.example", "CN=bob@acme.example")) {
            assertRefused(request(p256.getPublic(), secret, subject), "for another address");
        }
        assertRefused(request(p256.getPublic(), secret, "CN=ada", "bob@acme.example"), "for another address");
        assertRefused(request(p256.getPublic(), secret, "CN=ada", ADA, "bob@acme.example"), "for another address");
        assertRefused(request(p256.getPublic(), secret, "CN=ada", ADA + "\0.example"), "for another address");
    }

    @Test
    void refusesWeakKeys() throws Exception {
        KeyPair small = pair("RSA", 1024);
        assertRefused(request(small.getPublic(), small.getPrivate(), "CN=ada"), "the request's RSA key has 1024 bits");
        KeyPair edwards = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        var builder = new JcaPKCS10CertificationRequestBuilder(new X500Name("CN=ada"), edwards.getPublic());
        assertRefused(
                builder.build(new JcaContentSignerBuilder("Ed25519").build(edwards.getPrivate()))
                        .getEncoded(),
                "the request's key must be RSA or on P-256");
    }

    /** Whoever sees such a modulus has its factors; a prime one is its own. */
    @Test
    @Timeout(60)
    void refusesModuliThatAnybodyFactors() throws Exception {
        Random random = new Random(10);
        BigInteger prime = BigInteger.probablePrime(2048, random);
        BigInteger withSmallFactor = BigInteger.probablePrime(2046, random).multiply(BigInteger.valueOf(5));
        for (BigInteger modulus : List.of(prime, withSmallFactor)) {
            BigInteger order = modulus.equals(prime)
                    ? prime.subtract(BigInteger.ONE)
                    : withSmallFactor
                            .divide(BigInteger.valueOf(5))
                            .subtract(BigInteger.ONE)
                            .multiply(BigInteger.valueOf(4));
            BigInteger exponent = BigInteger.valueOf(65537);
            KeyFactory factory = KeyFactory.getInstance("RSA");
            PublicKey key = factory.generatePublic(new RSAPublicKeySpec(modulus, exponent));
            PrivateKey secret = factory.generatePrivate(new RSAPrivateKeySpec(modulus, exponent.modInverse(order)));
            assertRefused(request(key, secret, "CN=ada"), "weak");
        }
    }

    /** A key of the longest kind costs the authority seconds, not minutes. */
    @Test
    void hostileSizesEndSoon() throws Exception {
        BigInteger modulus = new BigInteger(16384, new Random(11)).setBit(16383).setBit(0);
        PublicKey key = KeyFactory.getInstance("RSA")
                .generatePublic(
                        new RSAPublicKeySpec(modulus, BigInteger.TWO.pow(64).subtract(BigInteger.ONE)));
        ProcessorTime.bounded(
                Duration.ofSeconds(30),
                () -> assertThatThrownBy(() -> read(request(key, rsa.getPrivate(), "CN=ada")))
                        .isInstanceOf(RefusedCertificateException.class));
        assertRefused(new byte[RecipientRequest.MAX_BYTES + 1], "more than 65536 bytes");
        ByteArrayOutputStream deep = new ByteArrayOutputStream();
        for (int i = 0; i < 20_000; i++) {
            deep.writeBytes(new byte[] {0x30, (byte) 0x80});
        }
        assertRefused(deep.toByteArray(), "neither PEM nor DER");
    }

    @Test
    void refusesWhatIsNoRequest() throws Exception {
        byte[] der = request(p256.getPublic(), p256.getPrivate(), "CN=ada");
        for (byte[] odd : List.of(
                new byte[0],
                "hello".getBytes(StandardCharsets.US_ASCII),
                "-----BEGIN CERTIFICATE REQUEST-----\n!!\n-----END CERTIFICATE REQUEST-----\n"
                        .getBytes(StandardCharsets.US_ASCII),
                Arrays.copyOf(der, der.length - 1),
                Arrays.copyOf(der, der.length + 1))) {
            assertRefused(odd, "neither PEM nor DER");
        }
        Random random = new Random(12);
        for (int i = 0; i < 2000; i++) {
            byte[] altered = der.clone();
            for (int n = random.nextInt(3); n >= 0; n--) {
                altered[random.nextInt(altered.length)] = (byte) random.nextInt();
            }
            try { // what is not DER may come out as what was signed
                assertThat(read(altered).publicKey()).isEqualTo(p256.getPublic());
            } catch (RefusedCertificateException e) {
                assertThat(e.getMessage()).isNotEmpty();
            }
        }
    }

    @Test
    void issuesByAnAuthorityOfTheTenantsOwnAlone() throws Exception {
        MailSigning imported = MailSigning.NONE.with(imported());
        MailSigning with = imported.withAuthority("acme", RANDOM, NOW);
        assertThat(imported.authority()).isEmpty();
        assertThat(with.authority().orElseThrow().chain().getFirst().getBasicConstraints())
                .isPositive();
        assertThat(with.chains()).as("no signer more").isEqualTo(imported.chains());
        assertThat(with.withAuthority("acme", RANDOM, NOW)).isSameAs(with);
        assertThatIllegalStateException()
                .isThrownBy(() -> MailSigning.NONE.withAuthority("acme", RANDOM, NOW))
                .withMessageContaining("mail-signer new");
    }

    private static MailSigner imported() throws Exception {
        var identity = new SigningCertificates().make();
        return MailSigner.of(identity.key(), identity.chain());
    }

    @Test
    void aCertificateEndsWithTheAuthorityAtTheLatest() throws Exception {
        MailSigning signing = MailSigning.NONE.rotated("acme", List.of(), RANDOM, NOW);
        KeptMailKey authority = signing.authority().orElseThrow();
        Instant ends = authority.chain().getFirst().getNotAfter().toInstant();
        Instant late = ends.minus(Duration.ofDays(100));
        X509Certificate issued = new MailCertificates("acme", RANDOM, late)
                .recipient(authority, RecipientRequest.of(ADA, p256.getPublic(), RANDOM));
        assertThat(issued.getNotAfter().toInstant()).isEqualTo(ends);
        assertThat(Optional.of(issued.getIssuerX500Principal()))
                .hasValue(authority.chain().getFirst().getSubjectX500Principal());
    }
}
