package dev.veilgate.gateway;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.ChainPosition;
import dev.veilgate.envelope.EnvelopeDraft;
import dev.veilgate.envelope.EnvelopeSealer;
import dev.veilgate.envelope.MailBinding;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.RefusedBundleException;
import dev.veilgate.envelope.smime.Encryption;
import dev.veilgate.envelope.smime.HeaderProtection;
import dev.veilgate.envelope.smime.MailHeader;
import dev.veilgate.envelope.smime.MailKey;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.envelope.smime.MalformedMailException;
import dev.veilgate.envelope.smime.OuterHeader;
import dev.veilgate.envelope.smime.RecipientCertificate;
import dev.veilgate.envelope.smime.RefusedCertificateException;
import dev.veilgate.envelope.smime.RefusedSignerException;
import dev.veilgate.envelope.smime.SealedMailWriter;
import dev.veilgate.envelope.smime.SignedAs;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.Posting;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Clock;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Seals mail as the proxy at the edge does, for one recipient whose certificate openssl makes. */
public final class TestMail {
    /** Whose certificate it is. */
    public static final String ADDRESS = "ada@example.org";

    private final Path certificate;
    private final Path key;
    private final RecipientCertificate recipient;
    private final PublicBundle bundle;
    private final EnvelopeSealer sealer;
    private final TestTenant tenant;
    private final SealedMailWriter writer = new SealedMailWriter(new SecureRandom());
    private final MailSigner signer;

    /** @param folder for the certificate and its key */
    public TestMail(Path folder, TestTenant tenant) throws IOException, InterruptedException {
        this.tenant = tenant;
        certificate = folder.resolve("mail.crt");
        key = folder.resolve("mail.key");
        run(List.of(
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-nodes",
                "-days",
                "2",
                "-subj",
                "/CN=ada",
                "-addext",
                "subjectAltName=email:" + ADDRESS,
                "-keyout",
                key.toString(),
                "-out",
                certificate.toString()));
        String pem = Files.readString(certificate);
        byte[] der = Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", ""));
        try {
            recipient = RecipientCertificate.check(der, ADDRESS, Instant.now());
            signer = signer(recipient.certificate(), Files.readString(key));
            bundle = PublicBundle.verify(
                    tenant.bundle(), tenant.keys().authority().fingerprint(), Instant.now());
            sealer = new EnvelopeSealer(bundle, null, Clock.systemUTC(), new SecureRandom());
        } catch (GeneralSecurityException
                | RefusedSignerException
                | RefusedCertificateException
                | RefusedBundleException
                | MalformedEncodingException e) {
            throw new AssertionError(e);
        }
    }

    /** The recipient's key serves the tenant too. */
    private static MailSigner signer(X509Certificate certificate, String pem)
            throws GeneralSecurityException, RefusedSignerException {
        byte[] der = Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", ""));
        return MailSigner.of(
                KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(der)), List.of(certificate));
    }

    /** A sealed mail with an index of these words. */
    public byte[] seal(String mail, String... words) throws IOException {
        return seal(sealer, mail, words);
    }

    /** The same with an id that was another's. */
    public byte[] sealWithId(UUID id, String mail, String... words) throws IOException {
        ChosenId chosen = new ChosenId(id);
        try (EnvelopeSealer own = new EnvelopeSealer(bundle, null, chosen.clock(), chosen)) {
            return seal(own, mail, words);
        }
    }

    private byte[] seal(EnvelopeSealer own, String mail, String... words) throws IOException {
        return seal(own, Optional.of(tenantSigner()), mail, words);
    }

    /** The tenant's own, as in its bundle. */
    private MailSigner tenantSigner() {
        try {
            return tenant.keys().mailSigner().orElseThrow().ofTenant();
        } catch (MalformedEncodingException e) {
            throw new AssertionError(e);
        }
    }

    /** A sealed mail whose outer header somebody binds. */
    public byte[] sealBoundBy(MailSigner binding, String mail, String... words) throws IOException {
        return seal(sealer, Optional.of(binding), mail, words);
    }

    /** A sealed mail as an edge makes it of a sender: content and outer header are signed by the same. */
    public byte[] sealAs(MailSigner sender, String mail, String... words) throws IOException {
        return seal(sealer, sender, Optional.of(sender), mail, words);
    }

    /** The same where somebody else binds the outer header. */
    public byte[] sealBoundBy(MailSigner content, MailSigner binding, String mail, String... words) throws IOException {
        return seal(sealer, content, Optional.of(binding), mail, words);
    }

    /** The recipient's certificate and key in a PKCS #12 file. */
    public Path pkcs12(String passphrase) throws IOException, InterruptedException {
        Path file = certificate.resolveSibling("mail.p12");
        run(List.of(
                "openssl",
                "pkcs12",
                "-export",
                "-inkey",
                key.toString(),
                "-in",
                certificate.toString(),
                "-out",
                file.toString(),
                "-passout",
                "pass:" + passphrase));
        return file;
    }

    /** A sealed mail of an edge that binds no outer header. */
    public byte[] sealUnbound(String mail, String... words) throws IOException {
        return seal(sealer, Optional.empty(), mail, words);
    }

    private byte[] seal(EnvelopeSealer own, Optional<MailSigner> binding, String mail, String... words)
            throws IOException {
        return seal(own, signer, binding, mail, words);
    }

    private byte[] seal(
            EnvelopeSealer own, MailSigner content, Optional<MailSigner> binding, String mail, String... words)
            throws IOException {
        List<Posting> postings = java.util.Arrays.stream(words)
                .map(word -> Posting.of(Keyword.text("word", word), 0))
                .toList();
        return write(mail.getBytes(StandardCharsets.ISO_8859_1), content, (outer, contentKey, digest) -> {
            var draft = new EnvelopeDraft(
                    TestTenant.SCOPE,
                    tenant.epoch(Clock.systemUTC()),
                    Instant.now(),
                    Instant.now(),
                    "application/pkcs7-mime",
                    List.of(),
                    List.of(),
                    List.of(),
                    0);
            MailBinding bound = binding.map(by -> new MailBinding(OuterHeader.unfolded(outer), by))
                    .orElse(null);
            byte[] key = contentKey.toBytes();
            return own.sealDetached(
                            draft, List.of(TestTenant.SCOPE), postings, digest, key, ChainPosition.first(), bound)
                    .bytes();
        });
    }

    /** A sealed mail without an index. */
    public byte[] sealWithoutIndex(String mail) throws IOException {
        return write(mail.getBytes(StandardCharsets.ISO_8859_1), signer, null);
    }

    /** Makes an index that knows the outer header. */
    @FunctionalInterface
    private interface IndexOf {
        byte[] index(String outer, MailKey key, byte[] digest) throws IOException;
    }

    private byte[] write(byte[] mail, MailSigner content, @Nullable IndexOf index) throws IOException {
        try (InputStream in = new ByteArrayInputStream(mail)) {
            MailHeader.Split split = MailHeader.read(in);
            var header = HeaderProtection.protect(split.header(), "bob@elsewhere.example", Instant.now());
            var out = new ByteArrayOutputStream();
            InputStream body = new SequenceInputStream(new ByteArrayInputStream(split.start()), in);
            SignedAs as = new SignedAs(content, Instant.now());
            SealedMailWriter.IndexMaker maker =
                    index == null ? null : (contentKey, digest) -> index.index(header.outer(), contentKey, digest);
            writer.write(header, body, List.of(recipient), Encryption.SIGNED, as, maker, out);
            return out.toByteArray();
        } catch (MalformedMailException e) {
            throw new AssertionError(e);
        }
    }

    /** The message of a delivered mail, decrypted by openssl and taken out of its signature. */
    public String open(byte[] delivered) throws IOException, InterruptedException {
        Path file = Files.write(certificate.resolveSibling("delivered.eml"), delivered);
        Path entity = certificate.resolveSibling("entity.eml");
        run(List.of(
                "openssl",
                "cms",
                "-decrypt",
                "-binary",
                "-in",
                file.toString(),
                "-inkey",
                key.toString(),
                "-recip",
                certificate.toString(),
                "-out",
                entity.toString()));
        return run(List.of("openssl", "cms", "-verify", "-noverify", "-binary", "-in", entity.toString()));
    }

    /** Runs a program to its end; what it said. */
    public static String run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + " failed");
        }
        return output;
    }
}
