package dev.veilgate.cli;

import dev.veilgate.sender.PassphraseFile;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Where a passphrase comes from: a file, the environment, or a person. Bytes of UTF-8, for the caller to wipe.
 *
 * @param variable of the environment; empty: none
 * @param option   that names the file
 */
record Passphrases(Terminal terminal, @Nullable Path file, String variable, String option, String what) {
    static final String VARIABLE = "VEILGATE_PASSPHRASE";

    /** Shorter ones are refused for new keys: Argon2id makes a guess dear, not impossible. */
    static final int LEAST_CHARACTERS = 12;

    /** That of a key folder. */
    Passphrases(Terminal terminal, @Nullable Path file) {
        this(terminal, file, VARIABLE, "--passphrase-file", "passphrase");
    }

    /** The passphrase of keys that exist. */
    byte[] existing() throws IOException, CommandFailure {
        return given(capitalised(what), false);
    }

    /** A passphrase for new keys; a person is asked twice. */
    byte[] chosen() throws IOException, CommandFailure {
        byte[] passphrase = given("New " + what, true);
        int characters =
                StandardCharsets.UTF_8.decode(ByteBuffer.wrap(passphrase)).length();
        if (characters < LEAST_CHARACTERS) {
            Arrays.fill(passphrase, (byte) 0);
            throw new CommandFailure(
                    ExitCode.KEY,
                    "a passphrase has at least " + LEAST_CHARACTERS
                            + " characters; four words that do not belong together are good");
        }
        return passphrase;
    }

    private byte[] given(String question, boolean twice) throws IOException, CommandFailure {
        if (file != null) {
            return firstLine(file);
        }
        String value = terminal.variable(variable);
        if (value != null) {
            return value.getBytes(StandardCharsets.UTF_8);
        }
        char[] typed = ask(question);
        char[] again = new char[0];
        try {
            if (twice) {
                again = ask(question + ", again");
                if (!Arrays.equals(typed, again)) {
                    throw new CommandFailure(ExitCode.KEY, "the two passphrases differ");
                }
            }
            return utf8(typed);
        } finally {
            Arrays.fill(typed, '\0');
            Arrays.fill(again, '\0');
        }
    }

    private static String capitalised(String word) {
        return Character.toUpperCase(word.charAt(0)) + word.substring(1);
    }

    private char[] ask(String question) throws CommandFailure {
        char[] typed = terminal.prompt().ask(question);
        if (typed == null) {
            throw new CommandFailure(
                    ExitCode.KEY,
                    "there is no terminal to ask for the " + what + "; use " + option
                            + (variable.isEmpty() ? "" : " or " + variable));
        }
        return typed;
    }

    private static byte[] firstLine(Path file) throws IOException, CommandFailure {
        return PassphraseFile.read(file)
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.KEY, file + ": its first line must have 1 to " + PassphraseFile.MAX_BYTES + " bytes"));
    }

    private static byte[] utf8(char[] text) {
        ByteBuffer encoded = StandardCharsets.UTF_8.encode(CharBuffer.wrap(text));
        byte[] bytes = new byte[encoded.remaining()];
        encoded.get(bytes);
        Arrays.fill(encoded.array(), (byte) 0);
        return bytes;
    }
}
