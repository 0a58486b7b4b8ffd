package dev.veilgate.cli;

import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.Terminal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How the passphrase of a mail signer's PKCS #12 file comes in. Characters, for the caller to wipe. */
final class SignerPassphraseOptions {
    private static final String OPTION = "--signer-passphrase-file";

    @Option(
            names = OPTION,
            paramLabel = "FILE",
            description =
                    "Take the passphrase of the PKCS #12 file from the first line of a file. Otherwise VEILGATE_SIGNER_PASSPHRASE is used, or a terminal is asked.")
    private @Nullable Path file;

    /** That of a file that exists. */
    char[] existing(Terminal terminal) throws IOException, CommandFailure {
        return characters(passphrases(terminal).existing());
    }

    /** One for a new file; a person is asked twice. */
    char[] chosen(Terminal terminal) throws IOException, CommandFailure {
        return characters(passphrases(terminal).chosen());
    }

    private Passphrases passphrases(Terminal terminal) {
        return new Passphrases(terminal, file, "VEILGATE_SIGNER_PASSPHRASE", OPTION, "passphrase of the PKCS #12 file");
    }

    /** Wipes the bytes. */
    private static char[] characters(byte[] utf8) {
        CharBuffer decoded = StandardCharsets.UTF_8.decode(ByteBuffer.wrap(utf8));
        char[] characters = new char[decoded.remaining()];
        decoded.get(characters);
        Arrays.fill(decoded.array(), '\0');
        Arrays.fill(utf8, (byte) 0);
        return characters;
    }
}
