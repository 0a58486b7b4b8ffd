package dev.veilgate.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.authority.SearchScheme;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.envelope.KemSecretKey;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.PublicBundleContent;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.peks.lattice.ntru.KeyPair;
import dev.veilgate.peks.lattice.ntru.NtruPeks;
import dev.veilgate.sender.KeptBundle;
import dev.veilgate.sender.MailSignerFile;
import dev.veilgate.service.LineLog;
import dev.veilgate.settings.AuthenticatedPrograms;
import dev.veilgate.settings.MailFormSettings;
import dev.veilgate.settings.OwnedAddresses;
import dev.veilgate.settings.ProxySettings;
import dev.veilgate.settings.RelaySettings;
import dev.veilgate.settings.ShownSubjects;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.cms.CMSSignedData;
import org.bouncycastle.cms.SignerId;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;

/** A tenant with a bundle, recipients with certificates, and the openssl program. */
final class MailLab {
    static final String TENANT = "acme";
    static final String PASSPHRASE = "x";

    /** First bytes of a signed entity, by which it is told from a message. */
    static final String SIGNED_START =
            "MIME-Version: 1.0\r\n" + "Content-Type: application/pkcs7-mime; smime-type=signed-data;";

    private static KeyPair indexKeys;

    final Path folder;
    final Clock clock;
    final SigningKey authority = SigningKey.generate("authority", new SecureRandom());
    final KemSecretKey wrapKey = KemSecretKey.generate(new SecureRandom());
    final Path bundle;

    /** Key and certificate, in PEM or as the authority exports them. */
    Path signingKey;

    /** Passphrase of the former; null for PEM. */
    @Nullable
    Path signingPassphrase;

    /** In PEM, what programs are to trust so that they find its signatures good. */
    Path signerCertificate;

    /** Whom the next bundle names. */
    List<List<X509Certificate>> mailSigners = List.of();

    private final Map<String, Identity> identities = new HashMap<>();
    private long serial;

    /** A certificate and its key, also as PEM files. */
    record Identity(String address, X509Certificate certificate, PrivateKey key, Path certificateFile, Path keyFile) {}

    MailLab(Path folder) throws Exception {
        this(folder, Clock.systemUTC());
    }

    /** @param clock by which certificates are made and mail is sealed */
    MailLab(Path folder, Clock clock) throws Exception {
        this.folder = folder;
        this.clock = clock;
        this.bundle = folder.resolve("acme.vgb");
        add("rsa@example.org", "RSA", Duration.ofDays(1));
        add("ec@example.org", "EC", Duration.ofDays(1));
        add("hidden@example.org", "EC", Duration.ofDays(1));
        add("expired@example.org", "EC", Duration.ofDays(-1));
        signingKey = folder.resolve("signer.pem");
        add("signer", "EC", Duration.ofDays(1));
        Identity signer = identities.remove("signer");
        Files.writeString(signingKey, Files.readString(signer.keyFile()) + Files.readString(signer.certificateFile()));
        signerCertificate = signer.certificateFile();
        mailSigners = List.of(List.of(signer.certificate()));
        publish();
    }

    /** Signs as senders in a domain from now on, with keys as the authority makes and exports them. */
    void signAsSenders(String domain) throws Exception {
        MailSigner signer = senders(domain, clock.instant());
        MailSignerFile.create(folder, signer, new SecureRandom());
        signingKey = folder.resolve(MailSignerFile.NAME);
        signingPassphrase = folder.resolve(MailSignerFile.PASSPHRASE_NAME);
        signerCertificate = pem(
                folder.resolve("mail-authority.pem"),
                "CERTIFICATE",
                signer.chain().getLast().getEncoded());
        mailSigners = List.of(signer.chain());
        publish();
    }

    /** A new authority for senders in a domain. */
    static MailSigner senders(String domain, Instant now) throws Exception {
        try (TenantKeys keys = TenantKeys.generate(
                TENANT,
                SearchScheme.DEFAULT,
                EpochPolicy.MONTHLY,
                ExtractorProfile.defaults().encode(),
                List.of(domain),
                new SecureRandom(),
                now)) {
            return keys.mailSigner().orElseThrow();
        }
    }

    static synchronized KeyPair indexKeys() {
        if (indexKeys == null) {
            indexKeys = NtruPeks.withDefaults().keyGen();
        }
        return indexKeys;
    }

    Identity identity(String address) {
        return identities.get(address);
    }

    String fingerprint() {
        return authority.publicKey().fingerprint();
    }

    void add(String address, String algorithm, Duration validFor) throws Exception {
        add(address, algorithm, algorithm.equals("RSA") ? 2048 : 256, validFor);
    }

    /** @param bits of the RSA modulus, or of the curve's field */
    void add(String address, String algorithm, int bits, Duration validFor) throws Exception {
        var generator = KeyPairGenerator.getInstance(algorithm);
        generator.initialize(bits);
        var pair = generator.generateKeyPair();
        var name = new X500Name("CN=" + address);
        Instant end = clock.instant().plus(validFor);
        var builder = new JcaX509v3CertificateBuilder(
                name,
                new BigInteger(100, new SecureRandom()),
                Date.from(end.minus(Duration.ofDays(30))),
                Date.from(end),
                name,
                pair.getPublic());
        builder.addExtension(
                Extension.subjectAlternativeName,
                false,
                new GeneralNames(new GeneralName(GeneralName.rfc822Name, address)));
        var signer = new JcaContentSignerBuilder(algorithm.equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA")
                .build(pair.getPrivate());
        var certificate = new JcaX509CertificateConverter().getCertificate(builder.build(signer));
        identities.put(
                address,
                new Identity(
                        address,
                        certificate,
                        pair.getPrivate(),
                        pem(folder.resolve(address + ".crt"), "CERTIFICATE", certificate.getEncoded()),
                        pem(
                                folder.resolve(address + ".key"),
                                "PRIVATE KEY",
                                pair.getPrivate().getEncoded())));
    }

    /** A new PKCS #12 file with somebody's key and certificate, under {@value #PASSPHRASE}. */
    Path pkcs12(String address) throws Exception {
        Identity who = identity(address);
        Path file = folder.resolve(address + ".p12");
        Result made = run(List.of(
                "openssl",
                "pkcs12",
                "-export",
                "-inkey",
                who.keyFile().toString(),
                "-in",
                who.certificateFile().toString(),
                "-name",
                address,
                "-out",
                file.toString(),
                "-passout",
                "pass:" + PASSPHRASE));
        assertThat(made.code()).as(made.output()).isZero();
        return file;
    }

    /** Writes a new bundle of all recipients, good for a day. */
    void publish() throws Exception {
        publish(Duration.ofDays(1));
    }

    /** Writes a new bundle of all recipients. */
    void publish(Duration validFor) throws Exception {
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        var recipients = new ArrayList<PublicBundle.Recipient>();
        for (Identity each : new TreeMap<>(identities).values()) {
            recipients.add(new PublicBundle.Recipient(
                    each.address(), each.certificate().getEncoded(), "mailbox-" + each.address()));
        }
        var content = new PublicBundleContent(
                TENANT,
                ++serial,
                now.minusSeconds(60),
                now.plus(validFor),
                List.of(new PublicBundle.IndexKey(
                        "ntru-peks",
                        indexKeys().publicKey().parameters().id(),
                        indexKeys().publicKey().encode())),
                wrapKey.publicKey(),
                List.of(new PublicBundle.Epoch("2026-11", now.minusSeconds(86_400), now.plus(Duration.ofDays(10)))),
                recipients,
                List.of(),
                List.of(),
                ExtractorProfile.defaults().encode(),
                List.of(),
                false,
                mailSigners);
        Path fresh = folder.resolve("bundle.new");
        Files.write(fresh, PublicBundle.sign(content, authority));
        Files.move(fresh, bundle, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
    }

    /** Settings with quick retries, on a free port. */
    ProxySettings settings(Path spool, long maxBytes, boolean partial) {
        var retry = new ProxySettings.Retry(Duration.ofMillis(100), Duration.ofMillis(200), Duration.ofHours(1));
        return new ProxySettings("127.0.0.1", 0, null, null, null, spool, maxBytes, partial, true, retry, 0, form());
    }

    /** Signed, as the product's default is. */
    MailFormSettings form() {
        return new MailFormSettings(
                signingKey,
                signingPassphrase,
                null,
                AuthenticatedPrograms.NONE,
                ShownSubjects.DEFAULT,
                OwnedAddresses.DEFAULT);
    }

    static RelaySettings relay(int port) {
        return RelaySettings.of("smtp://127.0.0.1:" + port, null, null, null, Duration.ofMinutes(2));
    }

    MailProxy proxy(ProxySettings settings, int relayPort) throws IOException {
        return proxy(settings, relayPort, Clock.systemUTC());
    }

    MailProxy proxy(ProxySettings settings, int relayPort, Clock clock) throws IOException {
        var log = new LineLog(System.out, clock);
        return MailProxy.start(settings, relay(relayPort), KeptBundle.ofFile(bundle), fingerprint(), clock, log);
    }

    /** What openssl makes of the S/MIME part of a sealed mail: it decrypts it, and finds the signature inside good. */
    byte[] openssl(byte[] sealed, String address) throws Exception {
        return opened(
                Files.write(folder.resolve("part.eml"), SealedParts.of(sealed).cmsPart()), address);
    }

    /** What openssl decrypts and verifies in an S/MIME part in a file. */
    byte[] opened(Path part, String address) throws Exception {
        return Files.readAllBytes(verified(decrypt(part, address)));
    }

    /** The message in what was decrypted: openssl finds its signature good, unless it has none. */
    Path verified(Path entity) throws Exception {
        try (InputStream in = Files.newInputStream(entity)) {
            String start = new String(in.readNBytes(SIGNED_START.length()), StandardCharsets.ISO_8859_1);
            if (!start.equals(SIGNED_START)) {
                return entity; // of AuthEnvelopedData
            }
        }
        Path message = folder.resolve("message.eml");
        Result verified = run(List.of(
                "openssl",
                "cms",
                "-verify",
                "-binary",
                "-in",
                entity.toString(),
                "-CAfile",
                signerCertificate.toString(),
                "-out",
                message.toString()));
        assertThat(verified.code()).as(verified.output()).isZero();
        return message;
    }

    /** The name in the certificate of who signed a sealed mail. */
    String signedBy(byte[] sealed, String address) throws Exception {
        Path part =
                Files.write(folder.resolve("part.eml"), SealedParts.of(sealed).cmsPart());
        String entity = Files.readString(decrypt(part, address), StandardCharsets.ISO_8859_1);
        CMSSignedData data =
                new CMSSignedData(Base64.getMimeDecoder().decode(entity.substring(entity.indexOf("\r\n\r\n"))));
        SignerId signer = data.getSignerInfos().getSigners().iterator().next().getSID();
        return data.getCertificates().getMatches(null).stream()
                .filter(signer::match)
                .map(certificate -> certificate.getSubject().toString())
                .findFirst()
                .orElseThrow();
    }

    /** Decrypts an S/MIME part in a file into another. */
    Path decrypt(Path part, String address) throws Exception {
        Path out = folder.resolve("opened.eml");
        Files.deleteIfExists(out);
        Result result = run(List.of(
                "openssl",
                "cms",
                "-decrypt",
                "-binary",
                "-in",
                part.toString(),
                "-inkey",
                identity(address).keyFile().toString(),
                "-recip",
                identity(address).certificateFile().toString(),
                "-out",
                out.toString()));
        assertThat(result.code()).as(result.output()).isZero();
        return out;
    }

    record Result(int code, String output) {}

    static Result run(List<String> command) throws Exception {
        return run(new ProcessBuilder(command));
    }

    static Result run(ProcessBuilder command) throws Exception {
        Process process = command.redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        return new Result(process.exitValue(), output);
    }

    static Path pem(Path file, String what, byte[] der) throws IOException {
        return Files.writeString(
                file,
                "-----BEGIN " + what + "-----\n"
                        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der) + "\n-----END " + what
                        + "-----\n");
    }
}
