package dev.veilgate.console.keys;

import dev.veilgate.console.http.ProblemException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/** Slows down whoever tries passphrases: one at a time, and after each that was wrong a longer wait, up to a minute. */
@Component
final class Attempts {
    private static final Duration FIRST_WAIT = Duration.ofSeconds(1);
    private static final int MOST_DOUBLINGS = 6;

    private final Clock clock;
    private int wrong;
    private boolean isRunning;
    private Instant next = Instant.MIN;

    Attempts(Clock clock) {
        this.clock = clock;
    }

    /** @throws ProblemException 429 if it is too early, or another attempt is under way; otherwise {@link #end} has to be called */
    synchronized void begin() {
        Instant now = clock.instant();
        if (isRunning) {
            throw tooEarly("somebody else is trying just now");
        }
        if (now.isBefore(next)) {
            throw tooEarly("wait " + (Duration.between(now, next).toSeconds() + 1) + " seconds");
        }
        isRunning = true;
    }

    private static ProblemException tooEarly(String what) {
        return new ProblemException(
                HttpStatus.TOO_MANY_REQUESTS, "too-many-attempts", "passphrases are tried one at a time: " + what);
    }

    synchronized void end(boolean isRight) {
        isRunning = false;
        wrong = isRight ? 0 : Math.min(wrong + 1, MOST_DOUBLINGS + 1);
        next = isRight ? Instant.MIN : clock.instant().plus(FIRST_WAIT.multipliedBy(1L << (wrong - 1)));
    }
}
