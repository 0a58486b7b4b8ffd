package dev.veilgate.cli;

import dev.veilgate.authority.KeyFileException;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Signs a release's checksums with SLH-DSA. */
@Command(
        name = "sign",
        header = "Sign a release's checksums with SLH-DSA",
        description = {
            "  Writes FILE.slh, 17,088 bytes, which must not be there yet. Sign SHA256SUMS only, with a key that signs",
            "  nothing else.",
        },
        footer = {
            "  veilgate release sign --key release.key SHA256SUMS",
        })
final class ReleaseSignCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(names = "--key", required = true, paramLabel = "KEY", description = "The key, as release key made it.")
    private Path key = Path.of("");

    @Option(
            names = "--passphrase-file",
            paramLabel = "FILE",
            description = "Read the passphrase from the first line of FILE; else from the variable"
                    + " VEILGATE_PASSPHRASE, else it is asked for.")
    private @Nullable Path passphraseFile;

    @Parameters(paramLabel = "FILE", description = "The file to sign: SHA256SUMS.")
    private Path file = Path.of("");

    ReleaseSignCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        Path signature = ReleaseSignature.signatureOf(file);
        ReleaseSignature.requireNew(signature); // before a passphrase is typed
        byte[] passphrase = new Passphrases(terminal, passphraseFile).existing();
        try {
            ReleaseSignature.writePublic(signature, ReleaseSignature.sign(key, passphrase, file));
            terminal.out().println(Printable.of(signature.toString()));
            return ExitCode.OK;
        } catch (KeyFileException e) {
            throw KeyFolderOptions.failure(e);
        } catch (MalformedEncodingException e) {
            throw new CommandFailure(ExitCode.REFUSED, String.valueOf(e.getMessage()), e);
        } catch (OutOfMemoryError e) {
            throw KeyFolderOptions.tooLittleMemory();
        } finally {
            Arrays.fill(passphrase, (byte) 0);
        }
    }
}
