package dev.veilgate.agent;

import dev.veilgate.agent.follow.RecordSink;
import java.io.PrintStream;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The agent's own log: lines on standard error, which a service manager keeps. No content, no keyword, no secret: see {@link RecordSink}. */
final class AgentLog {
    private static final String PAHO = "org.eclipse.paho";
    /** Held: a logger that nobody holds forgets its level. */
    private static final Logger PAHO_LOGGER = Logger.getLogger(PAHO);

    private final PrintStream out;
    private final Clock clock;

    AgentLog(PrintStream out, Clock clock) {
        this.out = out;
        this.clock = clock;
        PAHO_LOGGER.setLevel(Level.OFF); // what it has to say comes as exceptions
    }

    void info(String line) {
        say("INFO", line);
    }

    void warn(String line) {
        say("WARN", line);
    }

    private synchronized void say(String level, String line) {
        out.println(clock.instant().truncatedTo(ChronoUnit.MILLIS) + " " + level + " " + line);
    }
}
