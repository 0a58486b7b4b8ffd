package dev.veilgate.cli;

import dev.veilgate.authority.KeyFileException;
import dev.veilgate.authority.ReaderKeyFile;
import dev.veilgate.authority.SearcherKey;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.ReaderKey;
import dev.veilgate.envelope.RegisteredSenders;
import dev.veilgate.reading.Reading;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** With whose key things are opened. */
final class ReaderKeyOptions {
    @Option(
            names = "--reader-key",
            paramLabel = "FILE",
            description =
                    "Open with this reader's key, made by veilgate keys issue, instead of the tenant's: only what its attributes allow. Search with it where it has searcher's keys.")
    private @Nullable Path file;

    @Option(
            names = PASSPHRASE_FILE,
            paramLabel = "FILE",
            description =
                    "Take the reader key's passphrase from the first line of a file. Otherwise VEILGATE_READER_PASSPHRASE is used, or a"
                            + " terminal is asked.")
    private @Nullable Path passphraseFile;

    private ReaderKeyFile.@Nullable Content opened;

    /** The environment's variable with the passphrase. */
    static final String VARIABLE = "VEILGATE_READER_PASSPHRASE";

    /** The option with the file that has the passphrase. */
    static final String PASSPHRASE_FILE = "--reader-passphrase-file";

    /** The passphrase of a reader's key. */
    Passphrases passphrases(Terminal terminal) {
        return new Passphrases(terminal, passphraseFile, VARIABLE, PASSPHRASE_FILE, "passphrase of the reader's key");
    }

    boolean isGiven() {
        return file != null;
    }

    /** All keys of the named file; the caller closes them. */
    ReaderKeyFile.Content read(Terminal terminal) throws IOException, CommandFailure {
        Path path = file;
        if (path == null) {
            throw new CommandFailure(ExitCode.USAGE, "--reader-key is needed");
        }
        return content(terminal, path);
    }

    /** Whether the named file has searcher's keys; its passphrase is asked for once. */
    boolean hasSearchersKeys(Terminal terminal) throws IOException, CommandFailure {
        opened = read(terminal);
        return !opened.searchers().isEmpty();
    }

    /** The named file, for messages. */
    String name() {
        return String.valueOf(file);
    }

    /** To read as the tenant, or as the named reader. */
    Reading open(Terminal terminal, TenantKeys keys) throws IOException, CommandFailure, MalformedEncodingException {
        Path path = file;
        return path == null ? Reading.ofAuthority(keys) : Reading.ofReader(read(terminal, path), keys);
    }

    /** To read as the named reader, who has the tenant's bundle, perhaps its sender registry, and nothing else of it. */
    Reading open(Terminal terminal, PublicBundle bundle, Optional<RegisteredSenders> senders)
            throws IOException, CommandFailure, MalformedEncodingException {
        Path path = file;
        if (path == null) {
            throw new CommandFailure(ExitCode.USAGE, "--reader-key is needed");
        }
        List<ReaderKey> held = read(terminal, path);
        if (held.stream().noneMatch(key -> key.tenant().equals(bundle.tenant()))) {
            held.forEach(ReaderKey::close);
            throw new CommandFailure(ExitCode.KEY, path + ": is a key of another tenant than the bundle");
        }
        return Reading.ofReader(held, bundle, senders);
    }

    private List<ReaderKey> read(Terminal terminal, Path path) throws IOException, CommandFailure {
        ReaderKeyFile.Content content = content(terminal, path);
        content.searchers().forEach(SearcherKey::close);
        return content.readers();
    }

    private ReaderKeyFile.Content content(Terminal terminal, Path path) throws IOException, CommandFailure {
        ReaderKeyFile.Content before = opened;
        if (before != null) {
            opened = null; // whoever has it closes it
            return before;
        }
        byte[] passphrase = passphrases(terminal).existing();
        try {
            return open(path, passphrase);
        } finally {
            Arrays.fill(passphrase, (byte) 0);
        }
    }

    /** The keys to read of a reader's file, closed by the caller. */
    static List<ReaderKey> read(Path path, byte[] passphrase) throws IOException, CommandFailure {
        ReaderKeyFile.Content content = open(path, passphrase);
        content.searchers().forEach(SearcherKey::close);
        return content.readers();
    }

    /** All keys of a reader's file, closed by the caller. */
    static ReaderKeyFile.Content open(Path path, byte[] passphrase) throws IOException, CommandFailure {
        try {
            return ReaderKeyFile.open(path, passphrase);
        } catch (KeyFileException e) {
            throw KeyFolderOptions.failure(e);
        } catch (MalformedEncodingException e) {
            throw new CommandFailure(ExitCode.KEY, path + ": " + e.getMessage(), e);
        }
    }
}
