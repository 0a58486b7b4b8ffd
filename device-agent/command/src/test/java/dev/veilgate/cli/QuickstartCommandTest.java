package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.cli.CommandRun.Result;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.terminal.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Everything in one folder, and commands that need no options then. */
class QuickstartCommandTest {
    @TempDir
    private Path temporary;

    private final CommandRun run = new CommandRun();

    /** The variables of the file, as a shell reads them. */
    private void source(Path env) throws IOException, InterruptedException {
        Process shell = new ProcessBuilder("sh", "-c", ". \"$1\" && env -0", "sh", env.toString()).start();
        String variables = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).isZero();
        for (String variable : variables.split("\0")) {
            if (variable.startsWith("VEILGATE_")) {
                run.environment.put(
                        variable.substring(0, variable.indexOf('=')), variable.substring(variable.indexOf('=') + 1));
            }
        }
    }

    @Test
    void sealsSearchesAndVerifiesWithoutOptions() throws Exception {
        Path folder = temporary.resolve("it's a demo");
        assertThat(run.ok("quickstart", folder).out()).contains("env");
        source(folder.resolve("env"));
        Path log = temporary.resolve("day.log");
        Files.writeString(log, "press 4 is hot\npress 5 is cold\n");
        Path sealed = temporary.resolve("day.vge");
        run.ok("seal", "-o", sealed, log);
        assertThat(run.ok("search", "cold", sealed).out()).isEqualTo("press 5 is cold\n");
        run.ok("verify", sealed);
        assertThat(Files.getPosixFilePermissions(folder.resolve("env")))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void writesWhatMailIsSignedWith() throws Exception {
        Path folder = temporary.resolve("mail");
        run.ok("quickstart", folder);
        source(folder.resolve("env"));
        String passphrase =
                Files.readAllLines(folder.resolve("mail-signer.passphrase")).getFirst();
        MailSigner signer = MailSigner.fromPkcs12(
                Files.readAllBytes(folder.resolve("mail-signer.p12")), passphrase.toCharArray(), run.now);
        assertThat(passphrase).hasSize(32);
        for (String secret : new String[] {"mail-signer.p12", "mail-signer.passphrase"}) {
            assertThat(Files.getPosixFilePermissions(folder.resolve(secret)))
                    .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        }
        PublicBundle bundle = PublicBundle.verify(
                Files.readAllBytes(folder.resolve("bundle.vgb")), run.environment.get("VEILGATE_AUTHORITY"), run.now);
        assertThat(bundle.mailSigners()).containsExactly(signer.chain());
    }

    @Test
    void signsAsSendersOfADomainIfThatIsAsked() throws Exception {
        Path folder = temporary.resolve("mail");
        run.ok("quickstart", folder, "--mail-domain", "Acme.example");
        source(folder.resolve("env"));
        assertThat(run.ok("keys", "mail-signer", "show").out()).contains("signs as     senders in acme.example");
        assertThat(run.run("quickstart", temporary.resolve("x"), "--mail-domain", "a b")
                        .err())
                .contains("--mail-domain: \"a b\" is no mail domain");
        assertThat(temporary.resolve("x")).doesNotExist();
    }

    /** OpenSSL, which knows nothing of us, opens the mail and takes the signature for that of the tenant's authority. */
    @Test
    void signsMailWithoutOptions() throws Exception {
        run.now = Instant.now().plusSeconds(3600); // when what OpenSSL makes is valid
        run.ok("quickstart", temporary.resolve("mail"));
        source(temporary.resolve("mail/env"));
        shell("openssl req -x509 -newkey rsa:2048 -nodes -days 9 -subj /CN=ada -keyout ada.key -out ada.pem"
                + " -addext subjectAltName=email:ada@acme.example");
        run.ok(
                "keys",
                "add-recipient",
                "--address",
                "ada@acme.example",
                "--certificate",
                temporary.resolve("ada.pem"),
                "--scope",
                "mail");
        run.ok("keys", "bundle", "-o", temporary.resolve("mail/bundle.vgb"));
        run.input = "From: ben@acme.example\r\nTo: ada@acme.example\r\nSubject: x\r\n\r\nthe pump is hot\r\n"
                .getBytes(StandardCharsets.US_ASCII);
        run.ok("mail", "send", "--no-index", "-o", temporary.resolve("sealed.eml"));
        Files.write(
                temporary.resolve("chain.pem"),
                run.ok("keys", "mail-signer", "show", "--pem").bytes());
        shell("openssl cms -decrypt -in sealed.eml -recip ada.pem -inkey ada.key -out signed.eml");
        shell("openssl cms -verify -in signed.eml -CAfile chain.pem -purpose smimesign -out opened.eml");
        assertThat(temporary.resolve("opened.eml")).content().contains("the pump is hot");
    }

    private void shell(String command) throws Exception {
        Process process = new ProcessBuilder(command.split(" "))
                .directory(temporary.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }

    @Test
    void leavesAFolderWithContentAlone() throws Exception {
        Files.writeString(temporary.resolve("mine"), "mine");
        Result result = run.run("quickstart", temporary);
        assertThat(result.code()).isEqualTo(ExitCode.USAGE);
        assertThat(temporary).isDirectoryContaining("glob:**/mine");
        assertThat(temporary.resolve("keys")).doesNotExist();
    }

    @Test
    void saysWhichOptionOrVariableIsMissing() {
        assertThat(run.run("seal").err()).contains("--scope is needed (or VEILGATE_SCOPE)");
    }
}
