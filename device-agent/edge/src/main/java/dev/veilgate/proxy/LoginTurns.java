package dev.veilgate.proxy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Turns to seal, a few at once, shared among logins: the next turn goes to the login that holds the fewest, and of
 * these to the one that had the least time of late (it counts half after a minute). So a user who submits a hundred
 * messages whose attachments take long waits for them alone. For several threads.
 */
final class LoginTurns {
    private static final double HALF_LIFE_NANOS = Duration.ofMinutes(1).toNanos();

    private static final Duration FOR_EVER = Duration.ofNanos(Long.MAX_VALUE);
    /** Less than this is forgotten, and the login with it. */
    private static final double FORGOTTEN_NANOS = 1e6;

    private final List<Waiting> waiting = new ArrayList<>();
    private final Map<String, Share> shares = new HashMap<>();
    private int free;
    private long number;

    /** @param atOnce turns that may be held at the same time */
    LoginTurns(int atOnce) {
        this.free = atOnce;
    }

    /** A message that waits for its turn; {@code isPatient} if it lets all others go first. */
    private static final class Waiting {
        private final String login;
        private final boolean isPatient;
        private final long number;
        private boolean isGranted;

        Waiting(String login, boolean isPatient, long number) {
            this.login = login;
            this.isPatient = isPatient;
            this.number = number;
        }
    }

    /** Turns that a login holds, and the time that it had of late. */
    private static final class Share {
        private int held;
        private double nanos;
        private long at = System.nanoTime();

        double nanos(long now) {
            nanos *= Math.pow(2, -(now - at) / HALF_LIFE_NANOS);
            at = now;
            return nanos;
        }
    }

    /** A turn that is held; to be closed by the thread that took it. */
    final class Turn implements AutoCloseable {
        private final String login;
        private long since = System.nanoTime();

        private Turn(String login) {
            this.login = login;
        }

        /**
         * Gives the turn back until nobody else waits for one, and takes it again.
         *
         * @param patience time of the wall after which it is taken again although others wait
         * @return whether there was room: nobody else waited
         */
        boolean letOthersGoFirst(Duration patience) {
            give(login, System.nanoTime() - since);
            boolean isRoom = await(login, true, patience);
            if (!isRoom) {
                await(login, false, FOR_EVER);
            }
            since = System.nanoTime();
            return isRoom;
        }

        @Override
        public void close() {
            give(login, System.nanoTime() - since);
        }
    }

    /**
     * Waits for a turn.
     *
     * @param login who submits; empty for who did not log in
     */
    Turn take(String login) {
        await(login, false, FOR_EVER);
        return new Turn(login);
    }

    /** Whether a turn was granted; without one nobody has it. */
    private synchronized boolean await(String login, boolean isPatient, Duration patience) {
        Waiting own = new Waiting(login, isPatient, number++);
        waiting.add(own);
        grant();
        long end = System.nanoTime() + patience.toNanos();
        boolean isInterrupted = false;
        while (!own.isGranted && System.nanoTime() - end < 0) {
            try {
                wait(Math.max(1, (end - System.nanoTime()) / 1_000_000));
            } catch (InterruptedException e) {
                isInterrupted = true; // a message that is being taken is taken
            }
        }
        waiting.remove(own);
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
        return own.isGranted;
    }

    private synchronized void give(String login, long nanos) {
        long now = System.nanoTime();
        Share share = share(login);
        share.held--;
        share.nanos = share.nanos(now) + nanos;
        free++;
        grant();
        shares.values().removeIf(each -> each.held == 0 && each.nanos(now) < FORGOTTEN_NANOS);
    }

    private Share share(String login) {
        return shares.computeIfAbsent(login, each -> new Share());
    }

    private void grant() {
        long now = System.nanoTime();
        while (free > 0) {
            Waiting next = waiting.stream()
                    .filter(each -> !each.isGranted)
                    .min(Comparator.comparing((Waiting each) -> each.isPatient)
                            .thenComparingInt(each -> share(each.login).held)
                            .thenComparingDouble(each -> share(each.login).nanos(now))
                            .thenComparingLong(each -> each.number))
                    .orElse(null);
            if (next == null) {
                return;
            }
            next.isGranted = true;
            share(next.login).held++;
            free--;
            notifyAll();
        }
    }
}
