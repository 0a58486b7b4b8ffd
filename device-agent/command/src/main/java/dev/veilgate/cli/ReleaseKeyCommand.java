package dev.veilgate.cli;

import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes a key that signs releases. */
@Command(
        name = "key",
        header = "Make a key that signs releases",
        description = {
            "  Writes the secret key, sealed by a passphrase, and the public key in PEM, which OpenSSL 3.5 reads too,",
            "  and prints the public key: publish it. Keep the secret key off the machines that build, with a copy:",
            "  lost, it is replaced, and everybody has to get another public key.",
        },
        footer = {
            "  veilgate release key release.key release.pem",
        })
final class ReleaseKeyCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(
            names = "--passphrase-file",
            paramLabel = "FILE",
            description = "Read the passphrase from the first line of FILE; else from the variable"
                    + " VEILGATE_PASSPHRASE, else it is asked for.")
    private @Nullable Path passphraseFile;

    @Mixin
    private PassphraseCostOptions passphraseCost = new PassphraseCostOptions();

    @Parameters(index = "0", paramLabel = "KEY", description = "A new file for the secret key.")
    private Path key = Path.of("");

    @Parameters(index = "1", paramLabel = "PEM", description = "A new file for the public key.")
    private Path pem = Path.of("");

    ReleaseKeyCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        ReleaseSignature.requireNew(key); // before a passphrase is typed, and before the one without the other is there
        ReleaseSignature.requireNew(pem);
        byte[] passphrase = new Passphrases(terminal, passphraseFile).chosen();
        try {
            ReleaseSignature.Made made = ReleaseSignature.make(passphrase, passphraseCost.cost(), new SecureRandom());
            ReleaseSignature.writeSecret(key, made.sealed());
            ReleaseSignature.writePublic(pem, ReleaseSignature.pem(made.publicKey()));
            terminal.out().println("public key " + HexFormat.of().formatHex(made.publicKey()));
            return ExitCode.OK;
        } finally {
            Arrays.fill(passphrase, (byte) 0);
        }
    }
}
