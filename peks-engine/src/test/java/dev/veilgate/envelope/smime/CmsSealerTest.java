package dev.veilgate.envelope.smime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bouncycastle.cms.CMSAlgorithm;
import org.bouncycastle.cms.CMSAuthEnvelopedDataStreamGenerator;
import org.bouncycastle.cms.RecipientInfoGenerator;
import org.bouncycastle.cms.jcajce.JceKeyAgreeRecipientInfoGenerator;
import org.bouncycastle.cms.jcajce.JceKeyTransRecipientInfoGenerator;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sealed for RSA and elliptic curves; opened by ourselves and by the openssl program. */
class CmsSealerTest {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String[] NAMES = {"rsa@example.org", "p256@example.org", "p384@example.org", "p521@example.org"
    };
    private static final List<Certificates.Identity> IDENTITIES = new ArrayList<>();
    private static final List<RecipientCertificate> RECIPIENTS = new ArrayList<>();

    @TempDir
    Path folder;

    @BeforeAll
    static void makeIdentities() throws Exception {
        IDENTITIES.add(Certificates.of(NAMES[0]).rsa(2048));
        IDENTITIES.add(Certificates.of(NAMES[1]).ec("secp256r1"));
        IDENTITIES.add(Certificates.of(NAMES[2]).ec("secp384r1"));
        IDENTITIES.add(Certificates.of(NAMES[3]).ec("secp521r1"));
        for (int i = 0; i < NAMES.length; i++) {
            RECIPIENTS.add(RecipientCertificate.check(IDENTITIES.get(i).der(), NAMES[i], Instant.now()));
        }
    }

    @Test
    void everyRecipientOpensItWithTheirOwnKey() throws Exception {
        byte[] content = content(100_003);
        byte[] cms = seal(content).cms;
        for (Certificates.Identity identity : IDENTITIES) {
            var opened = new ByteArrayOutputStream();
            CmsOpener.open(new ByteArrayInputStream(cms), identity.key(), identity.certificate(), opened);
            assertThat(opened.toByteArray()).isEqualTo(content);
        }
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
    void contentKeyOpensItAndTheDigestIsOfTheStructure() throws Exception {
        byte[] content = content(5_000);
        Result sealed = seal(content);
        var opened = new ByteArrayOutputStream();
        CmsOpener.open(new ByteArrayInputStream(sealed.cms), sealed.key, opened);
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

    @Test
    void refusesWhatWasAlteredAnywhere() throws Exception {
        byte[] content = content(300);
        Result sealed = seal(content);
        int opened = 0;
        for (int i = 0; i < sealed.cms.length; i++) {
            byte[] altered = sealed.cms.clone();
            altered[i] ^= 1;
            try {
                var out = new ByteArrayOutputStream();
                CmsOpener.open(new ByteArrayInputStream(altered), sealed.key, out);
                assertThat(out.toByteArray()).as("byte %d", i).isEqualTo(content);
                opened++;
            } catch (UnopenableMailException e) {
                // as it should
            }
        }
        // Wraps and names of recipients are not covered by the content's tag; the content, its nonce and the tag are.
        assertThat(opened).isLessThan(sealed.cms.length - content.length - 16 - 12);
    }

    /** Unwrapping by PKCS #1 v1.5 tells an attacker by its error whether the padding was right, which decrypts other mails' wraps. */
    @Test
    void refusesWrapsThatItDoesNotMakeBeforeItUsesTheKey() throws Exception {
        Certificates.Identity rsa = IDENTITIES.getFirst();
        var pkcs1 = new JceKeyTransRecipientInfoGenerator(rsa.certificate()).setProvider(new BouncyCastleProvider());
        assertThatThrownBy(() -> CmsOpener.open(
                        new ByteArrayInputStream(wrappedBy(pkcs1)),
                        rsa.key(),
                        rsa.certificate(),
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
                        OutputStream.nullOutputStream()))
                .isInstanceOf(UnopenableMailException.class)
                .hasMessageContaining("ECDH");
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

    @Test
    void refusesACutStructureAnotherKeyAndAnotherCertificate() throws Exception {
        Result sealed = seal(content(300));
        for (int length = 0; length < sealed.cms.length - 8; length++) {
            var in = new ByteArrayInputStream(sealed.cms, 0, length);
            assertThatThrownBy(() -> CmsOpener.open(in, sealed.key, OutputStream.nullOutputStream()))
                    .isInstanceOf(UnopenableMailException.class);
        }
        assertThatThrownBy(() -> CmsOpener.open(
                        new ByteArrayInputStream(sealed.cms), MailKey.of(new byte[32]), new ByteArrayOutputStream()))
                .isInstanceOf(UnopenableMailException.class)
                .hasMessageContaining("altered");
        var stranger = Certificates.of("x@example.org").ec("secp256r1");
        assertThatThrownBy(() -> CmsOpener.open(
                        new ByteArrayInputStream(sealed.cms),
                        stranger.key(),
                        stranger.certificate(),
                        new ByteArrayOutputStream()))
                .isInstanceOf(UnopenableMailException.class)
                .hasMessageContaining("not for this certificate");
        assertThatThrownBy(() -> CmsOpener.open(
                        new ByteArrayInputStream(sealed.cms),
                        stranger.key(),
                        IDENTITIES.get(1).certificate(),
                        new ByteArrayOutputStream()))
                .isInstanceOf(UnopenableMailException.class);
    }

    @Test
    void largeMailsFlowThroughInPieces() throws Exception {
        long bytes = 32L << 20;
        Path cms = folder.resolve("big.der");
        CmsSealer.Sealed sealed;
        try (InputStream in = new Zeros(bytes);
                OutputStream out = Files.newOutputStream(cms)) {
            sealed = new CmsSealer(RANDOM).seal(in, out, RECIPIENTS.subList(0, 2));
        }
        var count = new long[1];
        try (InputStream in = Files.newInputStream(cms)) {
            CmsOpener.open(in, sealed.key(), new OutputStream() {
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

    private record Result(byte[] cms, MailKey key, byte[] digest) {}

    private static Result seal(byte[] content) throws IOException {
        var out = new ByteArrayOutputStream();
        var sealed = new CmsSealer(RANDOM).seal(new ByteArrayInputStream(content), out, RECIPIENTS);
        return new Result(out.toByteArray(), sealed.key(), sealed.digest());
    }

    private static byte[] content(int bytes) {
        byte[] content = new byte[bytes];
        RANDOM.nextBytes(content);
        return content;
    }

    private byte[] openssl(Path cms, Certificates.Identity identity) throws Exception {
        Path out = folder.resolve("opened");
        Process process = new ProcessBuilder(
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
                        out.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
        return Files.readAllBytes(out);
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
