package dev.veilgate.envelope.smime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.testing.ProcessorTime;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.BEROctetString;
import org.bouncycastle.asn1.cms.CMSObjectIdentifiers;
import org.bouncycastle.asn1.cms.ContentInfo;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.cert.jcajce.JcaCertStore;
import org.bouncycastle.cms.CMSAbsentContent;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.CMSSignedDataGenerator;
import org.bouncycastle.cms.CMSSignedDataStreamGenerator;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoGeneratorBuilder;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that are SignedData as a whole, and such as look like it. */
class OpaqueMessageTest {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String TYPE = "Content-Type: application/pkcs7-mime; smime-type=signed-data; name=smime.p7m";
    private static final String BASE64 = "Content-Transfer-Encoding: base64";
    private static final byte[] SIGNED = "Content-Type: text/plain\r\n\r\nowls\r\n".getBytes(StandardCharsets.US_ASCII);

    private static MailSigner author;
    private static byte[] der;

    @BeforeAll
    static void sign() throws Exception {
        SigningCertificates.Identity made = new SigningCertificates().make();
        author = MailSigner.of(made.key(), made.chain());
        der = signedData(PKCSObjectIdentifiers.data, true);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                TYPE,
                "Content-Type: application/x-pkcs7-mime; smime-type=signed-data; name=\"smime.p7m\"",
                "Content-Type: Application/PKCS7-MIME",
                "Content-Type: application/pkcs7-mime;\r\n name=smime.p7m;\r\n smime-type=\"Signed-Data\""
            })
    void isSealedAsItWasWritten(String type) throws Exception {
        for (byte[] each : List.of(der, indefinite(), signedData(PKCSObjectIdentifiers.data, 300_000))) {
            String header = "Subject: owls\r\n" + type + "\r\n" + BASE64 + "\r\n";
            String body = Base64.getMimeEncoder().encodeToString(each) + "\r\n\r\n";
            assertThat(sealed(header, latin1(body))).isEqualTo(header + "\r\n" + body);
        }
    }

    @Test
    void isRewrittenInLinesOfBase64WhereProgramsDoNotReadItAsItIs() throws Exception {
        byte[] odd = der;
        while (odd.length % 3 == 0) {
            odd = signedData(PKCSObjectIdentifiers.data, true);
        }
        String oneLine = Base64.getEncoder().encodeToString(odd);
        String unpadded = Base64.getMimeEncoder().encodeToString(odd).replace("=", "");
        String expected = Base64.getMimeEncoder().encodeToString(odd) + "\r\n";
        String header = TYPE + "\r\n" + BASE64 + "\r\n";
        String longer = Base64.getMimeEncoder(80, latin1("\r\n")).encodeToString(odd);
        for (String each : List.of(oneLine, unpadded, longer)) {
            assertThat(sealed(header, latin1(each + "\r\n"))).isEqualTo(header + "\r\n" + expected);
        }
        for (String encoding : List.of("7bit", "8Bit", "binary")) {
            String other = "Content-Transfer-Encoding: " + encoding + "\r\n" + TYPE + "\r\n";
            assertThat(sealed(other, odd)).isEqualTo(BASE64 + "\r\n" + TYPE + "\r\n\r\n" + expected);
        }
        byte[] ended = Arrays.copyOf(odd, odd.length + 2);
        ended[odd.length] = '\r';
        ended[odd.length + 1] = '\n';
        assertThat(sealed(TYPE + "\r\nX: y\r\n", ended))
                .isEqualTo(TYPE + "\r\nX: y\r\n" + BASE64 + "\r\n\r\n" + expected);
    }

    /** By the type or the name of another structure, programs show an attachment. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "Content-Type: application/pkcs7-mime; smime-type=enveloped-data"
                        + " | Content-Type: application/pkcs7-mime; smime-type=signed-data",
                "content-TYPE:application/pkcs7-mime;Smime-Type = \"certs-only\" ;name=\"Zebra.p7m\""
                        + " | content-TYPE:application/pkcs7-mime;smime-type=signed-data ;name=\"Zebra.p7m\"",
                "Content-Type: application/pkcs7-mime; smime-type*=us-ascii''certs-only; x=y"
                        + " | Content-Type: application/pkcs7-mime; smime-type=signed-data; x=y",
                "Content-Type: application/pkcs7-mime; smime-type*0=certs-only"
                        + " | Content-Type: application/pkcs7-mime; smime-type=signed-data",
                "Content-Type: application/pkcs7-mime; charset=x; name=\"The Zebra.P7C\"; y=z"
                        + " | Content-Type: application/pkcs7-mime; charset=x; name=\"The Zebra.P7M\"; y=z",
                "Content-Type: application/pkcs7-mime; name*=utf-8''Zebra%2Ep7z"
                        + " | Content-Type: application/pkcs7-mime; name*=utf-8''Zebra%2Ep7m",
                "Content-Type: application/pkcs7-mime\\r\\nContent-Disposition: attachment; filename=\"The Zebra.p7z \""
                        + " | Content-Type: application/pkcs7-mime\\r\\n"
                        + "Content-Disposition: attachment; filename=\"The Zebra.p7m \"",
            })
    void ofAFalseLabelNoMoreIsChangedThanMustBe(String written, String sealed) throws Exception {
        String body = Base64.getMimeEncoder().encodeToString(der) + "\r\n";
        for (String end : List.of("\r\n", ";\r\n", ";\r\n z=zebra\r\nX: .p7c\r\n")) {
            String rest = end + BASE64 + "\r\n";
            assertThat(sealed(written.replace("\\r\\n", "\r\n") + rest, latin1(body)))
                    .isEqualTo(sealed.replace("\\r\\n", "\r\n") + rest + "\r\n" + body);
        }
    }

    @Test
    void aFalseLabelInFoldedLinesIsFound() throws Exception {
        String header = "Content-Type: application/pkcs7-mime;\r\n name=\"The\r\n\tZebra.p7%s\";\r\n\t"
                + "smime-type=%s;\r\n x=y\r\n"
                + "Content-Disposition:\r\n attachment;\r\n filename=\r\n zebra.p7%s;\r\n size=1\r\n";
        assertThat(sealed(header.formatted("c", "\r\n certs-only", "z") + BASE64 + "\r\n", base64()))
                .startsWith(header.formatted("m", "signed-data", "m") + BASE64 + "\r\n\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                TYPE + "\r\nContent-Disposition: attachment; filename=zebra.p7c.txt",
                TYPE + "\r\nContent-Disposition: attachment; filename=\"a;b.p7c\"",
                TYPE + "\r\nContent-Disposition: attachment; filename=; name=a.p7c",
                TYPE + "\r\nContent-Disposition: attachment; filename=\"\"",
                TYPE + "\r\nContent-Disposition:",
                TYPE + "; filename=a.p7c"
            })
    void whatNoProgramGoesByStays(String header) throws Exception {
        assertThat(sealed(header + "\r\n" + BASE64 + "\r\n", base64()))
                .startsWith(header + "\r\n" + BASE64 + "\r\n\r\n");
    }

    @Test
    void labelsOfAnyLengthAreReadInLinearTime() throws Exception {
        ProcessorTime.bounded(Duration.ofSeconds(10), () -> {
            for (String piece :
                    List.of("; filename=a.p7c", "; filename=\"", "; filename*=%2E", ".p7c", ";", " ", "\r\n ")) {
                String field = "Content-Disposition: x; filename=" + piece.repeat((1 << 20) / piece.length() - 100);
                SignedDataLabel.of(new MailHeader.Field("content-disposition", field + "\r\n"));
            }
            return TYPE;
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "true | Content-Type: multipart/signed; boundary=x",
                "true | Content-Type: Multipart/Signed",
                "true | Content-Type: multipart/encrypted; boundary=x",
                "true | Content-Type: application/pkcs7-mime",
                "true | Content-Type: application/x-pkcs7-mime",
                "true | Content-Type: application/octet-stream; name=smime.P7M",
                "true | Content-Type: application/octet-stream; name*=utf-8''smime%2Ep7m",
                "true | Content-Type: Application/Octet-Stream; name*0=smime.p; name*1=7m",
                "true | Content-Disposition: attachment; filename=smime.p7m",
                "true | Content-Type: (comment) multipart/signed",
                "true | Content-Type: text/plain; Content-Type: multipart/signed",
                "true | X: y\\nContent-Type: multipart/signed",
                "true | Content-Type: text/plain\\r\\nContent-Type: multipart/signed",
                "false | Content-Type: text/plain; name=signed.txt",
                "false | Content-Type: multipart/mixed; boundary=x",
                "false | Subject: multipart/signed pkcs7 .p7m",
            })
    void anAuthorsSignatureIsPossibleWhereAProgramMayFindOne(boolean isPossible, String fields) throws Exception {
        String header = fields.replace("\\r\\n", "\r\n").replace("\\n", "\n") + "\r\n";
        assertThat(AuthorSignature.isPossible(header(header))).isEqualTo(isPossible);
    }

    private static byte[] base64() {
        return latin1(Base64.getMimeEncoder().encodeToString(der) + "\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Type: application/pkcs7-signature\r\n" + BASE64,
                "Content-Type: text/plain\r\n" + BASE64,
                BASE64,
                TYPE,
                TYPE + "\r\nContent-Transfer-Encoding: quoted-printable",
                TYPE + "\r\nContent-Transfer-Encoding: base64 (not)",
                TYPE + "\r\n" + BASE64 + "\r\n" + BASE64,
                TYPE + "\r\nContent-Type: text/plain\r\n" + BASE64,
                "Content-Type: application/pkcs7-mime (comment); smime-type=signed-data\r\n" + BASE64,
                TYPE + "\r\n" + BASE64 + "\r\nX: y\nContent-Type: text/plain"
            })
    void isNotOneByAHeaderThatSaysSomethingElseOrThatProgramsReadInTwoWays(String header) throws Exception {
        assertThat(read(header + "\r\n", latin1(Base64.getMimeEncoder().encodeToString(der) + "\r\n")))
                .isEmpty();
    }

    @Test
    void isNotOneWithoutContentOrSignerOrOfAnotherKind() throws Exception {
        var certificates = new CMSSignedDataGenerator();
        certificates.addCertificates(new JcaCertStore(author.chain()));
        byte[] certificatesWithContent =
                certificates.generate(new CMSProcessableByteArray(SIGNED), true).getEncoded();
        byte[] enveloped = new ContentInfo(
                        CMSObjectIdentifiers.envelopedData,
                        ContentInfo.getInstance(der).getContent())
                .getEncoded(ASN1Encoding.DER);
        byte[] twice = Arrays.copyOf(der, 2 * der.length);
        System.arraycopy(der, 0, twice, der.length, der.length);
        List<byte[]> others = List.of(
                new byte[0],
                SIGNED,
                certificates.generate(new CMSAbsentContent()).getEncoded(),
                certificatesWithContent,
                signedData(PKCSObjectIdentifiers.data, false),
                signedData(PKCSObjectIdentifiers.id_ct_TSTInfo, true),
                enveloped,
                twice,
                Arrays.copyOf(der, der.length + 1),
                new BEROctetString(der).getEncoded());
        for (byte[] each : others) {
            assertThat(readBase64(each)).isEmpty();
        }
        String good = Base64.getMimeEncoder().encodeToString(der);
        for (String each : List.of(
                good.replaceFirst("\r\n", "\r\n-"), "x" + good, good + "\r\n-- \r\na footer", good + "=", " " + good)) {
            assertThat(read(TYPE + "\r\n" + BASE64 + "\r\n", latin1(each))).isEmpty();
        }
    }

    @Test
    void isNotOneIfItIsCutOffAnywhere() throws Exception {
        for (byte[] whole : List.of(der, indefinite())) {
            for (int length = 0; length < whole.length; length++) {
                assertThat(SignedDataForm.lengthOf(new ByteArrayInputStream(whole, 0, length)))
                        .isEmpty();
            }
            assertThat(SignedDataForm.lengthOf(new ByteArrayInputStream(whole))).hasValue((long) whole.length);
        }
    }

    @Test
    void isNotOneIfItsContentIsLongerThanWhatHoldsIt() {
        String text = new String(der, StandardCharsets.ISO_8859_1);
        int wrapped = text.indexOf(new String(new byte[] {0x07, 0x01, (byte) 0xa0}, StandardCharsets.ISO_8859_1)) + 3;
        for (int change : new int[] {-3, -1, 1}) {
            byte[] altered = der.clone();
            altered[wrapped] += (byte) change;
            assertThat(SignedDataForm.lengthOf(new ByteArrayInputStream(altered)))
                    .isEmpty();
        }
    }

    @Test
    void anyBytesAreReadWithoutAnError() {
        long seed = RANDOM.nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            byte[] altered = der.clone();
            for (int flips = random.nextInt(4); flips >= 0; flips--) {
                altered[random.nextInt(random.nextBoolean() ? 80 : der.length)] = (byte) random.nextInt();
            }
            assertThatCode(() -> readBase64(altered)).as("seed %d", seed).doesNotThrowAnyException();
        }
    }

    /** Lengths that are not there, structures in each other, structures beside each other. */
    @Test
    void hostileStructuresCostNoMemoryAndLinearTime() throws Exception {
        byte[] start = Arrays.copyOf(indefinite(), 15); // up to what SignedData has
        byte[] huge = {0x02, (byte) 0x87, 0x7f, -1, -1, -1, -1, -1, -1};
        byte[] negative = {0x02, (byte) 0x88, -1, -1, -1, -1, -1, -1, -1, -1};
        ProcessorTime.bounded(Duration.ofSeconds(20), () -> {
            for (byte[] each : List.of(huge, negative)) {
                assertThat(SignedDataForm.lengthOf(joined(start, each))).isEmpty();
            }
            byte[] nested = new byte[20 << 20];
            for (int i = 0; i < nested.length; i++) {
                nested[i] = (byte) (i % 2 == 0 ? 0x31 : 0x80);
            }
            assertThat(SignedDataForm.lengthOf(joined(start, new byte[] {2, 1, 1}, nested)))
                    .isEmpty();
            byte[] beside = new byte[20 << 20];
            for (int i = 0; i < beside.length; i++) {
                beside[i] = (byte) (i % 2 == 0 ? 0x05 : 0);
            }
            assertThat(SignedDataForm.lengthOf(joined(start, new byte[] {2, 1, 1, 0x31, (byte) 0x80}, beside)))
                    .isEmpty();
            String type = TYPE + "; " + "x=\"".repeat(5_000) + "\r\n" + BASE64 + "\r\n";
            assertThat(read(type, latin1(Base64.getMimeEncoder().encodeToString(der))))
                    .isEmpty();
            String longer = TYPE + "; x=\"" + "(\\".repeat(200_000) + "\r\n" + BASE64 + "\r\n";
            assertThat(read(longer, latin1("AAAA"))).isEmpty();
            return TYPE;
        });
    }

    /** No signature of the tenant's is there: only the digest in the index says that nobody altered it. */
    @Test
    void opensByTheDigestOfItsIndexAlone() throws Exception {
        Certificates.Identity identity = Certificates.of("ada@example.org").ec("secp256r1");
        String header = "From: ada@example.org\r\nSubject: owls\r\nX-Other: kept\r\n" + TYPE + "\r\n" + BASE64 + "\r\n";
        byte[] body = latin1(Base64.getMimeEncoder().encodeToString(der) + "\r\n");
        byte[] inner =
                HeaderProtection.protect(header(header), "", Instant.EPOCH).inner();
        byte[] content = joined(inner, body).readAllBytes();
        CmsSealed sealed = sealed(identity, content);
        var opened = new ByteArrayOutputStream();
        CmsOpener.open(new ByteArrayInputStream(sealed.cms), sealed.key, sealed.digest, opened);
        assertThat(opened.toByteArray()).isEqualTo(content);
        assertThat(new String(WrittenMail.of(content, MailHeader.Field::value), StandardCharsets.ISO_8859_1))
                .endsWith(header + "\r\n" + new String(body, StandardCharsets.ISO_8859_1));
        assertThatThrownBy(() -> CmsOpener.open(
                        new ByteArrayInputStream(sealed.cms),
                        identity.key(),
                        identity.certificate(),
                        author.chain(),
                        OutputStream.nullOutputStream()))
                .isInstanceOf(UnopenableMailException.class);
        byte[] altered = sealed.cms.clone();
        altered[altered.length - 60] ^= 1;
        assertThatThrownBy(() -> CmsOpener.open(
                        new ByteArrayInputStream(altered), sealed.key, sealed.digest, OutputStream.nullOutputStream()))
                .isInstanceOf(UnopenableMailException.class);
    }

    @Test
    void otherContentWithoutASignatureDoesNotOpen() throws Exception {
        Certificates.Identity identity = Certificates.of("ada@example.org").ec("secp256r1");
        String hp = "HP-Outer: Subject: [...]\r\n";
        String base64 = Base64.getMimeEncoder().encodeToString(der) + "\r\n";
        for (String each : List.of(
                TYPE + "\r\n" + BASE64 + "\r\n\r\n" + base64,
                hp + "Content-Type: text/plain\r\n\r\nowls\r\n",
                hp + TYPE + "\r\n" + TYPE + "\r\n\r\n" + base64,
                "\r\n" + hp + TYPE + "\r\n\r\n" + base64,
                "x".repeat(MailHeader.MAX_BYTES + 10))) {
            CmsSealed sealed = sealed(identity, latin1(each));
            assertThatThrownBy(() -> CmsOpener.open(
                            new ByteArrayInputStream(sealed.cms),
                            sealed.key,
                            sealed.digest,
                            OutputStream.nullOutputStream()))
                    .isInstanceOf(UnopenableMailException.class);
        }
    }

    @SuppressWarnings("ArrayRecordComponent")
    private record CmsSealed(byte[] cms, MailKey key, byte[] digest) {}

    private static CmsSealed sealed(Certificates.Identity identity, byte[] content) throws Exception {
        var cms = new ByteArrayOutputStream();
        RecipientCertificate recipient = RecipientCertificate.check(identity.der(), "ada@example.org", Instant.now());
        CmsSealer.Sealed sealed = new CmsSealer(RANDOM)
                .seal(target -> target.write(content), cms, List.of(recipient), Encryption.SIGNED_BY_AUTHOR);
        return new CmsSealed(cms.toByteArray(), sealed.key(), sealed.digest());
    }

    private static Optional<OpaqueMessage> readBase64(byte[] structure) throws Exception {
        return read(
                TYPE + "\r\n" + BASE64 + "\r\n", latin1(Base64.getMimeEncoder().encodeToString(structure) + "\r\n"));
    }

    private static Optional<OpaqueMessage> read(String header, byte[] body) throws Exception {
        return OpaqueMessage.of(header(header), new ByteArrayInputStream(body));
    }

    /** Header and body as they are sealed. */
    private static String sealed(String header, byte[] body) throws Exception {
        OpaqueMessage message = read(header, body).orElseThrow();
        var out = new ByteArrayOutputStream();
        out.writeBytes(message.header().toBytes());
        message.body(new ByteArrayInputStream(body)).transferTo(out);
        return out.toString(StandardCharsets.ISO_8859_1);
    }

    private static MailHeader header(String fields) throws Exception {
        return MailHeader.read(new ByteArrayInputStream(latin1(fields + "\r\n")))
                .header();
    }

    private static byte[] signedData(ASN1ObjectIdentifier type, boolean hasContent) throws Exception {
        return generator()
                .generate(new CMSProcessableByteArray(type, SIGNED), hasContent)
                .getEncoded(ASN1Encoding.DER);
    }

    private static byte[] signedData(ASN1ObjectIdentifier type, int bytes) throws Exception {
        return generator()
                .generate(new CMSProcessableByteArray(type, new byte[bytes]), true)
                .getEncoded(ASN1Encoding.DER);
    }

    private static CMSSignedDataGenerator generator() throws Exception {
        var generator = new CMSSignedDataGenerator();
        generator.addSignerInfoGenerator(
                new JcaSimpleSignerInfoGeneratorBuilder().build("SHA256withECDSA", author.privateKey(), author.leaf()));
        generator.addCertificates(new JcaCertStore(author.chain()));
        return generator;
    }

    /** As programs write it that do not know the length yet. */
    private static byte[] indefinite() throws Exception {
        var generator = new CMSSignedDataStreamGenerator();
        generator.addSignerInfoGenerator(
                new JcaSimpleSignerInfoGeneratorBuilder().build("SHA256withECDSA", author.privateKey(), author.leaf()));
        generator.addCertificates(new JcaCertStore(author.chain()));
        var out = new ByteArrayOutputStream();
        try (OutputStream signing = generator.open(out, true)) {
            signing.write(SIGNED);
        }
        return out.toByteArray();
    }

    private static InputStream joined(byte[]... parts) throws IOException {
        return new SequenceInputStream(Collections.enumeration(Arrays.stream(parts)
                .map(each -> (InputStream) new ByteArrayInputStream(each))
                .toList()));
    }

    private static byte[] latin1(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
