package dev.veilgate.console.search;

import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.identity.User;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Takes the keys again and again and looks at a user's search, until it stands as is wanted, and then keeps them. Who has the next turn waits for the keys before who has them lets go: so that in
 * between one other use of the keys comes at most, and none is missed.
 */
final class KeysInTurns implements AutoCloseable {
    private static final Duration KEPT = Duration.ofMinutes(3);

    private final Custody custody;
    private final Searches searches;
    private final User user;
    private final Predicate<SearchState> wanted;
    private final CountDownLatch taken = new CountDownLatch(1);
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);
    private final List<Integer> issued = new CopyOnWriteArrayList<>();
    private volatile boolean isKept;

    KeysInTurns(Custody custody, Searches searches, User user, Predicate<SearchState> wanted)
            throws InterruptedException {
        this.custody = custody;
        this.searches = searches;
        this.user = user;
        this.wanted = wanted;
        turn();
        begun.await();
    }

    private Thread turn() {
        return Thread.ofPlatform().daemon().start(() -> {
            try {
                custody.use(keys -> {
                    begun.countDown();
                    look();
                    return true;
                });
            } catch (Exception e) {
                taken.countDown(); // and they are not kept
            }
        });
    }

    private void look() throws InterruptedException {
        Optional<SearchState> search = searches.of(user).stream().findFirst().map(SearchJob::state);
        search.ifPresent(state -> issued.add(state.issued()));
        if (search.filter(wanted).isPresent()) {
            isKept = true;
            taken.countDown();
            over.await(KEPT.toSeconds(), TimeUnit.SECONDS);
        } else if (search.filter(SearchState::hasEnded).isPresent()) {
            taken.countDown();
        } else if (over.getCount() > 0) {
            Thread next = turn();
            while (next.isAlive() && next.getState() != Thread.State.WAITING) {
                Thread.sleep(1);
            }
        }
    }

    /** Waits until the search stands as is wanted; whether it ever did. */
    boolean areKept() throws InterruptedException {
        taken.await(KEPT.toSeconds(), TimeUnit.SECONDS);
        return isKept;
    }

    /** How many trapdoors there were, at each turn. */
    List<Integer> issued() {
        return List.copyOf(issued);
    }

    /** From now on others have them. */
    void letGo() {
        over.countDown();
    }

    /** {@link #letGo}. */
    @Override
    public void close() {
        letGo();
    }
}
