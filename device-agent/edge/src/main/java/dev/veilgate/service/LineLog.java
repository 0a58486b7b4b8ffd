package dev.veilgate.service;

import java.io.PrintStream;
import java.time.Clock;
import java.time.temporal.ChronoUnit;

/**
 * The log of a service: one line an entry on standard error, which a service manager keeps. Counts, sizes, ids and reasons; no content, no
 * address, no keyword, no secret.
 */
public final class LineLog {
    private final PrintStream out;
    private final Clock clock;

    /** Writes to a stream, with the clock's time before every line. */
    public LineLog(PrintStream out, Clock clock) {
        this.out = out;
        this.clock = clock;
    }

    /** What happens in order. */
    public void info(String line) {
        say("INFO", line);
    }

    /** What an operator may have to look at. */
    public void warn(String line) {
        say("WARN", line);
    }

    private synchronized void say(String level, String line) {
        // An entry stays one line, whatever a file's name or a library's message holds.
        out.println(clock.instant().truncatedTo(ChronoUnit.MILLIS) + " " + level + " "
                + line.replaceAll("\\p{Cntrl}+", " "));
    }

    /** A bug as an entry may show it: what was thrown and where, without its message, which may hold what was being worked on. */
    public static String bug(Throwable thrown) {
        StackTraceElement[] stack = thrown.getStackTrace();
        return thrown.getClass().getName() + (stack.length == 0 ? "" : " at " + stack[0]);
    }
}
