package dev.veilgate.archive.store;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Optional;

/** A bound on waiting for what another process, or a cache of a file system, holds back. */
record Patience(Duration bound) {
    /** Longer than clients of network file systems keep that a name is not there, which is up to 60 s. */
    static final Patience USUAL = new Patience(Duration.ofSeconds(90));

    private static final long FIRST_PAUSE_MILLIS = 5;
    private static final long LONGEST_PAUSE_MILLIS = 1000;

    /** Something that may be there later. */
    @FunctionalInterface
    interface Question<T> {
        Optional<T> ask() throws IOException;
    }

    /** Asks until there is an answer, at least twice; empty if there is none at the end. */
    <T> Optional<T> await(Question<T> question) throws IOException {
        long begin = System.nanoTime();
        long pause = FIRST_PAUSE_MILLIS;
        while (true) {
            Optional<T> answer = question.ask();
            long left = bound.toMillis()
                    - Duration.ofNanos(System.nanoTime() - begin).toMillis();
            if (answer.isPresent() || left <= 0) {
                return answer;
            }
            sleep(Math.min(pause, left));
            pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
        }
    }

    private static void sleep(long millis) throws IOException {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for a file");
        }
    }
}
