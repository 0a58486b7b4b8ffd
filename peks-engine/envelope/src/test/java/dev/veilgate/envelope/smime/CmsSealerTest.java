package dev.veilgate.envelope.smime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.ASN1Set;
import org.bouncycastle.asn1.ASN1TaggedObject;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.cms.KeyAgreeRecipientInfo;
import org.bouncycastle.asn1.cms.RecipientInfo;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.oiw.OIWObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.RSAESOAEPparams;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.cms.CMSAlgorithm;
import org.bouncycastle.cms.CMSAuthEnvelopedDataStreamGenerator;
import org.bouncycastle.cms.CMSEnvelopedData;
import org.bouncycastle.cms.RecipientInfoGenerator;
import org.bouncycastle.cms.jcajce.JceKeyAgreeRecipientInfoGenerator;
import org.bouncycastle.cms.jcajce.JceKeyTransRecipientInfoGenerator;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sealed for RSA and elliptic curves; opened by ourselves and by the openssl program. */
class CmsSealerTest {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String[] NAMES = {"rsa@example.org", "p256@example.org", "p384@example.org", "p521@example.org"
    };
    private static final List<Certificates.Identity> IDENTITIES = new ArrayList<>();
    private static final List<RecipientCertificate> RECIPIENTS = new ArrayList<>();

    private static MailSigner signer;
    private static Path authority;

    @TempDir
    static Path certificates;

    @TempDir
    Path folder;

    @BeforeAll
    static void makeIdentities() throws Exception {
        IDENTITIES.add(Certificates.of(NAMES[0]).rsa(2048));
        IDENTITIES.add(Certificates.of(NAMES[1]).ec("secp256r1"));
        IDENTITIES.add(Certificates.of(NAMES[2]).ec("secp384r1"));
        IDENTITIES.add(Certificates.of(NAMES[3]).ec("secp521r1"));
        SigningCertificates.Identity made = new SigningCertificates().make();
        signer = MailSigner.of(made.key(), made.chain());
        authority = new Certificates.Identity(signer.chain().getLast(), made.key()).writeCertificate(certificates);
        for (int i = 0; i < NAMES.length; i++) {
            RECIPIENTS.add(RecipientCertificate.check(IDENTITIES.get(i).der(), NAMES[i], Instant.now()));
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SIGNED_BY_AUTHOR") // OpaqueMessageTest
    void everyRecipientOpensItWithTheirOwnKey(Encryption encryption) throws Exception {
        for (int bytes : new int[] {0, 1, 15, 16, 17, 100_003, 1 << 18}) {
            byte[] content = content(bytes);
            byte[] cms = seal(content, encryption).cms;
            for (Certificates.Identity identity : IDENTITIES) {
                assertThat(open(cms, identity, signer.leaf())).isEqualTo(content);
            }
        }
    }

    private static byte[] open(byte[] cms, Certificates.Identity identity, X509Certificate... signers)
            throws Exception {
        var opened = new ByteArrayOutputStream();
        CmsOpener.open(new ByteArrayInputStream(cms), identity.key(), identity.certificate(), List.of(signers), opened);
        return opened.toByteArray();
    }

    @Test
    void opensslOpensIt() throws Exception {
        for (int bytes : new int[] {0, 1, 1 << 20}) {
            byte[] content = content(bytes);
            Path cms = Files.write(folder.resolve("cms.der"), seal(content).cms);
            for (Certificates.Identity identity : IDENTITIES) {
                assertThat(openssl(cms, identity)).isEqualTo(content);
            }
        }
    }

    @Test
    void opensslOpensAndVerifiesWhatIsSigned() throws Exception {
        byte[] content = content(100_003);
        Path cms = Files.write(folder.resolve("cms.der"), seal(content, Encryption.SIGNED).cms);
        for (Certificates.Identity identity : IDENTITIES) {
            Path entity = Files.write(folder.resolve("entity"), openssl(cms, identity));
            Path verified = folder.resolve("verified");
            run(
                    "openssl",
                    "cms",
                    "-verify",
                    "-binary",
                    "-in",
                    entity.toString(),
                    "-CAfile",
                    authority.toString(),
                    "-out",
                    verified.toString());
            assertThat(Files.readAllBytes(verified)).isEqualTo(content);
        }
    }

    @Test
    void aMailThatARecipientSealsAgainForSomebodyElseDoesNotOpenAsGenuine() throws Exception {
        byte[] content = content(300);
        ByteArrayOutputStream signed = new ByteArrayOutputStream();
        SignedEntity.of(SealedContent.of(new ByteArrayInputStream(content)), as(signer), RECIPIENTS.subList(0, 1))
                .writeTo(signed);
        String said = "the sealed mail was signed for others than it is sealed for: one of them sealed it again";
        for (List<RecipientCertificate> others : List.of(RECIPIENTS, RECIPIENTS.subList(1, 2))) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            CmsSealer.Sealed again = new CmsSealer(RANDOM)
                    .seal(target -> target.write(signed.toByteArray()), out, others, Encryption.SIGNED);
            assertThatThrownBy(() -> open(out.toByteArray(), IDENTITIES.get(1), signer.leaf()))
                    .hasMessage(said);
            assertThatThrownBy(() -> CmsOpener.open(
                            new ByteArrayInputStream(out.toByteArray()),
                            again.key(),
                            again.digest(),
                            OutputStream.nullOutputStream()))
                    .hasMessage(said);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new CmsSealer(RANDOM)
                .seal(target -> target.write(signed.toByteArray()), out, RECIPIENTS.subList(0, 1), Encryption.SIGNED);
        assertThat(open(out.toByteArray(), IDENTITIES.getFirst(), signer.leaf()))
                .isEqualTo(content);
    }

    @Test
    void mailsOpenThatWereSealedWhenTheSignatureStoodBesideTheContent() throws Exception {
        byte[] content = content(70_000);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        SealedContent former = FormerSignedEntity.of(SealedContent.of(new ByteArrayInputStream(content)), signer);
        CmsSealer.Sealed sealed = new CmsSealer(RANDOM).seal(former, out, RECIPIENTS, Encryption.SIGNED);
        for (Certificates.Identity identity : IDENTITIES) {
            assertThat(open(out.toByteArray(), identity, signer.leaf())).isEqualTo(content);
        }
        byte[] altered = out.toByteArray();
        altered[altered.length - 2_000] ^= 1;
        refuses(altered, new Result(altered, sealed.key(), sealed.digest()));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SIGNED_BY_AUTHOR") // OpaqueMessageTest
    void contentKeyOpensItAndTheDigestIsOfTheStructure(Encryption encryption) throws Exception {
        byte[] content = content(5_000);
        Result sealed = seal(content, encryption);
        var opened = new ByteArrayOutputStream();
        CmsOpener.open(new ByteArrayInputStream(sealed.cms), sealed.key, sealed.digest, opened);
        assertThat(opened.toByteArray()).isEqualTo(content);
        assertThat(sealed.digest).isEqualTo(MessageDigest.getInstance("SHA-256").digest(sealed.cms));
    }

    @Test
    void twoSealingsShareNothing() throws Exception {
        Result one = seal(content(100));
        Result two = seal(content(100));
        assertThat(one.key).isNotEqualTo(two.key);
        assertThat(one.digest).isNotEqualTo(two.digest);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SIGNED_BY_AUTHOR") // OpaqueMessageTest
    void aRecipientOpensOnlyWhatWasSealed(Encryption encryption) throws Exception {
        byte[] content = content(300);
        Result sealed = seal(content, encryption);
        Certificates.Identity identity = IDENTITIES.get(1);
        int opened = 0;
        for (int i = 0; i < sealed.cms.length; i++) {
            byte[] altered = sealed.cms.clone();
            altered[i] ^= 1;
            try {
                assertThat(open(altered, identity, signer.leaf()))
                        .as("byte %d", i)
                        .isEqualTo(content);
                opened++;
            } catch (UnopenableMailException e) {
                // as it should
            }
        }
        // Wraps and names of other recipients are covered by nothing; the content, its nonce and what proves it are.
        assertThat(opened).isLessThan(sealed.cms.length - content.length - 16 - 12);
    }

    @ParameterizedTest
    @EnumSource
    void theDigestCoversEveryByteAndWhatFollows(Encryption encryption) throws Exception {
        Result sealed = seal(content(300), encryption);
        for (int i = 0; i < sealed.cms.length; i += 1 + i % 3) {
            byte[] altered = sealed.cms.clone();
            altered[i] ^= 1;
            refuses(altered, sealed);
        }
        refuses(Arrays.copyOf(sealed.cms, sealed.cms.length + 1), sealed);
    }

    private static void refuses(byte[] altered, Result sealed) {
        assertThatThrownBy(() -> CmsOpener.open(
                        new ByteArrayInputStream(altered), sealed.key, sealed.digest, OutputStream.nullOutputStream()))
                .isInstanceOf(UnopenableMailException.class);
    }

    @Test
    void signaturesOfOthersAreNotBelieved() throws Exception {
        byte[] content = content(300);
        byte[] cms = seal(content, Encryption.SIGNED).cms;
        Certificates.Identity identity = IDENTITIES.getFirst();
        SigningCertificates.Identity made = new SigningCertificates().make();
        MailSigner other = MailSigner.of(made.key(), made.chain());
        String said = "the sealed mail was altered, or is of another key";
        assertThatThrownBy(() -> open(cms, identity)).hasMessage(said);
        assertThatThrownBy(() -> open(cms, identity, other.leaf())).hasMessage(said);
        assertThat(open(cms, identity, other.leaf(), signer.leaf())).isEqualTo(content);
    }

    /**
     * CBC blocks are swapped, repeated and cut by whoever sees them: EFAIL's means. None of it is told from another
     * key.
     */
    @Test
    void rearrangedBlocksAreRefusedByTheWordsForAnotherKey() throws Exception {
        Result sealed = seal(content(4096), Encryption.SIGNED);
        Certificates.Identity identity = IDENTITIES.getFirst();
        for (int chunk : chunksOf(sealed.cms)) {
            int from = chunk + 96;
            byte[] altered = sealed.cms.clone();
            System.arraycopy(sealed.cms, from + 16, altered, from, 16);
            System.arraycopy(sealed.cms, from, altered, from + 16, 16);
            assertThatThrownBy(() -> open(altered, identity, signer.leaf()))
                    .hasMessage("the sealed mail was altered, or is of another key");
        }
        for (Certificates.Identity each : IDENTITIES) {
            byte[] altered = sealed.cms.clone();
            altered[altered.length - 60] ^= 1; // of the padding's block, or the one before
            assertThatThrownBy(() -> open(altered, each, signer.leaf()))
                    .hasMessage("the sealed mail was altered, or is of another key");
        }
    }

    /** Where the content's OCTET STRINGs of a thousand bytes begin, behind their headers. */
    private static List<Integer> chunksOf(byte[] cms) {
        List<Integer> chunks = new ArrayList<>();
        for (int i = 0; i + 4 < cms.length; i++) {
            if (cms[i] == 4 && cms[i + 1] == (byte) 0x82 && cms[i + 2] == 3 && cms[i + 3] == (byte) 0xe8) {
                chunks.add(i + 4);
                i += 1003;
            }
        }
        assertThat(chunks).hasSizeGreaterThan(3);
        return chunks;
    }

    /**
     * Whoever could tell wrong padding of a wrap from a wrong content would decrypt by asking (Bleichenbacher 1998).
     */
    @Test
    void aWrapWithWrongPaddingIsRefusedAsAnAlteredContent() throws Exception {
        Certificates.Identity rsa = IDENTITIES.getFirst();
        byte[] cms = seal(content(300), Encryption.SIGNED).cms;
        var rsaKey = (RSAPublicKey) rsa.certificate().getPublicKey();
        int at = wrapOf(cms);
        BigInteger wrapped = new BigInteger(1, Arrays.copyOfRange(cms, at, at + 256));
        List<BigInteger> forged = new ArrayList<>();
        for (int factor = 2; factor < 6; factor++) {
            forged.add(
                    wrapped.multiply(BigInteger.valueOf(factor).modPow(rsaKey.getPublicExponent(), rsaKey.getModulus()))
                            .mod(rsaKey.getModulus()));
        }
        for (int length : new int[] {0, 16, 31, 33}) { // padded right, of another length
            byte[] padded = new byte[256];
            Arrays.fill(padded, (byte) 1);
            padded[0] = 0;
            padded[1] = 2;
            padded[255 - length] = 0;
            forged.add(new BigInteger(1, padded).modPow(rsaKey.getPublicExponent(), rsaKey.getModulus()));
        }
        forged.add(rsaKey.getModulus()); // no ciphertext at all
        for (BigInteger each : forged) {
            byte[] altered = cms.clone();
            byte[] bytes = each.toByteArray();
            int length = Math.min(256, bytes.length);
            Arrays.fill(altered, at, at + 256, (byte) 0);
            System.arraycopy(bytes, bytes.length - length, altered, at + 256 - length, length);
            assertThatThrownBy(() -> open(altered, rsa, signer.leaf()))
                    .hasMessage("the sealed mail was altered, or is of another key");
        }
    }

    /** Where the 256 bytes of the RSA wrap begin: behind the header of their OCTET STRING. */
    private static int wrapOf(byte[] cms) {
        for (int i = 0; ; i++) {
            if (cms[i] == 4 && cms[i + 1] == (byte) 0x82 && cms[i + 2] == 1 && cms[i + 3] == 0) {
                return i + 4;
            }
        }
    }

    @Test
    void aCertificateThatNamesOaepGetsIt() throws Exception {
        Certificates.Identity able = Certificates.of("able@example.org")
                .capable(PKCSObjectIdentifiers.id_RSAES_OAEP)
                .rsa(2048);
        RecipientCertificate recipient = RecipientCertificate.check(able.der(), "able@example.org", Instant.now());
        var out = new ByteArrayOutputStream();
        new CmsSealer(RANDOM)
                .seal(
                        SignedEntity.of(
                                SealedContent.of(new ByteArrayInputStream(content(10))),
                                as(signer),
                                List.of(recipient)),
                        out,
                        List.of(recipient),
                        Encryption.SIGNED);
        var parsed = new CMSEnvelopedData(out.toByteArray());
        assertThat(parsed.getRecipientInfos().getRecipients().iterator().next().getKeyEncryptionAlgOID())
                .isEqualTo(PKCSObjectIdentifiers.id_RSAES_OAEP.getId());
        assertThat(open(out.toByteArray(), able, signer.leaf())).hasSize(10);
        assertThat(recipient.readsAuthenticated()).isFalse();
        byte[] gcm = Certificates.of("g@example.org")
                .capable(NISTObjectIdentifiers.id_aes256_GCM)
                .ec("secp256r1")
                .der();
        assertThat(RecipientCertificate.check(gcm, "g@example.org", Instant.now())
                        .readsAuthenticated())
                .isTrue();
    }

    /** Nothing that is not ours to the byte passes for a signed entity, whatever proves it. */
    @Test
    void contentsThatAreNoSignedEntityAreRefused() throws Exception {
        var bytes = new ByteArrayOutputStream();
        SignedEntity.of(SealedContent.of(new ByteArrayInputStream(content(100))), as(signer), RECIPIENTS)
                .writeTo(bytes);
        byte[] good = bytes.toByteArray();
        List<byte[]> bad = List.of(
                new byte[0],
                content(10),
                content(5_000),
                Arrays.copyOf(good, good.length - 40),
                Arrays.copyOf(good, good.length + 1),
                Arrays.copyOfRange(good, 1, good.length),
                Arrays.copyOf(good, SignedEntity.HEAD.length() + 100),
                Arrays.copyOf(good, good.length + (1 << 20)));
        for (byte[] each : bad) {
            var out = new ByteArrayOutputStream();
            CmsSealer.Sealed sealed =
                    new CmsSealer(RANDOM).seal(target -> target.write(each), out, RECIPIENTS, Encryption.SIGNED);
            refuses(out.toByteArray(), new Result(out.toByteArray(), sealed.key(), sealed.digest()));
        }
    }

    /**
     * Unwrapping by PKCS #1 v1.5 tells an attacker by its error whether the padding was right, which decrypts other
     * mails' wraps.
     */
    @Test
    void refusesWrapsThatItDoesNotMakeBeforeItUsesTheKey() throws Exception {
        Certificates.Identity rsa = IDENTITIES.getFirst();
        var pkcs1 = new JceKeyTransRecipientInfoGenerator(rsa.certificate()).setProvider(new BouncyCastleProvider());
        assertThatThrownBy(() -> CmsOpener.open(
                        new ByteArrayInputStream(wrappedBy(pkcs1)),
                        rsa.key(),
                        rsa.certificate(),
                        List.of(),
                        OutputStream.nullOutputStream()))
                .isInstanceOf(UnopenableMailException.class)
                .hasMessageContaining("RSAES-OAEP");

        Certificates.Identity ec = IDENTITIES.get(1);
        var oneTime = Certificates.of("x@example.org").ec("secp256r1");
        var sha1 = new JceKeyAgreeRecipientInfoGenerator(
                        CMSAlgorithm.ECDH_SHA1KDF,
                        oneTime.key(),
                        oneTime.certificate().getPublicKey(),
                        CMSAlgorithm.AES128_WRAP)
                .setProvider(new BouncyCastleProvider())
                .addRecipient(ec.certificate());
        assertThatThrownBy(() -> CmsOpener.open(
                        new ByteArrayInputStream(wrappedBy(sha1)),
                        ec.key(),
                        ec.certificate(),
                        List.of(),
                        OutputStream.nullOutputStream()))
                .isInstanceOf(UnopenableMailException.class)
                .hasMessageContaining("ECDH");
    }

    /** RFC 5480, section 2.1.1: a curve is named, its parameters are not written out. */
    @ParameterizedTest
    @EnumSource
    void namesTheCurvesOfOneTimeKeys(Encryption encryption) throws Exception {
        int keys = 0;
        var content = (ASN1TaggedObject)
                ASN1Sequence.getInstance(seal(content(10), encryption).cms).getObjectAt(1);
        var enveloped = ASN1Sequence.getInstance(content, true);
        for (ASN1Encodable each : ASN1Set.getInstance(enveloped.getObjectAt(1))) {
            if (RecipientInfo.getInstance(each).getInfo() instanceof KeyAgreeRecipientInfo agreement) {
                var algorithm = agreement.getOriginator().getOriginatorKey().getAlgorithm();
                assertThat(algorithm.getParameters()).isInstanceOf(ASN1ObjectIdentifier.class);
                keys++;
            }
        }
        assertThat(keys).isEqualTo(3);
    }

    /** Each of them unwraps the key that it should; the sealer makes none of them. */
    @Test
    void refusesWrapsWithOtherParameters() throws Exception {
        Certificates.Identity rsa = IDENTITIES.getFirst();
        for (ASN1ObjectIdentifier hash : List.of(OIWObjectIdentifiers.idSHA1, NISTObjectIdentifiers.id_sha512)) {
            var algorithm = new AlgorithmIdentifier(hash, DERNull.INSTANCE);
            var oaep = new AlgorithmIdentifier(
                    PKCSObjectIdentifiers.id_RSAES_OAEP,
                    new RSAESOAEPparams(
                            algorithm,
                            new AlgorithmIdentifier(PKCSObjectIdentifiers.id_mgf1, algorithm),
                            RSAESOAEPparams.DEFAULT_P_SOURCE_ALGORITHM));
            var wrap = new JceKeyTransRecipientInfoGenerator(rsa.certificate(), oaep)
                    .setProvider(new BouncyCastleProvider());
            byte[] cms = wrappedBy(wrap);
            assertThatThrownBy(() -> open(cms, rsa)).hasMessageContaining("RSAES-OAEP with SHA-256");
        }
        Certificates.Identity ec = IDENTITIES.get(1);
        byte[] otherHash = wrappedBy(agreed(CMSAlgorithm.ECDH_SHA512KDF, ec));
        assertThatThrownBy(() -> open(otherHash, ec)).hasMessageContaining("ECDH");
        byte[] material = wrappedBy(agreed(CMSAlgorithm.ECDH_SHA256KDF, ec).setUserKeyingMaterial(new byte[] {1}));
        assertThatThrownBy(() -> open(material, ec)).hasMessageContaining("ECDH");
        assertThat(open(wrappedBy(agreed(CMSAlgorithm.ECDH_SHA256KDF, ec)), ec)).hasSize(10);
    }

    private static JceKeyAgreeRecipientInfoGenerator agreed(ASN1ObjectIdentifier agreement, Certificates.Identity to)
            throws Exception {
        var oneTime = Certificates.of("x@example.org").ec("secp256r1");
        return new JceKeyAgreeRecipientInfoGenerator(
                        agreement, oneTime.key(), oneTime.certificate().getPublicKey(), CMSAlgorithm.AES256_WRAP)
                .setProvider(new BouncyCastleProvider())
                .addRecipient(to.certificate());
    }

    private static byte[] wrappedBy(RecipientInfoGenerator wrap) throws Exception {
        var generator = new CMSAuthEnvelopedDataStreamGenerator();
        generator.addRecipientInfoGenerator(wrap);
        var cms = new ByteArrayOutputStream();
        var encryptor = new GcmEncryptor(MailKey.of(new byte[32]), new byte[GcmEncryptor.NONCE_BYTES]);
        try (OutputStream in = generator.open(cms, encryptor)) {
            in.write(content(10));
        }
        return cms.toByteArray();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SIGNED_BY_AUTHOR") // OpaqueMessageTest
    void refusesACutStructureAnotherKeyAndAnotherCertificate(Encryption encryption) throws Exception {
        Result sealed = seal(content(300), encryption);
        for (int length = 0; length < sealed.cms.length - 8; length++) {
            var in = new ByteArrayInputStream(sealed.cms, 0, length);
            assertThatThrownBy(() -> CmsOpener.open(in, sealed.key, sealed.digest, OutputStream.nullOutputStream()))
                    .isInstanceOf(UnopenableMailException.class);
        }
        assertThatThrownBy(() -> CmsOpener.open(
                        new ByteArrayInputStream(sealed.cms),
                        MailKey.of(new byte[32]),
                        sealed.digest,
                        new ByteArrayOutputStream()))
                .isInstanceOf(UnopenableMailException.class)
                .hasMessageContaining("altered");
        var stranger = Certificates.of("x@example.org").ec("secp256r1");
        assertThatThrownBy(() -> CmsOpener.open(
                        new ByteArrayInputStream(sealed.cms),
                        stranger.key(),
                        stranger.certificate(),
                        List.of(),
                        new ByteArrayOutputStream()))
                .isInstanceOf(UnopenableMailException.class)
                .hasMessageContaining("not for this certificate");
        assertThatThrownBy(() -> CmsOpener.open(
                        new ByteArrayInputStream(sealed.cms),
                        stranger.key(),
                        IDENTITIES.get(1).certificate(),
                        List.of(),
                        new ByteArrayOutputStream()))
                .isInstanceOf(UnopenableMailException.class);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SIGNED_BY_AUTHOR") // OpaqueMessageTest
    void largeMailsFlowThroughInPieces(Encryption encryption) throws Exception {
        long bytes = 32L << 20;
        Path cms = folder.resolve("big.der");
        CmsSealer.Sealed sealed;
        try (InputStream in = new Zeros(bytes);
                OutputStream out = Files.newOutputStream(cms)) {
            sealed = new CmsSealer(RANDOM).seal(contentOf(in, encryption), out, RECIPIENTS, encryption);
        }
        var count = new long[1];
        try (InputStream in = Files.newInputStream(cms)) {
            CmsOpener.open(in, sealed.key(), sealed.digest(), new OutputStream() {
                @Override
                public void write(int b) {
                    count[0]++;
                }

                @Override
                public void write(byte[] b, int offset, int length) {
                    assertThat(length).isLessThan(1 << 20);
                    count[0] += length;
                }
            });
        }
        assertThat(count[0]).isEqualTo(bytes);
    }

    private static SignedAs as(MailSigner signer) {
        return new SignedAs(signer, Instant.now());
    }

    private record Result(byte[] cms, MailKey key, byte[] digest) {}

    private static SealedContent contentOf(InputStream in, Encryption encryption) {
        SealedContent content = SealedContent.of(in);
        return encryption == Encryption.SIGNED ? SignedEntity.of(content, as(signer), RECIPIENTS) : content;
    }

    private static Result seal(byte[] content) throws IOException {
        return seal(content, Encryption.AUTHENTICATED);
    }

    private static Result seal(byte[] content, Encryption encryption) throws IOException {
        var out = new ByteArrayOutputStream();
        var sealed = new CmsSealer(RANDOM)
                .seal(contentOf(new ByteArrayInputStream(content), encryption), out, RECIPIENTS, encryption);
        return new Result(out.toByteArray(), sealed.key(), sealed.digest());
    }

    private static byte[] content(int bytes) {
        byte[] content = new byte[bytes];
        RANDOM.nextBytes(content);
        return content;
    }

    private byte[] openssl(Path cms, Certificates.Identity identity) throws Exception {
        Path out = folder.resolve("opened");
        run(
                "openssl",
                "cms",
                "-decrypt",
                "-binary",
                "-inform",
                "DER",
                "-in",
                cms.toString(),
                "-inkey",
                identity.writeKey(folder).toString(),
                "-recip",
                identity.writeCertificate(folder).toString(),
                "-out",
                out.toString());
        return Files.readAllBytes(out);
    }

    private static void run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
    }

    private static final class Zeros extends InputStream {
        private long left;

        Zeros(long bytes) {
            left = bytes;
        }

        @Override
        public int read() {
            return left-- > 0 ? 0 : -1;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) {
            if (left <= 0) {
                return -1;
            }
            int n = (int) Math.min(length, left);
            Arrays.fill(bytes, offset, offset + n, (byte) 0);
            left -= n;
            return n;
        }
    }
}
