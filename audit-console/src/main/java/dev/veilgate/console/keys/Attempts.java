package dev.veilgate.console.keys;

import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.identity.WrongAttempts;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/** Slows down whoever tries passphrases: one at a time, and after each that was wrong a longer wait, up to a minute. */
@Component
final class Attempts {
    private final Clock clock;
    private final WrongAttempts wrong = new WrongAttempts(0);
    private boolean isRunning;

    Attempts(Clock clock) {
        this.clock = clock;
    }

    /** @throws ProblemException 429 if it is too early, or another attempt is under way; otherwise {@link #end} has to be called */
    synchronized void begin() {
        Instant now = clock.instant();
        if (isRunning) {
            throw tooEarly("somebody else is trying just now");
        }
        Duration wait = wrong.wait(now);
        if (!wait.isZero()) {
            throw tooEarly("wait " + (wait.toSeconds() + 1) + " seconds");
        }
        isRunning = true;
    }

    private static ProblemException tooEarly(String what) {
        return new ProblemException(
                HttpStatus.TOO_MANY_REQUESTS, "too-many-attempts", "passphrases are tried one at a time: " + what);
    }

    synchronized void end(boolean isRight) {
        isRunning = false;
        if (isRight) {
            wrong.right();
        } else {
            wrong.wrong(clock.instant());
        }
    }
}
