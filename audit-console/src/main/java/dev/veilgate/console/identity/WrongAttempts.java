package dev.veilgate.console.identity;

import java.time.Duration;
import java.time.Instant;

/** Counts wrong guesses, and says how long whoever guesses has to wait: some wrong attempts are free, after each further one the wait is twice as long, up to about a minute. For one thread. */
public final class WrongAttempts {
    private static final Duration FIRST_WAIT = Duration.ofSeconds(1);
    private static final Duration REMEMBERED = Duration.ofHours(1);
    private static final int MOST_DOUBLINGS = 6;

    private final int free;
    private int wrong;
    private boolean isTold;
    private Instant last = Instant.MIN;
    private Instant next = Instant.MIN;

    /** @param free how many wrong attempts cost nothing */
    public WrongAttempts(int free) {
        this.free = free;
    }

    /** Until the next attempt; zero if there may be one now. */
    public Duration wait(Instant now) {
        return now.isBefore(next) ? Duration.between(now, next) : Duration.ZERO;
    }

    /** Counts an attempt that was wrong, or may be. What is an hour old is forgotten. */
    public void wrong(Instant now) {
        if (last.isBefore(now.minus(REMEMBERED))) {
            right();
        }
        last = now;
        wrong = Math.min(wrong + 1, free + MOST_DOUBLINGS + 1);
        next = wrong <= free ? Instant.MIN : now.plus(FIRST_WAIT.multipliedBy(1L << (wrong - free - 1)));
    }

    /** Forgets what was wrong. */
    public void right() {
        wrong = 0;
        isTold = false;
        next = Instant.MIN;
    }

    /** Forgets the last attempt only. */
    void undo() {
        wrong = Math.max(0, wrong - 1);
        next = Instant.MIN;
    }

    /** Whether there were too many, and this is the first time that it is asked. */
    boolean tellsOnce() {
        boolean tells = wrong > free && !isTold;
        isTold |= tells;
        return tells;
    }
}
