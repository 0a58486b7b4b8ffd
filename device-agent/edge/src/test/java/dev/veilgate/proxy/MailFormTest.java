package dev.veilgate.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.envelope.smime.Encryption;
import dev.veilgate.envelope.smime.MailHeader;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.envelope.smime.RecipientCertificate;
import dev.veilgate.envelope.smime.SignedAs;
import dev.veilgate.settings.AuthenticatedPrograms;
import dev.veilgate.settings.MailFormSettings;
import dev.veilgate.settings.OwnedAddresses;
import dev.veilgate.settings.ShownSubjects;
import dev.veilgate.testing.ProcessorTime;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** For whom mail takes which form, and files of passphrases as people and programs write them. */
class MailFormTest {
    private static final String PASSPHRASE = "owls in gr\u00f6\u00dfe";

    @TempDir
    Path folder;

    private Path key;
    private MailSigner signer;

    @BeforeEach
    void exportKey() throws Exception {
        var lab = new MailLab(Files.createDirectory(folder.resolve("lab")));
        signer = MailForm.read(lab.form(), Instant.now()).signer();
        key = Files.write(folder.resolve("signer.p12"), signer.toPkcs12(PASSPHRASE.toCharArray()));
    }

    /**
     * The certificate's S/MIME capabilities, or the settings; one recipient of a copy who reads less decides for all.
     */
    @Test
    void aCopyIsAuthenticatedOnlyIfEveryRecipientsProgramReadsThat() throws Exception {
        RecipientCertificate able =
                certificate("able@example.org", "-addext", "1.2.840.113549.1.9.15=DER:300D300B060960864801650304012E");
        RecipientCertificate named = certificate("named@b.example");
        RecipientCertificate other = certificate("other@example.org");
        MailForm byDomain = new MailForm(
                signer,
                SenderKeys.NONE,
                new AuthenticatedPrograms(Set.of("b.example")),
                ShownSubjects.DEFAULT,
                OwnedAddresses.DEFAULT);
        assertThat(byDomain.of(List.of(able, named))).isEqualTo(Encryption.AUTHENTICATED);
        assertThat(byDomain.of(List.of(able, named, other))).isEqualTo(Encryption.SIGNED);
        MailForm byAddress = new MailForm(
                signer,
                SenderKeys.NONE,
                new AuthenticatedPrograms(Set.of("other@example.org")),
                ShownSubjects.DEFAULT,
                OwnedAddresses.DEFAULT);
        assertThat(byAddress.of(List.of(other, able))).isEqualTo(Encryption.AUTHENTICATED);
        assertThat(byAddress.of(List.of(named))).isEqualTo(Encryption.SIGNED);
        assertThat(new MailForm(
                                signer,
                                SenderKeys.NONE,
                                AuthenticatedPrograms.NONE,
                                ShownSubjects.DEFAULT,
                                OwnedAddresses.DEFAULT)
                        .of(List.of(other)))
                .isEqualTo(Encryption.SIGNED);
    }

    private static final Instant NOW = Instant.parse("2026-11-28T12:00:00Z");

    /** Everything else is signed as the tenant: who sees the signature takes it for the sender's word. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "From: ada@example.org                                             | ada@example.org",
                "From: Ada <Ada@Example.org>                                       | ada@example.org",
                "From: =?utf-8?Q?Ad=C3=A4?= <ada@example.org>                      | ada@example.org",
                "From: \"Lovelace, Ada\" <ada@example.org>                         | ada@example.org",
                "From: boss@example.org                                            | ''",
                "From: ada@example.net                                             | ''",
                "From: ada@example.org, boss@example.org                           | ''",
                "From: ada@example.org\\r\\nFrom: boss@example.org                  | ''",
                "From: boss@example.org <ada@example.org>                          | ''",
                "From: \"boss@example.org\" <ada@example.org>                      | ''",
                "From: =?utf-8?Q?boss=40example.org?= <ada@example.org>            | ''",
                "From: =?utf-8?B?Ym9zc0BleGFtcGxlLm9yZw==?= <ada@example.org>      | ''",
                "From: =?utf-8?B?Ym9zc++8oGV4YW1wbGUub3Jn?= <ada@example.org>      | ''",
                "From: ada@example.org (boss@example.org)                          | ''",
                "From: ada @ example . org                                         | ''",
                "From: all: ada@example.org, boss@example.org;                     | ''",
                "From: ada@example.org <boss@example.org>                          | ''",
                "From:                                                             | ''",
                "Sender: ada@example.org                                           | ''",
                "From: boss@example.org\\r\\nSender: ada@example.org                | ''",
                "From: ada@example.org\\r\\nSender: Ada <ada@example.org>          | ada@example.org",
                "From: ada@example.org\\r\\nSender: boss@example.org               | ''",
                "From: ada@example.org\\r\\nSender: ada@example.org, boss          | ''",
                "From: =?utf-7?Q?boss+AEA-example.org?= <ada@example.org>          | ''",
            })
    void onlyTheOneAddressThatStandsInFromIsSignedFor(String fields, String signedAs) throws Exception {
        assertThat(signedAs(fields.strip().replace("\\r\\n", "\r\n"), "ada@example.org"::equals)
                        .signer()
                        .leaf()
                        .getSubjectX500Principal()
                        .getName())
                .isEqualTo(signedAs.isEmpty() ? "CN=Veilgate mail sealing" : "CN=" + signedAs);
    }

    /** No line holds it outside, where the envelope's sender stands then. */
    @Test
    void aSenderWhoDoesNotStandOutsideIsNotSignedFor() throws Exception {
        String from = "From: " + "a".repeat(901) + " <ada@example.org>";
        assertThat(signedAs(from, "ada@example.org"::equals).signer().leaf().getSubjectX500Principal())
                .hasToString("CN=Veilgate mail sealing");
    }

    @Test
    void theTimeOfASignatureIsTheDateUnlessThatCannotBe() throws Exception {
        Map<String, String> times = Map.ofEntries(
                Map.entry("Sat, 28 Nov 2026 11:59:30 +0000", "2026-11-28T11:59:30Z"),
                Map.entry("Sat, 28 Nov 2026 13:59:30 +0200", "2026-11-28T11:59:30Z"),
                Map.entry("Sat, 28 Nov 2026 12:59:30\r\n +0100 (CET)", "2026-11-28T11:59:30Z"),
                Map.entry("28 Nov 2026 11:59:30 GMT", "2026-11-28T11:59:30Z"),
                Map.entry("Tue, 24 Nov 2026 12:00:00 +0000", "2026-11-24T12:00:00Z"),
                Map.entry("Sat, 28 Nov 2026 12:50:00 +0000", "2026-11-28T12:50:00Z"),
                Map.entry("Sat, 28 Nov 2026 13:50:00 +0000", "2026-11-28T12:00:00Z"),
                Map.entry("Mon, 23 Nov 2026 11:00:00 +0000", "2026-11-28T12:00:00Z"),
                Map.entry("Sat, 28 Nov 2026 06:59:30 EST", "2026-11-28T12:00:00Z"),
                Map.entry("Sat, 28 Nov 2026 10:00:00", "2026-11-28T12:00:00Z"),
                Map.entry("yesterday", "2026-11-28T12:00:00Z"));
        for (Map.Entry<String, String> each : times.entrySet()) {
            assertThat(signedAs("From: ada@example.org\r\nDate: " + each.getKey(), address -> true)
                            .time())
                    .as(each.getKey())
                    .isEqualTo(each.getValue());
        }
    }

    @Test
    void saysAsWhomMailIsSigned() throws Exception {
        MailForm byLogin = new MailForm(
                senders(), SenderKeys.NONE, AuthenticatedPrograms.NONE, ShownSubjects.DEFAULT, OwnedAddresses.DEFAULT);
        assertThat(byLogin.asWhom(true)).startsWith("as senders in example.org who own");
        assertThat(byLogin.asWhom(false)).contains("as the tenant", "mail.sign-as: from");
        MailForm tenant = new MailForm(
                signer, SenderKeys.NONE, AuthenticatedPrograms.NONE, ShownSubjects.DEFAULT, OwnedAddresses.DEFAULT);
        assertThat(tenant.asWhom(true)).contains("as the tenant", "mail-signer new --domain");
    }

    @Test
    void aSendersOwnKeyComesFirstForWhoOwnsTheAddress() throws Exception {
        MailSigner own = MailLab.senders("example.org", NOW).ofSender("ada@example.org");
        MailForm form = new MailForm(
                senders(),
                new SenderKeys(Map.of("ada@example.org", own)),
                AuthenticatedPrograms.NONE,
                ShownSubjects.DEFAULT,
                OwnedAddresses.DEFAULT);
        MailHeader header = MailHeader.read(
                        new ByteArrayInputStream("From: ada@example.org\r\n\r\n".getBytes(StandardCharsets.US_ASCII)))
                .header();
        assertThat(form.signatures(header, address -> true, NOW)
                        .orElseThrow()
                        .as()
                        .signer())
                .isSameAs(own);
        assertThat(form.signatures(header, address -> false, NOW)
                        .orElseThrow()
                        .as()
                        .signer()
                        .leaf())
                .isNotEqualTo(own.leaf());
        assertThat(form.signatures(header, address -> true, NOW)
                        .orElseThrow()
                        .binding()
                        .leaf())
                .as("what gateways know")
                .isEqualTo(senders().ofSender("ada@example.org").leaf());
    }

    @Test
    void aHostileDateCostsLittle() throws Exception {
        String date = "Date: " + "1 Z(".repeat(200_000);
        assertThat(ProcessorTime.bounded(Duration.ofSeconds(10), () -> signedAs(date, address -> true))
                        .time())
                .isEqualTo(NOW);
    }

    private SignedAs signedAs(String fields, Predicate<String> owned) throws Exception {
        MailForm form = new MailForm(
                senders(), SenderKeys.NONE, AuthenticatedPrograms.NONE, ShownSubjects.DEFAULT, OwnedAddresses.DEFAULT);
        MailHeader header = MailHeader.read(
                        new ByteArrayInputStream((fields + "\r\n\r\n").getBytes(StandardCharsets.UTF_8)))
                .header();
        return form.signatures(header, owned, NOW).orElseThrow().as();
    }

    private static MailSigner senders;

    private static synchronized MailSigner senders() throws Exception {
        if (senders == null) {
            senders = MailLab.senders("example.org", NOW);
        }
        return senders;
    }

    private RecipientCertificate certificate(String address, String... more) throws Exception {
        Path der = folder.resolve(address + ".der");
        List<String> command = new ArrayList<>(List.of(
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-nodes",
                "-subj",
                "/CN=x",
                "-addext",
                "subjectAltName=email:" + address,
                "-keyout",
                folder.resolve("any.key").toString(),
                "-outform",
                "DER",
                "-out",
                der.toString()));
        command.addAll(List.of(more));
        MailLab.Result made = MailLab.run(command);
        assertThat(made.code()).as(made.output()).isZero();
        return RecipientCertificate.check(Files.readAllBytes(der), address, Instant.now());
    }

    @Test
    void takesTheFirstLineWhateverEndsIt() throws Exception {
        for (String end : List.of("", "\n", "\r\n", "\r", "\n\nanother line\n")) {
            MailForm form = read((PASSPHRASE + end).getBytes(StandardCharsets.UTF_8));
            assertThat(form.signer().fingerprint()).isEqualTo(signer.fingerprint());
        }
    }

    @Test
    void saysThatThePassphraseIsMissingOrEndless() {
        String said = "mail.signing-passphrase-file: " + folder.resolve("passphrase")
                + ": its first line must have 1 to 4096 bytes";
        for (byte[] each : List.of(new byte[0], new byte[] {'\n'}, new byte[] {'\r', '\n', 'x'}, new byte[4097])) {
            assertThatThrownBy(() -> read(each))
                    .isInstanceOf(SigningKeyFile.UnusableSignerException.class)
                    .hasMessageContaining(said);
        }
    }

    @Test
    void readsNoMoreThanAPassphraseOfAnEndlessFile() {
        assertThatThrownBy(() -> MailForm.read(settings(Path.of("/dev/zero")), Instant.now()))
                .hasMessageContaining("its first line must have");
    }

    @Test
    void bytesThatAreNoUtf8AreAWrongPassphraseNotABrokenFile() {
        assertThatThrownBy(() -> read(PASSPHRASE.getBytes(StandardCharsets.ISO_8859_1)))
                .hasMessageContaining("the passphrase of the PKCS #12 file is wrong");
    }

    @Test
    void namesThePassphraseFileThatIsMissing() {
        assertThatThrownBy(() -> MailForm.read(settings(folder.resolve("none")), Instant.now()))
                .hasMessageContaining("mail.signing-passphrase-file: " + folder.resolve("none") + " cannot be read");
    }

    @Test
    void saysThatTheKeyIsMissing() {
        Path none = folder.resolve("none.p12");
        var settings = new MailFormSettings(
                none, null, null, AuthenticatedPrograms.NONE, ShownSubjects.DEFAULT, OwnedAddresses.DEFAULT);
        assertThatThrownBy(() -> MailForm.read(settings, Instant.now()))
                .hasMessage("mail.signing-key: " + none + ": cannot be read");
    }

    private MailForm read(byte[] passphrase) throws Exception {
        return MailForm.read(settings(Files.write(folder.resolve("passphrase"), passphrase)), Instant.now());
    }

    private MailFormSettings settings(Path passphrase) {
        return new MailFormSettings(
                key, passphrase, null, AuthenticatedPrograms.NONE, ShownSubjects.DEFAULT, OwnedAddresses.DEFAULT);
    }
}
