package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.authority.AuthorityLog;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.cli.CommandRun.Result;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.PublicBundle.Recipient;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.envelope.smime.RecipientCertificate;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.issuing.HeadPolicy;
import dev.veilgate.issuing.IssuingLog;
import dev.veilgate.issuing.LogEntry;
import dev.veilgate.terminal.ExitCode;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Node;

/** Users of mail, by command: enrolled, renewed, withdrawn; what they are given, and what stays behind. */
class MailEnrolCommandTest {
    private static final String ADA = "ada@acme.example";
    private static final Pattern PASSPHRASE = Pattern.compile("(?m)^  ([0-9A-Z]{5}(?:-[0-9A-Z]{5}){4})$");

    @TempDir
    private Path temporary;

    private Site site;
    private CommandRun run;
    private Path out;

    @BeforeEach
    void makeSite() throws Exception {
        site = new Site(temporary);
        run = site.run;
        run.now = Instant.now();
        run.outIsTerminal = true;
        out = temporary.resolve("given");
    }

    private Result enrol(Object... more) {
        Object[] all = Stream.concat(Stream.of("mail", "enrol", ADA, "--out", out), Arrays.stream(more))
                .toArray();
        return run.run(all);
    }

    private Result ok(Object... more) {
        Result result = enrol(more);
        assertThat(result.code()).as(result.err()).isZero();
        return result;
    }

    private static char[] passphrase(Result result) {
        Matcher shown = PASSPHRASE.matcher(result.out());
        assertThat(shown.find()).as(result.out()).isTrue();
        return shown.group(1).toCharArray();
    }

    private X509Certificate inNextBundle() throws Exception {
        return certificate(recipient().certificate());
    }

    private Recipient recipient() throws Exception {
        run.outIsTerminal = false;
        site.newBundle();
        run.outIsTerminal = true;
        return PublicBundle.verify(Files.readAllBytes(site.bundle), site.authority, run.now)
                .recipient(ADA)
                .orElseThrow();
    }

    private static X509Certificate certificate(byte[] encoded) throws Exception {
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(encoded));
    }

    private static KeyStore store(Path file, char[] passphrase) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(new ByteArrayInputStream(Files.readAllBytes(file)), passphrase);
        return store;
    }

    private static Document xml(Path file) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
        return factory.newDocumentBuilder().parse(file.toFile());
    }

    private List<LogEntry> entries() throws Exception {
        byte[] secret = CommandRun.PASSPHRASE.getBytes(StandardCharsets.UTF_8);
        try (KeyFolder folder = KeyFolder.open(site.keys, secret, KeyFolder.Access.READ, new SecureRandom());
                IssuingLog log = AuthorityLog.open(
                        folder, HeadPolicy.DEFAULT, Clock.fixed(run.now, ZoneOffset.UTC), new SecureRandom())) {
            return log.newestFirst(Long.MAX_VALUE, 100).reversed();
        }
    }

    @Test
    void aUserHasAKeyThatTheNextBundleSealsFor() throws Exception {
        Result result = ok();
        char[] secret = passphrase(result);
        X509Certificate sealedFor = inNextBundle();
        KeyStore store = store(out.resolve(ADA + ".p12"), secret);
        String alias = store.aliases().nextElement();
        assertThat(store.getKey(alias, secret).getAlgorithm()).isEqualTo("RSA");
        assertThat(store.getCertificate(alias)).isEqualTo(sealedFor);
        assertThat(result.out()).contains("enrolled " + ADA, MailSigner.fingerprint(sealedFor), "veilgate keys bundle");
        X509Certificate authority = certificate(Files.readAllBytes(out.resolve("authority.pem")));
        assertThat(store.getCertificateChain(alias)).containsExactly(sealedFor, authority);
        assertThat(authority.getSubjectX500Principal().getName()).isEqualTo("CN=Veilgate mail of acme");
        assertThat(Files.readString(out.resolve("authority.pem")).split("BEGIN CERTIFICATE"))
                .hasSize(2);
        RecipientCertificate.check(sealedFor.getEncoded(), ADA, run.now);
        assertThat(recipient().scope()).isEqualTo("mailbox-" + ADA);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rsa-4096", "p256", "p384"})
    void otherKindsOfKeysAreMadeForEncryptionOnlyToo(String kind) throws Exception {
        ok("--key", kind);
        boolean[] usage = inNextBundle().getKeyUsage();
        boolean isRsa = kind.startsWith("rsa");
        for (int i = 0; i < usage.length; i++) {
            assertThat(usage[i]).as("usage %d", i).isEqualTo(i == (isRsa ? 2 : 4));
        }
    }

    @Test
    void theFolderIsItsOwnersAndHasNoPassphraseInIt() throws Exception {
        String secret = String.valueOf(passphrase(ok("--imap", "mail.acme.example", "--smtp", "proxy.acme.example")));
        assertThat(Files.getPosixFilePermissions(out)).isEqualTo(PosixFilePermissions.fromString("rwx------"));
        try (Stream<Path> files = Files.list(out)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            ADA + ".p12", "ada.mobileconfig", "authority.pem", "config-v1.1.xml", "README.txt");
        }
        try (Stream<Path> files = Stream.concat(Files.walk(out), Files.walk(site.keys))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(Files.getPosixFilePermissions(file))
                        .as(file.toString())
                        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
                assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                        .as(file.toString())
                        .doesNotContain(secret)
                        .doesNotContain(secret.substring(0, 5));
            }
        }
        assertThat(Files.readString(out.resolve("README.txt"))).contains(ADA, "proxy.acme.example, port 2525");
    }

    @Test
    void twoPassphrasesAreDifferent() throws Exception {
        char[] first = passphrase(ok());
        out = temporary.resolve("again");
        assertThat(passphrase(ok("--renew"))).isNotEqualTo(first);
    }

    @Test
    void thePassphraseIsShownToAPersonAlone() throws Exception {
        run.outIsTerminal = false;
        Result refused = enrol();
        assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.err()).contains("no terminal", "--print-passphrase");
        assertThat(out).doesNotExist();
        store(out.resolve(ADA + ".p12"), passphrase(ok("--print-passphrase")));
    }

    @Test
    void theLogTellsOfAKeyBeforeThereIsACertificate() throws Exception {
        run.ok("keys", "log", "--begin");
        ok("--scope", "mailbox-ada");
        LogEntry entry = entries().getFirst();
        X509Certificate issued = inNextBundle();
        assertThat(entry.kind()).isEqualTo(EntryKind.SENDER_CHANGE);
        assertThat(entry.details())
                .containsEntry("action", "enrolling")
                .containsEntry("name", "recipient " + ADA)
                .containsEntry("key-made-by", "authority")
                .containsEntry("serial-number", issued.getSerialNumber().toString(16))
                .containsEntry(
                        "key",
                        HexFormat.of()
                                .formatHex(MessageDigest.getInstance("SHA-256")
                                        .digest(issued.getPublicKey().getEncoded())));
        out = temporary.resolve("again");
        ok("--renew");
        run.ok("mail", "withdraw", ADA);
        assertThat(entries())
                .extracting(each -> each.details().get("action"))
                .containsExactly("enrolling", "signed", "renewing", "changed");
        assertThat(entries().getLast().details().get("name")).startsWith("withdrew the certificate of " + ADA);
    }

    /** A log that cannot be written stops it: no certificate, no folder. */
    @Test
    void withoutItsEntryNobodyIsEnrolled() throws Exception {
        run.ok("keys", "log", "--begin");
        run.ok("keys", "add-scope", "plant-8");
        Path log = site.keys.resolve(AuthorityLog.FOLDER);
        try (Stream<Path> files = Files.walk(log)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                byte[] bytes = Files.readAllBytes(file);
                for (int i = bytes.length / 2; i < bytes.length; i++) {
                    bytes[i] ^= 1;
                }
                Files.write(file, bytes);
            }
        }
        Result refused = enrol();
        assertThat(refused.code()).isEqualTo(ExitCode.IO);
        assertThat(out).doesNotExist();
        assertThat(run.run("mail", "enrolled").code()).isEqualTo(ExitCode.NO_MATCH);
    }

    /** Bundles would have a certificate whose key nobody has, or somebody a key that nothing is sealed for. */
    @Test
    void ofAKeyFolderThatCannotBeWrittenNothingIsHandedOver() throws Exception {
        Path previous = site.keys.resolve("keys.vgk.previous");
        Files.delete(previous);
        Files.createDirectories(previous.resolve("in the way"));
        Result failed = enrol();
        assertThat(failed.code()).isEqualTo(ExitCode.IO);
        assertThat(PASSPHRASE.matcher(failed.out()).find()).isFalse();
        assertThat(out).doesNotExist();
        assertThat(run.run("mail", "enrolled").code()).isEqualTo(ExitCode.NO_MATCH);
        try (Stream<Path> files = Files.list(temporary)) {
            assertThat(files.map(Path::toString)).noneMatch(name -> name.endsWith(".tmp"));
        }
    }

    @Test
    void enrollingTwiceIsAskedFor() throws Exception {
        ok("--scope", "mailbox-ada");
        X509Certificate first = inNextBundle();
        out = temporary.resolve("again");
        Result refused = enrol();
        assertThat(refused.code()).isEqualTo(ExitCode.REFUSED);
        assertThat(refused.err()).contains("enrolled already", "--renew");
        assertThat(out).doesNotExist();
        Result renewed = ok("--renew");
        assertThat(renewed.out()).contains("renewed " + ADA);
        assertThat(inNextBundle()).isNotEqualTo(first);
        assertThat(recipient().scope()).as("stays").isEqualTo("mailbox-ada");
    }

    /** The tenant's authority has signed nothing that users get then. */
    @Test
    void whereTheSignerIsImportedUsersAreToTrustItsAuthorityToo() throws Exception {
        assertThat(ok().err()).isEmpty();
        openssl("req -x509 -newkey rsa:2048 -noenc -keyout own.key -out own.pem -days 9 -subj /CN=own"
                + " -addext basicConstraints=critical,CA:FALSE -addext keyUsage=digitalSignature");
        openssl("pkcs12 -export -inkey own.key -in own.pem -out own.p12 -passout pass:twelve_or_more");
        run.environment.put("VEILGATE_SIGNER_PASSPHRASE", "twelve_or_more");
        run.now = Instant.now().plusSeconds(1); // within the certificate's time
        run.ok("keys", "mail-signer", "import", temporary.resolve("own.p12"));
        out = temporary.resolve("again");
        Result result = ok("--renew");
        assertThat(result.err()).contains("another authority, CN=own", "keys mail-signer show --pem");
        passphrase(result);
    }

    @Test
    void aBundleWarnsOfCertificatesThatEnd() throws Exception {
        ok();
        Instant end = inNextBundle().getNotAfter().toInstant();
        run.outIsTerminal = false;
        run.now = end.minus(Duration.ofDays(61));
        assertThat(run.ok("keys", "bundle", "-o", site.bundle).err()).doesNotContain(ADA);
        for (Instant late : List.of(end.minus(Duration.ofDays(59)), end.plus(Duration.ofDays(1)))) {
            run.now = late;
            assertThat(run.ok("keys", "bundle", "-o", site.bundle).err())
                    .contains("warning: mail is refused", ADA + " (" + end + ")", "mail enrol --renew");
        }
        for (int i = 0; i < 10; i++) {
            run.outIsTerminal = true;
            run.now = end.minus(Duration.ofDays(5 * 365));
            run.ok("mail", "enrol", "u" + i + "@acme.example", "--key", "p256", "--out", temporary.resolve("u" + i));
        }
        run.now = end.plus(Duration.ofDays(1));
        assertThat(run.ok("keys", "bundle", "-o", site.bundle).err()).contains("and 1 others");
    }

    @Test
    void renewingWhoIsNotEnrolledIsRefused() {
        assertThat(enrol("--renew").err()).contains("not enrolled yet");
    }

    @Test
    void nothingIsOverwritten() throws Exception {
        Files.createDirectory(out);
        Result refused = enrol();
        assertThat(refused.code()).isEqualTo(ExitCode.IO);
        assertThat(refused.err()).contains("exists already");
        assertThat(out).isEmptyDirectory();
        Files.delete(out);
        Files.createSymbolicLink(out, temporary.resolve("nowhere"));
        assertThat(enrol().code()).isEqualTo(ExitCode.IO);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ada",
                "@acme.example",
                "ada@",
                "ada@acme..example",
                "a da@acme.example",
                "ada@acme.example\n",
                "\"ada\"@acme.example",
                "\u00e4da@acme.example",
                "ada@[127.0.0.1]",
                "ada@acme.example,bob@acme.example",
                "../ada"
            })
    void addressesOutsideTheGrammarAreRefused(String address) {
        Result refused = run.run("mail", "enrol", address, "--out", out);
        if (address.endsWith("\n")) {
            assertThat(refused.code()).as("stripped").isZero();
        } else {
            assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
            assertThat(refused.err()).contains("no mail address");
            assertThat(out).doesNotExist();
        }
    }

    /** Signs that are allowed in addresses, and mean something in paths, shells and XML. */
    @Test
    void oddAddressesMakeHarmlessFiles() throws Exception {
        String odd = "-a/'$&`|!{b}/~@acme.example";
        run.ok("mail", "enrol", "--out", out, "--imap", "mail.acme.example", "--smtp", "proxy.acme.example", "--", odd);
        try (Stream<Path> files = Files.walk(out)) {
            List<Path> all = files.filter(Files::isRegularFile).toList();
            assertThat(all).hasSize(5).allMatch(file -> file.getParent().equals(out));
            for (Path file : all) {
                if (file.toString().endsWith("config") || file.toString().endsWith(".xml")) {
                    xml(file);
                }
            }
        }
        assertThat(EnrolmentFolder.unlessGiven(odd).getNameCount()).isEqualTo(1);
    }

    @Test
    void addressesOfOtherDomainsAreAskedFor() throws Exception {
        run.ok("keys", "mail-signer", "new", "--domain", "acme.example");
        ok();
        out = temporary.resolve("other");
        Result refused = run.run("mail", "enrol", "bob@acme.exampel", "--out", out);
        assertThat(refused.code()).isEqualTo(ExitCode.REFUSED);
        assertThat(refused.err()).contains("acme.exampel is none", "(mail is signed for acme.example)", "--any-domain");
        run.ok("mail", "enrol", "bob@acme.exampel", "--any-domain", "--out", out);
        run.ok("mail", "enrol", "eve@acme.exampel", "--out", temporary.resolve("eve"));
    }

    @Test
    void serversAreRememberedForTheNextUser() throws Exception {
        Result without = ok();
        assertThat(without.out()).contains("no settings for mail programs", "--imap HOST and --smtp HOST");
        assertThat(out.resolve("config-v1.1.xml")).doesNotExist();
        assertThat(Files.readString(out.resolve("ada.mobileconfig"))).doesNotContain("com.apple.mail.managed");
        run.ok("mail", "enrol", "bob@acme.example", "--out", temporary.resolve("bob"), "--imap", "Mail.acme.example");
        run.ok(
                "mail",
                "enrol",
                "eve@acme.example",
                "--out",
                temporary.resolve("eve"),
                "--smtp",
                "out.acme.example:465");
        assertThat(temporary.resolve("bob/config-v1.1.xml")).doesNotExist();
        run.ok("mail", "enrol", "kim@acme.example", "--out", temporary.resolve("kim"));
        Document settings = xml(temporary.resolve("kim/config-v1.1.xml"));
        assertThat(texts(settings, "hostname")).containsExactly("mail.acme.example", "out.acme.example");
        assertThat(texts(settings, "port")).containsExactly("993", "465");
        assertThat(texts(settings, "socketType")).containsExactly("SSL", "SSL");
        assertThat(texts(settings, "username")).containsExactly("%EMAILADDRESS%", "%EMAILADDRESS%");
        assertThat(texts(settings, "domain")).containsExactly("acme.example");
        Files.writeString(site.keys.resolve("mail-servers"), "imap x\n");
        Result damaged = run.run("mail", "enrol", "lee@acme.example", "--out", temporary.resolve("lee"));
        assertThat(damaged.code()).isEqualTo(ExitCode.IO);
        assertThat(damaged.err()).contains("mail-servers is damaged");
    }

    private static List<String> texts(Document document, String element) {
        var nodes = document.getElementsByTagName(element);
        return Stream.iterate(0, i -> i < nodes.getLength(), i -> i + 1)
                .map(nodes::item)
                .map(Node::getTextContent)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", ":993", "mail.acme.example:0", "mail.acme.example:65536", "a b", "a:1:2", "x:+25", "<x>"})
    void whatIsNoServerIsRefused(String server) {
        for (String option : List.of("--imap", "--smtp")) {
            Result refused = enrol(option, server);
            assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
            assertThat(refused.err()).contains(option + ": is written host or host:port");
        }
        assertThat(site.keys.resolve("mail-servers")).doesNotExist();
    }

    @Test
    void theAppleProfileHasTheKeyAndTheAccountAndNoPassphrase() throws Exception {
        ok("--imap", "mail.acme.example:143", "--smtp", "127.0.0.1");
        Document profile = xml(out.resolve("ada.mobileconfig"));
        List<String> keys = texts(profile, "key");
        assertThat(keys).doesNotContain("Password", "IncomingPassword", "OutgoingPassword");
        assertThat(texts(profile, "string"))
                .contains(
                        "com.apple.security.root",
                        "com.apple.security.pkcs12",
                        "com.apple.mail.managed",
                        "mail.acme.example",
                        "127.0.0.1");
        assertThat(texts(profile, "integer")).contains("143", "2525");
        List<String> data = texts(profile, "data");
        assertThat(Base64.getDecoder().decode(data.get(1))).isEqualTo(Files.readAllBytes(out.resolve(ADA + ".p12")));
        assertThat(certificate(Base64.getDecoder().decode(data.getFirst())))
                .isEqualTo(certificate(Files.readAllBytes(out.resolve("authority.pem"))));
        assertThat(texts(xml(out.resolve("config-v1.1.xml")), "socketType")).containsExactly("STARTTLS", "plain");
    }

    @Test
    void aKeyOfTheUsersOwnGetsACertificateAlone() throws Exception {
        openssl("req -new -newkey rsa:2048 -noenc -keyout ada.key -out ada.csr -subj /CN=ada");
        run.outIsTerminal = false;
        Result result = ok("--request", temporary.resolve("ada.csr"));
        assertThat(PASSPHRASE.matcher(result.out()).find()).isFalse();
        try (Stream<Path> files = Files.list(out)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder(ADA + ".pem", "authority.pem", "README.txt");
        }
        assertThat(certificate(Files.readAllBytes(out.resolve(ADA + ".pem")))).isEqualTo(inNextBundle());
        openssl("pkcs12 -export -inkey ada.key -in given/" + ADA + ".pem -out ada.p12 -passout pass:x");
        store(temporary.resolve("ada.p12"), "x".toCharArray());
        out = temporary.resolve("again");
        openssl("req -new -newkey rsa:1024 -noenc -keyout weak.key -out weak.csr -subj /CN=ada");
        Result weak = enrol("--renew", "--request", temporary.resolve("weak.csr"));
        assertThat(weak.code()).isEqualTo(ExitCode.REFUSED);
        assertThat(weak.err()).contains("weak.csr: the request's RSA key has 1024 bits");
        assertThat(enrol("--renew", "--key", "p256", "--request", "x").err()).contains("not both");
    }

    @Test
    void whoIsEnrolledIsListedAndWithdrawn() throws Exception {
        Result none = run.run("mail", "enrolled");
        assertThat(none.code()).isEqualTo(ExitCode.NO_MATCH);
        assertThat(none.err()).contains("mail enrol ADDRESS");
        ok();
        String fingerprint = MailSigner.fingerprint(inNextBundle());
        assertThat(run.ok("mail", "enrolled").out())
                .isEqualTo(ADA + "  " + fingerprint + "  to "
                        + inNextBundle().getNotAfter().toInstant() + "  scope mailbox-" + ADA + "\n");
        assertThat(run.ok("mail", "enrolled", "--json").out())
                .contains("\"certificate\":\"" + fingerprint + "\"", "\"issuedHere\":true");
        Result withdrawn = run.ok("mail", "withdraw", ADA.toUpperCase(Locale.ROOT));
        assertThat(withdrawn.out()).contains("withdrew the certificate of " + ADA + ", " + fingerprint);
        assertThat(run.run("mail", "withdraw", ADA).code()).isEqualTo(ExitCode.USAGE);
        run.outIsTerminal = false;
        site.newBundle();
        assertThat(PublicBundle.verify(Files.readAllBytes(site.bundle), site.authority, run.now)
                        .recipient(ADA))
                .isEmpty();
        out = temporary.resolve("again");
        run.outIsTerminal = true;
        ok();
    }

    @Test
    void helpNamesTheCommandsThatTheEdgeHasNot() {
        assertThat(run.ok("mail", "--help").out()).contains("enrol", "enrolled", "withdraw", "proxy");
        assertThat(run.ok("mail", "enrol", "--help").out()).contains("NAME", "veilgate mail enrol", "EXIT STATUS");
        assertThat(run.run("mail").err()).contains("send, proxy, check, password, enrol, enrolled, withdraw");
    }

    /** OpenSSL and NSS read the file, and take the key for encryption and for nothing else. */
    @ParameterizedTest
    @ValueSource(strings = {"rsa-3072", "rsa-4096", "p256", "p384"})
    void otherProgramsReadTheFileAndTakeNoSignatureOfItsKey(String kind) throws Exception {
        String secret = String.valueOf(passphrase(ok("--key", kind)));
        String file = "given/" + ADA + ".p12";
        openssl("pkcs12 -in " + file + " -passin pass:" + secret + " -noenc -clcerts -out ada.pem");
        String said = command("openssl pkcs12 -info -noout -in " + file + " -passin pass:" + secret);
        assertThat(said).contains("PBES2, PBKDF2, AES-256-CBC, Iteration 100000", "MAC: sha256, Iteration 100000");
        Files.writeString(temporary.resolve("mail.txt"), "From: " + ADA + "\r\n\r\nI owe you.\r\n");
        openssl("cms -sign -in mail.txt -signer ada.pem -out signed.eml");
        assertThat(failing("openssl cms -verify -in signed.eml -CAfile given/authority.pem"))
                .contains("unsuitable certificate purpose");
        openssl("cms -verify -in signed.eml -CAfile given/authority.pem -purpose any -out checked.txt");

        command("mkdir nss");
        command("certutil -N -d sql:nss --empty-password");
        command("certutil -A -n authority -t C,C, -i given/authority.pem -d sql:nss");
        command("pk12util -i " + file + " -d sql:nss -W " + secret + " -K=");
        command("certutil -V -u R -n " + ADA + " -d sql:nss");
        assertThat(failing("certutil -V -u S -n " + ADA + " -d sql:nss")).containsIgnoringCase("key usage");
        openssl("cms -encrypt -aes-256-cbc -in mail.txt -outform DER -out sealed.der ada.pem");
        boolean isRsa = kind.startsWith("rsa"); // NSS of the system opens nothing for curves
        command(
                isRsa
                        ? "cmsutil -D -d sql:nss -i sealed.der -o opened.txt"
                        : "openssl cms -decrypt -inform DER -in sealed.der -recip ada.pem -out opened.txt");
        assertThat(Files.readString(temporary.resolve("opened.txt"))).contains("I owe you.");
    }

    private String command(String line) throws Exception {
        StringBuilder said = new StringBuilder();
        int code = command(line, said);
        assertThat(code).as(line + ": " + said).isZero();
        return said.toString();
    }

    private String failing(String line) throws Exception {
        StringBuilder said = new StringBuilder();
        int code = command(line, said);
        assertThat(code).as(line + ": " + said).isNotZero();
        return said.toString();
    }

    private int command(String line, StringBuilder said) throws Exception {
        Process process = new ProcessBuilder(line.split(" "))
                .directory(temporary.toFile())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        said.append(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        return process.waitFor();
    }

    private void openssl(String arguments) throws Exception {
        command("openssl " + arguments);
    }
}
