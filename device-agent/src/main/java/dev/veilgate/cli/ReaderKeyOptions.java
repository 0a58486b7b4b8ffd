package dev.veilgate.cli;

import dev.veilgate.authority.KeyFileException;
import dev.veilgate.authority.ReaderKeyFile;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.ReaderKey;
import dev.veilgate.reading.Reading;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** With whose key things are opened. */
final class ReaderKeyOptions {
    @Option(
            names = "--reader-key",
            paramLabel = "FILE",
            description =
                    "Open with this reader's key, made by veilgate keys issue, instead of the tenant's: only what its attributes allow.")
    private @Nullable Path file;

    @Option(
            names = "--reader-passphrase-file",
            paramLabel = "FILE",
            description =
                    "Take the reader key's passphrase from the first line of a file. Otherwise VEILGATE_READER_PASSPHRASE is used, or a"
                            + " terminal is asked.")
    private @Nullable Path passphraseFile;

    /** The environment's variable with the passphrase. */
    static final String VARIABLE = "VEILGATE_READER_PASSPHRASE";

    /** The passphrase of a reader's key. */
    Passphrases passphrases(Terminal terminal) {
        return new Passphrases(terminal, passphraseFile, VARIABLE, "passphrase of the reader's key");
    }

    boolean isGiven() {
        return file != null;
    }

    /** To read as the tenant, or as the named reader. */
    Reading open(Terminal terminal, TenantKeys keys) throws IOException, CommandFailure {
        Path path = file;
        return path == null ? Reading.ofAuthority(keys) : Reading.ofReader(read(terminal, path), keys);
    }

    /** To read as the named reader, who has the tenant's bundle and nothing else of it. */
    Reading open(Terminal terminal, PublicBundle bundle) throws IOException, CommandFailure {
        Path path = file;
        if (path == null) {
            throw new CommandFailure(ExitCode.USAGE, "--reader-key is needed");
        }
        List<ReaderKey> held = read(terminal, path);
        if (held.stream().noneMatch(key -> key.tenant().equals(bundle.tenant()))) {
            held.forEach(ReaderKey::close);
            throw new CommandFailure(ExitCode.KEY, path + ": is a key of another tenant than the bundle");
        }
        return Reading.ofReader(held, bundle);
    }

    private List<ReaderKey> read(Terminal terminal, Path path) throws IOException, CommandFailure {
        byte[] passphrase = passphrases(terminal).existing();
        try {
            return ReaderKeyFile.read(path, passphrase);
        } catch (KeyFileException e) {
            throw KeyFolderOptions.failure(e);
        } catch (MalformedEncodingException e) {
            throw new CommandFailure(ExitCode.KEY, path + ": " + e.getMessage(), e);
        } finally {
            Arrays.fill(passphrase, (byte) 0);
        }
    }
}
