package dev.veilgate.cli;

import dev.veilgate.authority.KeyFileException;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.FileTrapdoorStore;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the authority's keys are, and how its passphrase comes in. */
final class KeyFolderOptions {
    @Option(
            names = {"--keys", "--dir"},
            paramLabel = "DIR",
            description = "The key folder; VEILGATE_KEYS, or else keys.")
    private @Nullable Path folder;

    @Option(
            names = "--passphrase-file",
            paramLabel = "FILE",
            description =
                    "Take the passphrase from the first line of a file. Otherwise VEILGATE_PASSPHRASE is used, or a terminal is asked.")
    private @Nullable Path passphraseFile;

    Path folder(Terminal terminal) {
        if (folder != null) {
            return folder;
        }
        String variable = terminal.variable("VEILGATE_KEYS");
        return Path.of(variable == null || variable.isEmpty() ? "keys" : variable);
    }

    Passphrases passphrases(Terminal terminal) {
        return new Passphrases(terminal, passphraseFile);
    }

    /** Opens the folder; close it. */
    KeyFolder open(Terminal terminal, KeyFolder.Access access) throws IOException, CommandFailure {
        Path path = folder(terminal);
        if (java.nio.file.Files.notExists(
                path.resolve(KeyFolder.KEY_FILE))) { // before anybody is asked for a passphrase
            throw new CommandFailure(
                    ExitCode.KEY,
                    "there are no keys in " + path
                            + "; name their folder with --keys, or make some: veilgate keys init");
        }
        byte[] passphrase = passphrases(terminal).existing();
        try {
            KeyFolder opened = KeyFolder.open(path, passphrase, access, new SecureRandom());
            if (opened.readableByOthers()) {
                terminal.err()
                        .println(
                                "warning: " + path.resolve(KeyFolder.KEY_FILE)
                                        + " can be read by others, who may then guess the passphrase; chmod 600 makes it private");
            }
            return opened;
        } catch (KeyFileException e) {
            throw failure(e);
        } catch (MalformedEncodingException e) {
            throw new CommandFailure(ExitCode.KEY, String.valueOf(e.getMessage()), e);
        } catch (OutOfMemoryError e) {
            throw tooLittleMemory();
        } finally {
            Arrays.fill(passphrase, (byte) 0);
        }
    }

    /** The store of issued trapdoors; close it. */
    static FileTrapdoorStore trapdoors(KeyFolder folder) throws IOException, CommandFailure {
        try {
            return folder.trapdoors();
        } catch (KeyFileException e) {
            throw failure(e);
        }
    }

    static CommandFailure tooLittleMemory() {
        return new CommandFailure(
                ExitCode.KEY,
                "the file's Argon2id needs more memory than Java was given; set VEILGATE_JAVA_OPTS=-Xmx1g");
    }

    static CommandFailure failure(KeyFileException e) {
        int code = e.reason() == KeyFileException.Reason.IN_USE ? ExitCode.IO : ExitCode.KEY;
        return new CommandFailure(code, String.valueOf(e.getMessage()), e);
    }
}
