package dev.veilgate.cli;

import dev.veilgate.terminal.Terminal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Says on standard error how far long work is, once it has taken a second: on a terminal, or when asked. */
final class Progress {
    private static final long FIRST_MILLIS = 1000;
    private static final long EACH_MILLIS = 500;

    @Option(
            names = "--progress",
            negatable = true,
            description = "Say how far the work is; on a terminal it does so by itself.")
    private @Nullable Boolean wanted;

    private boolean shown;
    private long next;

    /** Called often. */
    void at(Terminal terminal, String what, long count) {
        if (wanted == null ? !terminal.errIsTerminal() : !wanted) {
            return;
        }
        long now = System.nanoTime() / 1_000_000;
        if (next == 0) {
            next = now + FIRST_MILLIS;
        } else if (now >= next) {
            next = now + EACH_MILLIS;
            shown = true;
            terminal.err().printf(terminal.errIsTerminal() ? "\r%,d %s ..." : "%,d %s ...%n", count, what);
            terminal.err().flush();
        }
    }

    /** Removes the line from a terminal. */
    void end(Terminal terminal) {
        if (shown && terminal.errIsTerminal()) {
            terminal.err().print("\r\u001b[K");
            terminal.err().flush();
        }
    }
}
