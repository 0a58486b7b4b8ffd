package dev.veilgate.console.identity;

import java.time.Duration;
import org.springframework.security.authentication.AccountStatusException;

/** Too many wrong passwords: the one that was given now is not looked at. */
final class TooManyLoginsException extends AccountStatusException {
    private static final long serialVersionUID = 1L;

    private final long seconds;

    TooManyLoginsException(Duration wait) {
        super("too many wrong passwords");
        this.seconds = wait.toSeconds() + 1;
    }

    /** Until the next attempt. */
    long seconds() {
        return seconds;
    }
}
