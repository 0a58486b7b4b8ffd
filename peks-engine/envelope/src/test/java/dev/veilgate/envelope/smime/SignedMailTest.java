package dev.veilgate.envelope.smime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.cms.AttributeTable;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.smime.SMIMECapabilitiesAttribute;
import org.bouncycastle.asn1.smime.SMIMECapabilityVector;
import org.bouncycastle.cert.jcajce.JcaCertStore;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.CMSSignedDataGenerator;
import org.bouncycastle.cms.DefaultSignedAttributeTableGenerator;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoGeneratorBuilder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates out of mails that programs signed. */
class SignedMailTest {
    private static final String TEXT = "Content-Type: text/plain\r\n\r\nhello\r\n";

    @TempDir
    private Path folder;

    private Certificates.Identity ada;

    @BeforeEach
    void makeIdentity() throws Exception {
        ada = Certificates.of("ada@example.org").rsa(2048);
    }

    private String openssl(String... more) throws Exception {
        Path out = folder.resolve("signed.eml");
        List<String> command = new ArrayList<>(List.of(
                "openssl",
                "cms",
                "-sign",
                "-in",
                Files.writeString(folder.resolve("text"), TEXT).toString(),
                "-signer",
                ada.writeCertificate(folder).toString(),
                "-inkey",
                ada.writeKey(folder).toString(),
                "-out",
                out.toString()));
        command.addAll(List.of(more));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return "From: ada@example.org\r\nSubject: hello\r\n"
                + Files.readString(out).replace("MIME-Version: 1.0\r\n", "");
    }

    private static SignedMail read(String mail) throws MalformedMailException {
        return SignedMail.read(mail.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Test
    void findsTheSignersCertificateInBothFormsWithEitherLineEnd() throws Exception {
        for (String mail : List.of(openssl(), openssl("-nodetach"))) {
            String lines = mail.replace("\r\n", "\n");
            for (String each : List.of(lines, lines.replace("\n", "\r\n"))) {
                SignedMail signed = read(each);
                assertThat(signed.certificate()).isEqualTo(ada.certificate());
                assertThat(signed.readsAuthenticated()).isFalse();
            }
        }
    }

    @Test
    void refusesWhatIsAlteredOrNotSigned() throws Exception {
        String mail = openssl();
        int text = mail.lastIndexOf("hello");
        assertThatThrownBy(() -> read(mail.substring(0, text) + "hallo" + mail.substring(text + 5)))
                .isInstanceOf(MalformedMailException.class);
        for (String each : List.of(
                "",
                "hello",
                TEXT,
                mail.substring(0, mail.length() / 2),
                "Content-Type: application/pkcs7-mime\r\n\r\nAAAA\r\n",
                "Content-Type: multipart/signed; boundary=x\r\n\r\n--x\r\n\r\n--x\r\n--x--\r\n")) {
            assertThatThrownBy(() -> read(each)).isInstanceOf(MalformedMailException.class);
        }
    }

    @Test
    void theSignedCapabilitiesSayWhetherTheProgramReadsAuthEnvelopedData() throws Exception {
        SMIMECapabilityVector capabilities = new SMIMECapabilityVector();
        capabilities.addCapability(NISTObjectIdentifiers.id_aes256_CBC);
        capabilities.addCapability(NISTObjectIdentifiers.id_aes256_GCM);
        ASN1EncodableVector attributes = new ASN1EncodableVector();
        attributes.add(new SMIMECapabilitiesAttribute(capabilities));
        var generator = new CMSSignedDataGenerator();
        generator.addSignerInfoGenerator(new JcaSimpleSignerInfoGeneratorBuilder()
                .setSignedAttributeGenerator(new DefaultSignedAttributeTableGenerator(new AttributeTable(attributes)))
                .build("SHA256withRSA", ada.key(), ada.certificate()));
        generator.addCertificates(new JcaCertStore(List.of(ada.certificate())));
        byte[] signed = generator
                .generate(new CMSProcessableByteArray(TEXT.getBytes(StandardCharsets.US_ASCII)), true)
                .getEncoded();
        SignedMail mail = read("Content-Type: application/pkcs7-mime; smime-type=signed-data\r\n\r\n"
                + Base64.getMimeEncoder().encodeToString(signed));
        assertThat(mail.readsAuthenticated()).isTrue();
        assertThat(mail.certificate()).isEqualTo(ada.certificate());
    }
}
