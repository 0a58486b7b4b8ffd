package dev.veilgate.cli;

import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Verifies the SLH-DSA signature of a release's checksums. */
@Command(
        name = "verify",
        header = "Verify the SLH-DSA signature of a release's checksums",
        description = {
            "  The signature is FILE.slh, beside FILE. It says that FILE is as the holder of the key signed it; that",
            "  the archives are those of FILE says sha256sum.",
        },
        footer = {
            "  veilgate release verify --key 7a0e... SHA256SUMS && sha256sum --ignore-missing -c SHA256SUMS",
        })
final class ReleaseVerifyCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(
            names = "--key",
            required = true,
            paramLabel = "HEX",
            description = "The public key of releases, 64 hex digits, from SECURITY.md.")
    private String key = "";

    @Parameters(paramLabel = "FILE", description = "The file that is signed: SHA256SUMS.")
    private Path file = Path.of("");

    ReleaseVerifyCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        boolean good = ReleaseSignature.verify(ReleaseSignature.publicKey(key), file);
        String name = Printable.of(file.toString());
        if (good) {
            terminal.out().println(name + ": good signature");
            return ExitCode.OK;
        }
        terminal.err()
                .println(name + ": BAD signature: not what the holder of this key signed, or another key's; do not"
                        + " install it");
        return ExitCode.REFUSED;
    }
}
