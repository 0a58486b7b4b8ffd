package dev.veilgate.edge;

import dev.veilgate.envelope.SenderKeyText;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.sender.IdentityFile;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A sender's own key. */
@Command(
        name = "identity",
        header = "Make or show the identity with which a sender signs",
        description = {
            "  An identity is a name and a signing key (Ed25519 and ML-DSA-65) in a file that only its owner",
            "  can read. It signs what this sender seals; it opens nothing.",
        },
        footer = {
            "  ${ROOT-COMMAND-NAME} identity init press-4.identity --sender press-4 > press-4.pub",
            "  ${ROOT-COMMAND-NAME} identity show press-4.identity",
        },
        subcommands = {IdentityCommand.Init.class, IdentityCommand.Show.class})
public final class IdentityCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "say init or show");
    }

    private static int print(Terminal terminal, SigningKey key) {
        terminal.out().print(SenderKeyText.write(key.publicKey()));
        terminal.err().println("fingerprint " + key.publicKey().fingerprint());
        return ExitCode.OK;
    }

    /** Makes one. */
    @Command(
            name = "init",
            header = "Make an identity, and print its public key for keys add-sender",
            footer = "  ${ROOT-COMMAND-NAME} identity init press-4.identity --sender press-4 > press-4.pub")
    static final class Init implements Callable<Integer> {
        private final Terminal terminal;

        @Parameters(paramLabel = "FILE", description = "Where the identity is kept; never overwritten.")
        private Path file = Path.of("");

        @Option(
                names = "--sender",
                required = true,
                paramLabel = "NAME",
                description = "The sender's name, 1 to 255 bytes of UTF-8.")
        private String sender = "";

        Init(Terminal terminal) {
            this.terminal = terminal;
        }

        @Override
        public Integer call() throws Exception {
            try (SigningKey key = IdentityFile.create(file, sender, new SecureRandom())) {
                return print(terminal, key);
            } catch (IllegalArgumentException e) {
                throw new CommandFailure(ExitCode.USAGE, "--sender: " + e.getMessage(), e);
            }
        }
    }

    /** Prints its public key. */
    @Command(
            name = "show",
            header = "Print an identity's public key; the fingerprint goes to standard error",
            footer = "  ${ROOT-COMMAND-NAME} identity show press-4.identity > press-4.pub")
    static final class Show implements Callable<Integer> {
        private final Terminal terminal;

        @Parameters(paramLabel = "FILE", description = "The identity.")
        private Path file = Path.of("");

        Show(Terminal terminal) {
            this.terminal = terminal;
        }

        @Override
        public Integer call() throws Exception {
            try (SigningKey key = IdentityFile.read(file)) {
                return print(terminal, key);
            }
        }
    }
}
