package dev.veilgate.console.query;

import dev.veilgate.console.http.ProblemException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.ReentrantLock;
import org.springframework.http.HttpStatus;

/**
 * Reads one query of each user at a time: who sends many keeps one processor busy at most, and waits for the own ones
 * alone. Safe for use by several threads.
 */
final class ReadingTurns {
    /** Queries of a user that wait; more are refused. */
    static final int MOST_WAITING = 16;

    private final Map<String, Turn> turns = new HashMap<>();

    /** The turn of a user; {@code wanted} counts those who have it or wait for it. */
    private static final class Turn {
        final ReentrantLock lock = new ReentrantLock(true);
        int wanted;
    }

    /**
     * Reads when it is the user's turn.
     *
     * @throws ProblemException 429 if too many wait already
     */
    <T> T take(String user, Callable<T> reading) throws Exception {
        Turn turn = enter(user);
        turn.lock.lock();
        try {
            return reading.call();
        } finally {
            turn.lock.unlock();
            leave(user, turn);
        }
    }

    private synchronized Turn enter(String user) {
        Turn turn = turns.computeIfAbsent(user, name -> new Turn());
        if (turn.wanted > MOST_WAITING) {
            throw new ProblemException(
                    HttpStatus.TOO_MANY_REQUESTS,
                    "busy",
                    MOST_WAITING + " of your queries wait to be read; send the next when some are answered");
        }
        turn.wanted++;
        return turn;
    }

    /** Counts the queries of a user that are read or wait. */
    synchronized int wanted(String user) {
        Turn turn = turns.get(user);
        return turn == null ? 0 : turn.wanted;
    }

    private synchronized void leave(String user, Turn turn) {
        turn.wanted--;
        if (turn.wanted == 0) {
            turns.remove(user);
        }
    }
}
