package dev.veilgate.transport;

import static dev.veilgate.transport.TestCertificates.authority;
import static dev.veilgate.transport.TestCertificates.pair;
import static dev.veilgate.transport.TestCertificates.pem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.transport.TestCertificates.Held;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PemFileTest {
    private static Held rsa;
    private static Held ec;

    @TempDir
    Path folder;

    @BeforeAll
    static void make() throws Exception {
        rsa = authority(pair("RSA", 2048), "SHA256withRSA");
        ec = authority(pair("EC", 384), "SHA384withECDSA");
    }

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("file.pem"), text);
    }

    /** In the form that was usual before PKCS #8: PKCS #1, SEC 1, or OpenSSL's of DSA. */
    private static String oldForm(PrivateKey key) throws IOException {
        var out = new StringWriter();
        try (var writer = new JcaPEMWriter(out)) {
            writer.writeObject(key);
        }
        return out.toString();
    }

    @Test
    void readsKeysInPkcs8() throws Exception {
        for (KeyPair pair : List.of(pair("RSA", 2048), pair("EC", 256), pair("Ed25519", 0), pair("DSA", 2048))) {
            String signature = switch (pair.getPublic().getAlgorithm()) {
                case "RSA" -> "SHA256withRSA";
                case "EC" -> "SHA256withECDSA";
                case "DSA" -> "SHA256withDSA";
                default -> "Ed25519";
            };
            Held held = authority(pair, signature);
            Path file = file(pem("PRIVATE KEY", held.key().getEncoded()));
            assertThat(PemFile.privateKey(file, held.certificate()))
                    .as(pair.getPublic().getAlgorithm())
                    .isEqualTo(held.key());
        }
    }

    @Test
    void readsKeysInOldForms() throws Exception {
        assertThat(oldForm(rsa.key())).startsWith("-----BEGIN RSA PRIVATE KEY-----");
        assertThat(PemFile.privateKey(file(oldForm(rsa.key())), rsa.certificate()))
                .isEqualTo(rsa.key());
        for (int bits : new int[] {256, 384, 521}) {
            Held held = authority(pair("EC", bits), "SHA256withECDSA");
            String text = oldForm(held.key());
            assertThat(text).startsWith("-----BEGIN EC PRIVATE KEY-----");
            assertThat(PemFile.privateKey(file(text), held.certificate())).isEqualTo(held.key());
        }
        Held dsa = authority(pair("DSA", 2048), "SHA256withDSA");
        assertThat(oldForm(dsa.key())).startsWith("-----BEGIN DSA PRIVATE KEY-----");
        assertThat(PemFile.privateKey(file(oldForm(dsa.key())), dsa.certificate()))
                .isEqualTo(dsa.key());
    }

    @Test
    void readsKeyAndCertificatesOfOneFileInAnyOrder() throws Exception {
        String key = "-----BEGIN EC PARAMETERS-----\nBgUrgQQAIg==\n-----END EC PARAMETERS-----\n" + oldForm(ec.key());
        String certificates = "subject=/CN=authority\n" + pem(ec.certificate()) + pem(rsa.certificate());
        for (String text :
                List.of(key + certificates, certificates + key, (certificates + "\r\n" + key).replace("\n", "\r\n"))) {
            Path file = file(text);
            assertThat(PemFile.certificates(file)).containsExactly(ec.certificate(), rsa.certificate());
            assertThat(PemFile.privateKey(file, ec.certificate())).isEqualTo(ec.key());
        }
    }

    @Test
    void readsCertificatesInDerAndPkcs7() throws Exception {
        Path der = Files.write(folder.resolve("a.der"), ec.certificate().getEncoded());
        assertThat(PemFile.certificates(der)).containsExactly(ec.certificate());
        byte[] pkcs7 = CertificateFactory.getInstance("X.509")
                .generateCertPath(List.of(ec.certificate()))
                .getEncoded("PKCS7");
        assertThat(PemFile.certificates(Files.write(folder.resolve("a.p7b"), pkcs7)))
                .containsExactly(ec.certificate());
        assertThat(PemFile.certificates(file(pem("PKCS7", pkcs7)))).containsExactly(ec.certificate());
        assertThat(PemFile.certificates(
                        file(pem("X509 CERTIFICATE", ec.certificate().getEncoded()))))
                .containsExactly(ec.certificate());
    }

    @Test
    void refusesFileWithoutCertificates() throws Exception {
        assertThatThrownBy(() -> PemFile.certificates(file("")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("must hold certificates in PEM");
        Path key = file(pem("PRIVATE KEY", ec.key().getEncoded()));
        assertThatThrownBy(() -> PemFile.certificates(key))
                .isInstanceOfAny(IOException.class, GeneralSecurityException.class);
    }

    @Test
    void refusesCertificateThatIsCut() throws Exception {
        String text = pem(ec.certificate());
        for (String cut : List.of(
                text + text.substring(0, text.length() / 2),
                text.substring(0, text.length() / 2),
                text.substring(0, 200) + text.substring(text.indexOf("-----END")))) {
            assertThatThrownBy(() -> PemFile.certificates(file(cut))).isInstanceOf(GeneralSecurityException.class);
        }
    }

    @Test
    void refusesKeyUnderPassphrase() throws Exception {
        String headers = "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n"
                + "DEK-Info: AES-256-CBC,00112233445566778899AABBCCDDEEFF\n\n";
        String old = oldForm(rsa.key()).replaceFirst("-----BEGIN RSA PRIVATE KEY-----\\R", headers);
        assertThat(old).contains("Proc-Type: 4,ENCRYPTED");
        for (String text : List.of(old, pem("ENCRYPTED PRIVATE KEY", rsa.key().getEncoded()), "")) {
            assertThatThrownBy(() -> PemFile.privateKey(file(text), rsa.certificate()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("without a passphrase");
        }
    }

    @Test
    void refusesKeyOfAnotherKind() throws Exception {
        Path file = file(pem("PRIVATE KEY", rsa.key().getEncoded()));
        assertThatThrownBy(() -> PemFile.privateKey(file, ec.certificate()))
                .isInstanceOf(GeneralSecurityException.class);
    }

    /** Whatever is between the lines of PEM, nothing but what is declared is thrown. */
    @Test
    void refusesBytesThatAreNoKey() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        byte[] good = rsa.key().getEncoded();
        for (String label : List.of("PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "DSA PRIVATE KEY")) {
            for (int n = 0; n < 200; n++) {
                byte[] bytes = Arrays.copyOf(good, random.nextInt(100));
                if (bytes.length > 0) {
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
                }
                Path file = file(pem(label, bytes));
                assertThatThrownBy(() -> PemFile.privateKey(file, ec.certificate()))
                        .as("seed %d, %s", seed, label)
                        .isInstanceOf(GeneralSecurityException.class);
            }
        }
    }
}
