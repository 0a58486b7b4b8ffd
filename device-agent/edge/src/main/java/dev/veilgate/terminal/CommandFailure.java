package dev.veilgate.terminal;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Ends a command: one line on standard error, and an exit code. The line says what to do, and never holds a secret or plaintext. */
public final class CommandFailure extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    /** @param exitCode one of {@link ExitCode} */
    public CommandFailure(int exitCode, String message) {
        this(exitCode, message, null);
    }

    /** With what {@code --debug} shows beneath the line. */
    public CommandFailure(int exitCode, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** One of {@link ExitCode}. */
    public int exitCode() {
        return exitCode;
    }
}
