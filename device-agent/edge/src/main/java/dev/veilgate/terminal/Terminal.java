package dev.veilgate.terminal;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a command talks to: streams, environment, clock, and whether a person is at the other end. Commands get it by constructor, so
 * that tests run them in memory.
 *
 * @param in          standard input
 * @param out         standard output, buffered: flushed when the command ends, binary when asked
 * @param err         standard error
 * @param environment environment variables
 * @param clock       the time
 * @param outIsTerminal whether standard output is a terminal, to which no binary data is written
 * @param errIsTerminal whether standard error is one, on which progress is shown
 * @param prompt      asks for a passphrase without echo
 */
public record Terminal(
        InputStream in,
        PrintStream out,
        PrintStream err,
        Map<String, String> environment,
        Clock clock,
        boolean outIsTerminal,
        boolean errIsTerminal,
        SecretPrompt prompt) {

    /** Asks a person for a secret. */
    @FunctionalInterface
    public interface SecretPrompt {
        /** What was typed, without echo, for the caller to wipe; null if there is nobody to ask. */
        char @Nullable [] ask(String question);
    }

    /**
     * That of this process. A Java program cannot tell which of its streams are terminals, so the launcher says it:
     * {@code -Dveilgate.terminals=12}.
     */
    public static Terminal ofProcess() {
        String terminals = System.getProperty("veilgate.terminals", "");
        OutputStream out = new FileOutputStream(FileDescriptor.out);
        return new Terminal(
                System.in,
                new PrintStream(new BufferedOutputStream(out, 1 << 16), false, StandardCharsets.UTF_8),
                new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
                System.getenv(),
                Clock.systemUTC(),
                terminals.contains("1"),
                terminals.contains("2"),
                new ControllingTerminal());
    }

    /**
     * An option's value, or else that of a variable of the environment.
     *
     * @throws CommandFailure if there is neither
     */
    public String given(@Nullable String value, String option, String variable) throws CommandFailure {
        String found = value != null ? value : variable(variable);
        if (found == null || found.isEmpty()) {
            throw new CommandFailure(ExitCode.USAGE, option + " is needed (or " + variable + ")");
        }
        return found;
    }

    /** A variable of the environment. */
    public @Nullable String variable(String name) {
        return environment.get(name);
    }
}
