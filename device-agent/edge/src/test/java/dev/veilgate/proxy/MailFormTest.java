package dev.veilgate.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.envelope.smime.Encryption;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.envelope.smime.RecipientCertificate;
import dev.veilgate.settings.AuthenticatedPrograms;
import dev.veilgate.settings.MailFormSettings;
import dev.veilgate.settings.ShownSubjects;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
        MailForm byDomain = new MailForm(signer, new AuthenticatedPrograms(Set.of("b.example")), ShownSubjects.DEFAULT);
        assertThat(byDomain.of(List.of(able, named))).isEqualTo(Encryption.AUTHENTICATED);
        assertThat(byDomain.of(List.of(able, named, other))).isEqualTo(Encryption.SIGNED);
        MailForm byAddress =
                new MailForm(signer, new AuthenticatedPrograms(Set.of("other@example.org")), ShownSubjects.DEFAULT);
        assertThat(byAddress.of(List.of(other, able))).isEqualTo(Encryption.AUTHENTICATED);
        assertThat(byAddress.of(List.of(named))).isEqualTo(Encryption.SIGNED);
        assertThat(new MailForm(signer, AuthenticatedPrograms.NONE, ShownSubjects.DEFAULT).of(List.of(other)))
                .isEqualTo(Encryption.SIGNED);
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
                    .isInstanceOf(MailForm.UnusableSignerException.class)
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
        var settings = new MailFormSettings(none, null, AuthenticatedPrograms.NONE, ShownSubjects.DEFAULT);
        assertThatThrownBy(() -> MailForm.read(settings, Instant.now()))
                .hasMessage("mail.signing-key: " + none + ": cannot be read");
    }

    private MailForm read(byte[] passphrase) throws Exception {
        return MailForm.read(settings(Files.write(folder.resolve("passphrase"), passphrase)), Instant.now());
    }

    private MailFormSettings settings(Path passphrase) {
        return new MailFormSettings(key, passphrase, AuthenticatedPrograms.NONE, ShownSubjects.DEFAULT);
    }
}
