package dev.veilgate.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Order of the turns of several logins. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LoginTurnsTest {
    private final List<String> order = Collections.synchronizedList(new ArrayList<>());

    /** Waits until so many threads are blocked inside the turns. */
    private static void awaitWaiting(List<Thread> threads, int count) throws InterruptedException {
        while (threads.stream()
                        .filter(each -> each.getState() == Thread.State.TIMED_WAITING)
                        .count()
                < count) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    private Thread submit(LoginTurns turns, String login) {
        return Thread.ofPlatform().start(() -> {
            LoginTurns.Turn turn = turns.take(login);
            order.add(login);
            turn.close();
        });
    }

    @Test
    void oneLoginsQueueDoesNotDelayAnother() throws Exception {
        LoginTurns turns = new LoginTurns(1);
        List<Thread> threads = new ArrayList<>();
        LoginTurns.Turn held = turns.take("eve");
        for (int i = 0; i < 10; i++) {
            threads.add(submit(turns, "eve"));
        }
        awaitWaiting(threads, 10);
        threads.add(submit(turns, "ada"));
        awaitWaiting(threads, 11);
        held.close();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(order).hasSize(11);
        assertThat(order.getFirst()).isEqualTo("ada");
    }

    @Test
    void theLoginThatHoldsFewestIsNext() throws Exception {
        LoginTurns turns = new LoginTurns(2);
        LoginTurns.Turn first = turns.take("eve");
        LoginTurns.Turn second = turns.take("ada");
        List<Thread> threads = new ArrayList<>();
        threads.add(submit(turns, "ada"));
        awaitWaiting(threads, 1);
        threads.add(submit(turns, "bob"));
        awaitWaiting(threads, 2);
        first.close();
        for (Thread thread : threads) {
            thread.join();
        }
        second.close();
        assertThat(order).containsExactly("bob", "ada");
    }

    @Test
    void whoLetsOthersGoFirstComesBackWhenNobodyWaits() throws Exception {
        LoginTurns turns = new LoginTurns(1);
        LoginTurns.Turn patient = turns.take("eve");
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            threads.add(submit(turns, "ada"));
        }
        awaitWaiting(threads, 3);
        assertThat(patient.letOthersGoFirst(Duration.ofMinutes(1))).isTrue();
        assertThat(order).containsExactly("ada", "ada", "ada");
        patient.close();
        turns.take("bob").close();
    }

    @Test
    void patienceEnds() throws Exception {
        LoginTurns turns = new LoginTurns(1);
        LoginTurns.Turn patient = turns.take("eve");
        CountDownLatch end = new CountDownLatch(1);
        Thread busy = Thread.ofPlatform().start(() -> {
            LoginTurns.Turn turn = turns.take("ada");
            await(end);
            turn.close();
        });
        awaitWaiting(List.of(busy), 1);
        Thread ending = Thread.ofPlatform().start(() -> {
            awaitState(busy, Thread.State.WAITING);
            sleep(100);
            end.countDown();
        });
        assertThat(patient.letOthersGoFirst(Duration.ofMillis(20))).isFalse();
        busy.join();
        ending.join();
        patient.close();
        turns.take("bob").close();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void awaitState(Thread thread, Thread.State state) {
        while (thread.getState() != state) {
            sleep(1);
        }
    }

    private static void sleep(int millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
