package dev.veilgate.demo;

import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.authority.KeyFileException;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.PassphraseCost;
import dev.veilgate.authority.SearchScheme;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.PublicBundle.Recipient;
import dev.veilgate.envelope.SenderRegistry;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.envelope.smime.RefusedSignerException;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.files.DurableFiles;
import dev.veilgate.profiles.LaterRules;
import dev.veilgate.sender.IdentityFile;
import dev.veilgate.sender.MailSignerFile;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * The files of the demonstration: what an authority, a sender, a recipient and an operator would have each on a machine
 * of their own.
 *
 * @param folder      all of it
 * @param fingerprint of the authority
 * @param httpPort    of the gateway
 * @param smtpPort    of the gateway
 * @param mqttPort    of the gateway
 * @param proxyPort   of the mail proxy
 * @param consolePort of the console
 */
record DemoSite(
        Path folder, String fingerprint, int httpPort, int smtpPort, int mqttPort, int proxyPort, int consolePort) {
    static final String TENANT = "demo";
    static final String DEVICE = "plant";
    static final String LOG_SCOPE = "plant";
    static final String MAILBOX = "alice@demo.example";
    /** Key and certificate of the mailbox, as mail programs import them. */
    static final String MAILBOX_KEY = "alice.p12";

    static final String MAILBOX_PASSPHRASE = "veilgate-demo";
    /** Certificate of the authority by which mail is signed, in PEM. */
    static final String MAIL_AUTHORITY = "mail-authority.pem";

    static final String MAIL_SCOPE = "mailbox-alice";
    static final String PAGER = "pager@demo.example";
    /** Who may read the logs, of those who log in at the console. */
    static final String READERS = "role:auditor AND site:plant-7";

    /** Domains of the senders of the sample mails. */
    private static final List<String> SENDERS = List.of("demo.example", "plant.example");

    private static final Duration VALID = Duration.ofDays(90);

    /** Makes keys, an identity, a mailbox with its certificate, what mail is signed with, and the public bundle. */
    static DemoSite create(Path folder, Clock clock, SecureRandom random) throws IOException, GeneralSecurityException {
        Instant now = clock.instant();
        String passphrase = randomText(random);
        secret(folder, "passphrase", passphrase);
        try (TenantKeys keys = TenantKeys.generate(
                        TENANT,
                        SearchScheme.DEFAULT,
                        EpochPolicy.MONTHLY,
                        ExtractorProfile.defaults().encode(),
                        SENDERS,
                        random,
                        now);
                KeyFolder opened = KeyFolder.create(
                        folder.resolve("keys"),
                        keys,
                        passphrase.getBytes(StandardCharsets.UTF_8),
                        PassphraseCost.DEFAULT,
                        random);
                SigningKey identity = IdentityFile.create(folder.resolve("identity"), DEVICE, random)) {
            LaterRules.begin(keys, now);
            keys.putSender(identity.publicKey());
            keys.addScope(LOG_SCOPE);
            keys.putRecipient(new Recipient(MAILBOX, certificate(folder, now), MAIL_SCOPE));
            MailSigner signer = keys.mailSigner().orElseThrow();
            MailSignerFile.create(folder, signer, random);
            secret(
                    folder,
                    MAIL_AUTHORITY,
                    pem("CERTIFICATE", signer.chain().getLast().getEncoded()));
            byte[] bundle = keys.nextBundle(now, VALID);
            opened.save(); // before the serial is out
            keys.senders().publish(SenderRegistry.beside(folder.resolve("bundle.vgb")));
            DurableFiles.replace(folder, "bundle.vgb", null, bundle);
            String fingerprint = keys.authority().fingerprint();
            DurableFiles.replace(
                    folder, "authority.fingerprint", null, (fingerprint + "\n").getBytes(StandardCharsets.US_ASCII));
            int[] ports = FreePorts.choose(5);
            return new DemoSite(folder, fingerprint, ports[0], ports[1], ports[2], ports[3], ports[4]);
        } catch (KeyFileException | MalformedEncodingException | OperatorCreationException | RefusedSignerException e) {
            throw new IOException("keys could not be made: " + e.getMessage(), e);
        }
    }

    private static byte[] certificate(Path folder, Instant now)
            throws IOException, GeneralSecurityException, OperatorCreationException, RefusedSignerException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        KeyPair pair = generator.generateKeyPair();
        X500Name name = new X500Name("CN=Alice of the demonstration");
        X509CertificateHolder certificate = new JcaX509v3CertificateBuilder(
                        name,
                        BigInteger.valueOf(now.toEpochMilli()),
                        Date.from(now.minus(Duration.ofDays(1))),
                        Date.from(now.plus(VALID)),
                        name,
                        pair.getPublic())
                .addExtension(
                        Extension.subjectAlternativeName,
                        false,
                        new GeneralNames(new GeneralName(GeneralName.rfc822Name, MAILBOX)))
                .build(new JcaContentSignerBuilder("SHA256withECDSA").build(pair.getPrivate()));
        secret(folder, "alice.key.pem", pem("PRIVATE KEY", pair.getPrivate().getEncoded()));
        secret(folder, "alice.certificate.pem", pem("CERTIFICATE", certificate.getEncoded()));
        X509Certificate parsed = new JcaX509CertificateConverter().getCertificate(certificate);
        DurableFiles.replace(
                folder,
                MAILBOX_KEY,
                null,
                MailSigner.of(pair.getPrivate(), List.of(parsed)).toPkcs12(MAILBOX_PASSPHRASE.toCharArray()));
        return certificate.getEncoded();
    }

    private static String pem(String what, byte[] der) {
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN " + what + "-----\n" + base64 + "\n-----END " + what + "-----\n";
    }

    /** Readable by its owner only. */
    static void secret(Path folder, String name, String text) throws IOException {
        DurableFiles.replace(folder, name, null, text.getBytes(StandardCharsets.UTF_8));
    }

    private static String randomText(SecureRandom random) {
        byte[] bytes = new byte[24];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Settings of the gateway. It gets the public bundle and no other file of this folder. */
    void writeGatewaySettings(int mailSinkPort) throws IOException {
        String yaml = """
                # The gateway of the demonstration. It has the public bundle and no key.
                server:
                  port: %d
                veilgate:
                  data-dir: %s
                  hostname: gateway.demo.example
                  tenants:
                    - bundle: %s
                      authority: "%s"
                  smtp:
                    listeners:
                      - host: 127.0.0.1
                        port: %d
                        tls: none
                    domains:
                      "[demo.example]":
                        plain: refuse
                  mqtt:
                    embedded:
                      listen: 127.0.0.1:%d
                  deliver:
                    relays:
                      "[demo.example]":
                        host: 127.0.0.1
                        port: %d
                        tls: none
                """.formatted(
                        httpPort,
                        quoted(folder.resolve("gateway")),
                        quoted(folder.resolve("bundle.vgb")),
                        fingerprint,
                        smtpPort,
                        mqttPort,
                        mailSinkPort);
        Files.writeString(folder.resolve("gateway.yaml"), yaml);
    }

    String consoleUrl() {
        return "http://localhost:" + consolePort;
    }

    /** Settings of the console, which has the keys. */
    void writeConsoleSettings() throws IOException {
        String yaml = """
                # The console of the demonstration, within the authority's trust: it has the keys.
                server:
                  port: %d
                veilgate:
                  url: %s
                  data-dir: %s
                  keys:
                    folder: %s
                    passphrase-file: %s
                  gateway:
                    url: http://127.0.0.1:%d
                    token-file: %s
                """.formatted(
                        consolePort,
                        consoleUrl(),
                        quoted(folder.resolve("console")),
                        quoted(folder.resolve("keys")),
                        quoted(folder.resolve("passphrase")),
                        httpPort,
                        quoted(folder.resolve("token")));
        Files.writeString(folder.resolve("console.yaml"), yaml);
    }

    private static String quoted(Path path) {
        return "\"" + path.toString().replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    /** What commands of the authority find their way by. */
    Map<String, String> environment() throws IOException {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("VEILGATE_KEYS", folder.resolve("keys").toString());
        variables.put("VEILGATE_PASSPHRASE", Files.readString(folder.resolve("passphrase")));
        variables.put("VEILGATE_BUNDLE", folder.resolve("bundle.vgb").toString());
        variables.put("VEILGATE_AUTHORITY", fingerprint);
        variables.put("VEILGATE_IDENTITY", folder.resolve("identity").toString());
        variables.put(
                "VEILGATE_MAIL_SIGNING_KEY", folder.resolve(MailSignerFile.NAME).toString());
        variables.put(
                "VEILGATE_MAIL_SIGNING_PASSPHRASE_FILE",
                folder.resolve(MailSignerFile.PASSPHRASE_NAME).toString());
        variables.put("VEILGATE_SCOPE", LOG_SCOPE);
        variables.put("VEILGATE_GATEWAY", "http://127.0.0.1:" + httpPort);
        variables.put("VEILGATE_TOKEN_FILE", folder.resolve("token").toString());
        return variables;
    }

    /** A file for the shell with the same. */
    void writeEnvironment() throws IOException {
        StringBuilder text = new StringBuilder();
        environment()
                .forEach((name, value) -> text.append("export ")
                        .append(name)
                        .append("='")
                        .append(value.replace("'", "'\\''"))
                        .append("'\n"));
        secret(folder, "env", text.toString());
    }
}
