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
    private long begin;
    private long total;

    /** Says how many bytes there are to read, so that the time left can be told. */
    void total(long bytes) {
        total = bytes;
    }

    /** Called often. */
    void at(Terminal terminal, String what, long count) {
        at(terminal, what, count, 0);
    }

    /**
     * Called often.
     *
     * @param bytes that were read up to now, or 0
     */
    void at(Terminal terminal, String what, long count, long bytes) {
        if (wanted == null ? !terminal.errIsTerminal() : !wanted) {
            return;
        }
        long now = System.nanoTime() / 1_000_000;
        if (next == 0) {
            begin = now;
            next = now + FIRST_MILLIS;
        } else if (now >= next) {
            next = now + EACH_MILLIS;
            shown = true;
            String text =
                    "%,d %s, %,d a second%s ...".formatted(count, what, 1000 * count / (now - begin), left(now, bytes));
            terminal.err().printf(terminal.errIsTerminal() ? "\r\u001b[K%s" : "%s%n", text);
            terminal.err().flush();
        }
    }

    private String left(long now, long bytes) {
        if (bytes < total / 100 || bytes == 0 || bytes > total) {
            return "";
        }
        long seconds = Math.round((double) (now - begin) * (total - bytes) / bytes / 1000);
        return ", %d %%, %d:%02d left".formatted(100 * bytes / total, seconds / 60, seconds % 60);
    }

    /** Removes the line from a terminal. */
    void end(Terminal terminal) {
        if (shown && terminal.errIsTerminal()) {
            terminal.err().print("\r\u001b[K");
            terminal.err().flush();
        }
    }
}
