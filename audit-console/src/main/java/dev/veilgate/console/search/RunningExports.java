package dev.veilgate.console.search;

import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.identity.User;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/** Lets a user have a few exports at a time: each reads a whole search, and fetches and opens mails. Safe for use by several threads. */
@Component
final class RunningExports {
    private final int most;
    private final Map<String, Integer> running = new ConcurrentHashMap<>();

    RunningExports(SearchSettings settings) {
        this.most = settings.exports();
    }

    /** One of them, until closed. */
    interface Place extends AutoCloseable {
        @Override
        void close();
    }

    /** @throws ProblemException 429 if there are too many */
    Place take(User user) {
        running.merge(user.id(), 1, (now, one) -> {
            if (now >= most) {
                throw new ProblemException(
                        HttpStatus.TOO_MANY_REQUESTS,
                        "too-many-exports",
                        most
                                + " of your exports are under way, the most at a time: wait for one to end, or cancel its download");
            }
            return now + one;
        });
        return () -> running.computeIfPresent(user.id(), (id, now) -> now == 1 ? null : now - 1);
    }
}
