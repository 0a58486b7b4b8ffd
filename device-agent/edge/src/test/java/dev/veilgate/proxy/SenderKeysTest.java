package dev.veilgate.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.envelope.smime.MailSigner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys of senders in a folder. */
class SenderKeysTest {
    private static final String ADA = "ada@example.org";

    @TempDir
    private Path temporary;

    private final Instant now = Instant.now();
    private MailLab lab;
    private Path folder;

    @BeforeEach
    void makeLab() throws Exception {
        lab = new MailLab(Files.createDirectory(temporary.resolve("lab")));
        lab.add(ADA, "EC", Duration.ofDays(1));
        folder = Files.createDirectory(temporary.resolve("keys"));
    }

    private SenderKeys read(Path passphrase) throws Exception {
        return SenderKeys.read(folder, passphrase);
    }

    private Path passphrase(Path file) throws Exception {
        return Files.writeString(file, MailLab.PASSPHRASE + "\n");
    }

    private Path pem(String address) throws Exception {
        MailLab.Identity who = lab.identity(address);
        return Files.writeString(
                folder.resolve(address + ".pem"),
                Files.readString(who.keyFile()) + Files.readString(who.certificateFile()));
    }

    @Test
    void readsPemAndPkcs12WithAPassphraseOfItsOwnOrForAll() throws Exception {
        assertThat(SenderKeys.read(null, null)).isEqualTo(SenderKeys.NONE);
        pem("ec@example.org");
        Files.copy(lab.pkcs12(ADA), folder.resolve("Ada@example.org.p12"));
        Files.writeString(folder.resolve("README"), "notes");
        Path forAll = passphrase(temporary.resolve("passphrase"));
        assertThat(read(forAll).byAddress()).containsOnlyKeys(ADA, "ec@example.org");
        assertThatThrownBy(() -> read(null)).hasMessageContaining("mail.sender-keys: ", "Ada@example.org.p12");
        Files.writeString(forAll, "another");
        passphrase(folder.resolve("Ada@example.org.passphrase"));
        MailSigner signer = read(forAll).of(ADA, now).orElseThrow();
        assertThat(signer.leaf()).isEqualTo(lab.identity(ADA).certificate());
        assertThat(read(forAll).of("bob@example.org", now)).isEmpty();
        assertThat(read(forAll).problem(now)).isEmpty();
    }

    @Test
    void refusesKeysThatAreNotTheAddresss() throws Exception {
        Files.move(pem("ec@example.org"), folder.resolve("boss@example.org.pem"));
        assertThatThrownBy(() -> read(null))
                .isInstanceOf(SigningKeyFile.UnusableSignerException.class)
                .hasMessageContaining("boss@example.org.pem: its certificate is none of the address");
    }

    @Test
    void refusesTwoKeysOfOneAddressAndWhatIsNoKey() throws Exception {
        Files.copy(pem(ADA), folder.resolve("ADA@example.org.pem"));
        assertThatThrownBy(() -> read(null)).hasMessageContaining("two keys of this address");
        Files.writeString(folder.resolve("ADA@example.org.pem"), "-----BEGIN nothing");
        assertThatThrownBy(() -> read(null)).hasMessageContaining("ADA@example.org.pem: ");
        assertThatThrownBy(() -> SenderKeys.read(temporary.resolve("none"), null))
                .hasMessageContaining("mail.sender-keys: ", "cannot be read");
    }

    @Test
    void whoseCertificateExpiresIsSignedForByTheSite() throws Exception {
        pem(ADA);
        SenderKeys keys = read(null);
        Instant later = now.plus(Duration.ofDays(2));
        assertThat(keys.of(ADA, later)).isEmpty();
        assertThat(keys.problem(later)).contains("1 certificates have expired");
        assertThat(SenderKeys.read(folder, null).of(ADA, later)).isEmpty();
    }
}
