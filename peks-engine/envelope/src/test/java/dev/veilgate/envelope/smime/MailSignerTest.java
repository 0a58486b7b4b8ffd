package dev.veilgate.envelope.smime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.bouncycastle.asn1.DERBMPString;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.ContentInfo;
import org.bouncycastle.asn1.pkcs.PBES2Parameters;
import org.bouncycastle.asn1.pkcs.PBKDF2Params;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.pkcs.PKCS12PfxPdu;
import org.bouncycastle.pkcs.PKCS12PfxPduBuilder;
import org.bouncycastle.pkcs.PKCS12SafeBag;
import org.bouncycastle.pkcs.PKCS12SafeBagBuilder;
import org.bouncycastle.pkcs.PKCS12SafeBagFactory;
import org.bouncycastle.pkcs.PKCS8EncryptedPrivateKeyInfo;
import org.bouncycastle.pkcs.jcajce.JcaPKCS12SafeBagBuilder;
import org.bouncycastle.pkcs.jcajce.JcePKCS12MacCalculatorBuilder;
import org.bouncycastle.pkcs.jcajce.JcePKCSPBEOutputEncryptorBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MailSignerTest {
    private static final Instant NOW = Instant.now();
    private static final char[] PASSPHRASE = "correct horse".toCharArray();

    @ParameterizedTest
    @ValueSource(strings = {"secp256r1", "secp384r1", "secp521r1", "2048"})
    void takesEachKindOfKey(String kind) throws Exception {
        var identity = new SigningCertificates().key(kind).make();
        var signer = MailSigner.of(identity.key(), identity.chain());
        signer.requireValid(NOW);
        assertThat(signer.leaf()).isEqualTo(identity.chain().getFirst());
        assertThat(signer.chain()).isEqualTo(identity.chain());
        assertThat(signer.privateKey()).isEqualTo(identity.key());
    }

    @Test
    void takesCertificatesWithoutUsageAndASelfSignedOne() throws Exception {
        var identity =
                new SigningCertificates().usage(0).purpose(null).authorities(0).make();
        assertThat(MailSigner.of(identity.key(), identity.chain()).chain()).hasSize(1);
        var any = new SigningCertificates()
                .purpose(KeyPurposeId.anyExtendedKeyUsage)
                .make();
        MailSigner.of(any.key(), any.chain().subList(0, 1)); // the last need not be self-signed
    }

    @Test
    void refusesWeakOrUnknownKeys() throws Exception {
        refuses(new SigningCertificates().key("1024"), "1024 bits");
        refuses(new SigningCertificates().key("Ed25519"), "RSA or on P-256");
    }

    @Test
    void refusesCertificatesThatAreNotMeantForSigningMail() throws Exception {
        refuses(new SigningCertificates().usage(KeyUsage.keyAgreement), "digitalSignature");
        refuses(new SigningCertificates().purpose(KeyPurposeId.id_kp_serverAuth), "not for mail");
    }

    @Test
    void refusesAnothersKey() throws Exception {
        var identity = new SigningCertificates().make();
        for (String kind : List.of("secp256r1", "secp384r1", "2048", "Ed25519")) {
            var other = new SigningCertificates().key(kind).make();
            refuses(
                    () -> MailSigner.of(other.key(), identity.chain()),
                    "the private key is not that of the mail signing certificate");
        }
    }

    @Test
    void refusesChainsOutOfOrder() throws Exception {
        var identity = new SigningCertificates().authorities(3).make();
        var chain = identity.chain();
        refuses(() -> MailSigner.of(identity.key(), List.of(chain.get(0), chain.get(2), chain.get(1))), "out of order");
        refuses(() -> MailSigner.of(identity.key(), List.of(chain.get(0), chain.get(2))), "out of order");
        refuses(
                () -> MailSigner.of(identity.key(), chain.reversed()),
                "digitalSignature|private key|out of order|not for mail");
    }

    @Test
    void refusesIssuersOfTheSameNameThatDidNotSign() throws Exception {
        var identity = new SigningCertificates().make();
        var impostor = new SigningCertificates().make().chain().get(1);
        refuses(
                () -> MailSigner.of(identity.key(), List.of(identity.chain().getFirst(), impostor)),
                "not signed by the next one");
        refuses(new SigningCertificates().issuedByNoAuthority(), "not that of a certificate authority");
    }

    @Test
    void boundsTheChain() throws Exception {
        var longest = new SigningCertificates().authorities(7).make();
        MailSigner.of(longest.key(), longest.chain());
        refuses(new SigningCertificates().authorities(8), "9 certificates");
        refuses(new SigningCertificates().padding(65 << 10), "at most 65536");
        var identity = new SigningCertificates().make();
        refuses(() -> MailSigner.of(identity.key(), List.of()), "0 certificates");
    }

    @Test
    void refusesWhatIsNotValidNow() throws Exception {
        Instant past = NOW.minus(Duration.ofDays(9));
        refusesNow(new SigningCertificates().valid(past, past.plusSeconds(60)), "expired on");
        refusesNow(
                new SigningCertificates().valid(NOW.plusSeconds(3600), NOW.plusSeconds(7200)), "is not valid before");
    }

    @Test
    void survivesPkcs12() throws Exception {
        for (String kind : List.of("secp256r1", "secp521r1", "2048")) {
            var identity = new SigningCertificates().key(kind).authorities(3).make();
            var signer = MailSigner.of(identity.key(), identity.chain());
            var again = MailSigner.fromPkcs12(signer.toPkcs12(PASSPHRASE), PASSPHRASE, NOW);
            assertThat(again.privateKey()).isEqualTo(signer.privateKey());
            assertThat(again.chain()).isEqualTo(signer.chain());
            assertThat(again.fingerprint()).isEqualTo(signer.fingerprint()).matches("[0-9a-f]{64}");
        }
    }

    @Test
    void takesAPassphraseOfAnyLetters() throws Exception {
        char[] letters = "Grüße 鍵 🔑 aus".toCharArray();
        var signer = SigningCertificates.signer();
        assertThat(MailSigner.fromPkcs12(signer.toPkcs12(letters), letters, NOW).chain())
                .isEqualTo(signer.chain());
    }

    @Test
    void writesNothingUnderAnEmptyPassphrase() throws Exception {
        var signer = SigningCertificates.signer();
        assertThatThrownBy(() -> signer.toPkcs12(new char[0])).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesAWrongPassphrase() throws Exception {
        byte[] file = SigningCertificates.signer().toPkcs12(PASSPHRASE);
        refuses(
                () -> MailSigner.fromPkcs12(file, "another".toCharArray(), NOW),
                "the passphrase of the PKCS #12 file is wrong");
        refuses(() -> MailSigner.fromPkcs12(file, new char[0], NOW), "passphrase");
    }

    @Test
    void refusesFilesWithOtherThanOneKey() throws Exception {
        var one = new SigningCertificates().make();
        var two = new SigningCertificates().make();
        refuses(() -> MailSigner.fromPkcs12(store(List.of(), one.chain()), PASSPHRASE, NOW), "0 keys");
        refuses(() -> MailSigner.fromPkcs12(store(List.of(one, two), List.of()), PASSPHRASE, NOW), "2 keys");
    }

    /** A key store keeps one entry of a name: the second key would take the place of the first without a word. */
    @Test
    void refusesTwoKeysOfOneName() throws Exception {
        var builder = new PKCS12PfxPduBuilder();
        for (int i = 0; i < 2; i++) {
            var identity = new SigningCertificates().authorities(0).make();
            var encryptor = new JcePKCSPBEOutputEncryptorBuilder(NISTObjectIdentifiers.id_aes256_CBC)
                    .setProvider(new BouncyCastleProvider())
                    .build(PASSPHRASE);
            var key = new JcaPKCS12SafeBagBuilder(identity.key(), encryptor);
            var certificate = new JcaPKCS12SafeBagBuilder(identity.chain().getFirst());
            for (PKCS12SafeBagBuilder bag : List.of(key, certificate)) {
                bag.addBagAttribute(PKCSObjectIdentifiers.pkcs_9_at_friendlyName, new DERBMPString("mail"));
                bag.addBagAttribute(
                        PKCSObjectIdentifiers.pkcs_9_at_localKeyId, new DEROctetString(new byte[] {(byte) i}));
            }
            builder.addData(key.build()).addData(certificate.build());
        }
        byte[] file = builder.build(
                        new JcePKCS12MacCalculatorBuilder(NISTObjectIdentifiers.id_sha256)
                                .setProvider(new BouncyCastleProvider()),
                        PASSPHRASE)
                .getEncoded();
        refuses(() -> MailSigner.fromPkcs12(file, PASSPHRASE, NOW), "2 keys");
    }

    /** Whoever has the file guesses at the passphrase: by its key, and by its authentication code. */
    @Test
    void makesGuessesOfThePassphraseDear() throws Exception {
        var file = new PKCS12PfxPdu(SigningCertificates.signer().toPkcs12(PASSPHRASE));
        assertThat(file.toASN1Structure().getMacData().getIterationCount()).isEqualTo(BigInteger.valueOf(100_000));
        int keys = 0;
        for (ContentInfo content : file.getContentInfos()) {
            for (PKCS12SafeBag bag : new PKCS12SafeBagFactory(content).getSafeBags()) {
                if (bag.getBagValue() instanceof PKCS8EncryptedPrivateKeyInfo key) {
                    keys++;
                    var scheme = PBES2Parameters.getInstance(
                            key.toASN1Structure().getEncryptionAlgorithm().getParameters());
                    var derivation = PBKDF2Params.getInstance(
                            scheme.getKeyDerivationFunc().getParameters());
                    assertThat(derivation.getIterationCount()).isEqualTo(BigInteger.valueOf(100_000));
                    assertThat(derivation.getPrf().getAlgorithm()).isEqualTo(PKCSObjectIdentifiers.id_hmacWithSHA256);
                    assertThat(scheme.getEncryptionScheme().getAlgorithm())
                            .isEqualTo(NISTObjectIdentifiers.id_aes256_CBC);
                }
            }
        }
        assertThat(keys).isOne();
    }

    @Test
    void refusesAnExpiredOneInAFile() throws Exception {
        Instant past = NOW.minus(Duration.ofDays(9));
        var identity =
                new SigningCertificates().valid(past, past.plusSeconds(60)).make();
        byte[] file = MailSigner.of(identity.key(), identity.chain()).toPkcs12(PASSPHRASE);
        refuses(() -> MailSigner.fromPkcs12(file, PASSPHRASE, NOW), "expired on");
    }

    @Test
    void refusesBytesThatAreNoFile() throws Exception {
        refuses(() -> MailSigner.fromPkcs12(new byte[0], PASSPHRASE, NOW), "cannot be read");
        refuses(() -> MailSigner.fromPkcs12(new byte[10 << 20], PASSPHRASE, NOW), "more than");
        byte[] file = SigningCertificates.signer().toPkcs12(PASSPHRASE);
        for (int length = 0; length < file.length; length += 37) {
            byte[] cut = Arrays.copyOf(file, length);
            refuses(() -> MailSigner.fromPkcs12(cut, PASSPHRASE, NOW), "cannot be read");
        }
    }

    @Test
    void decodesChainsWithinBounds() throws Exception {
        var chain = new SigningCertificates().authorities(2).make().chain();
        List<byte[]> encoded = new ArrayList<>();
        for (X509Certificate certificate : chain) {
            encoded.add(certificate.getEncoded());
        }
        assertThat(MailSigner.decodeChain(encoded)).isEqualTo(chain);
        byte[] first = encoded.getFirst();
        refuses(() -> MailSigner.decodeChain(List.of()), "0 certificates");
        refuses(() -> MailSigner.decodeChain(List.of(new byte[0])), "cannot be read");
        refuses(() -> MailSigner.decodeChain(List.of(Arrays.copyOf(first, first.length + 1))), "not DER");
        refuses(() -> MailSigner.decodeChain(List.of(Arrays.copyOf(first, first.length - 1))), "cannot be read");
        refuses(
                () -> MailSigner.decodeChain(
                        Stream.generate(() -> first).limit(9).toList()),
                "9 certificates");
        refuses(() -> MailSigner.decodeChain(List.of(new byte[65 << 10])), "at most 65536");
    }

    @Test
    void doesNotPrintTheKey() throws Exception {
        assertThat(SigningCertificates.signer()).hasToString("MailSigner[hidden]");
    }

    private static byte[] store(List<SigningCertificates.Identity> keys, List<X509Certificate> trusted)
            throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        for (int i = 0; i < keys.size(); i++) {
            store.setKeyEntry(
                    "key-" + i,
                    keys.get(i).key(),
                    PASSPHRASE,
                    keys.get(i).chain().toArray(Certificate[]::new));
        }
        for (int i = 0; i < trusted.size(); i++) {
            store.setCertificateEntry("trusted-" + i, trusted.get(i));
        }
        var out = new ByteArrayOutputStream();
        store.store(out, PASSPHRASE);
        return out.toByteArray();
    }

    private static void refuses(SigningCertificates certificates, String why) throws Exception {
        var identity = certificates.make();
        refuses(() -> MailSigner.of(identity.key(), identity.chain()), why);
    }

    private static void refusesNow(SigningCertificates certificates, String why) throws Exception {
        var identity = certificates.make();
        var signer = MailSigner.of(identity.key(), identity.chain());
        refuses(() -> signer.requireValid(NOW), why);
    }

    private static void refuses(ThrowingCallable call, String why) {
        assertThatThrownBy(call)
                .isInstanceOf(RefusedSignerException.class)
                .message()
                .containsPattern(why);
    }
}
