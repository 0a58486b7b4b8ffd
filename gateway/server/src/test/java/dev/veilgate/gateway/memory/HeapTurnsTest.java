package dev.veilgate.gateway.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.veilgate.application.TestClock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class HeapTurnsTest {
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final int MAIL = 10 << 20;

    private final TestClock clock = new TestClock();

    private HeapTurns turns(long bytes, Duration patience) {
        return new HeapTurns(bytes, patience, clock);
    }

    @Test
    void largeMailsWaitForEachOtherInTheOrderInWhichTheyCame() throws Exception {
        HeapTurns turns = turns(70 << 20, LONG);
        HeapTurns.Turn first = turns.take(MAIL).orElseThrow();
        HeapTurns.Turn second = turns.take(MAIL).orElseThrow();
        List<Integer> order = new CopyOnWriteArrayList<>();
        for (int number = 0; number < 3; number++) {
            int own = number;
            Thread.ofVirtual().start(() -> {
                HeapTurns.Turn turn = taken(turns, MAIL);
                order.add(own);
                turn.close();
            });
            await().until(() -> turns.waiting() == own + 1);
        }
        assertThat(order).isEmpty();
        first.close();
        first.close(); // ends once
        await().until(() -> order.size() == 3);
        assertThat(order).containsExactly(0, 1, 2);
        await().until(() -> turns.taken() == 3L * MAIL);
        second.close();
        assertThat(turns.taken()).isZero();
    }

    private static HeapTurns.Turn taken(HeapTurns turns, int bytes) {
        try {
            return turns.take(bytes).orElseThrow();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void smallMailsNeverWait() throws Exception {
        HeapTurns turns = turns(30 << 20, Duration.ofMillis(1));
        assertThat(turns.take(MAIL)).isPresent();
        assertThat(turns.take(HeapTurns.LARGE_BYTES)).hasValue(HeapTurns.Turn.NONE);
        assertThat(turns.take(HeapTurns.LARGE_BYTES + 1)).isEmpty();
    }

    @Test
    void aMailThatIsLargerThanAllOfItIsTakenAlone() throws Exception {
        HeapTurns turns = turns(20 << 20, LONG);
        HeapTurns.Turn other = turns.take(2 << 20).orElseThrow();
        AtomicReference<HeapTurns.Turn> alone = new AtomicReference<>();
        Thread.ofVirtual().start(() -> alone.set(taken(turns, 500 << 20)));
        await().until(() -> turns.waiting() == 1);
        assertThat(alone.get()).isNull();
        other.close();
        await().until(() -> alone.get() != null);
        assertThat(turns.taken()).isEqualTo(20 << 20);
        alone.get().close();
        assertThat(turns.taken()).isZero();
    }

    @Test
    void waitingInVainIsCountedAndSaidUntilItIsLongAgo() throws Exception {
        HeapTurns turns = turns(30 << 20, Duration.ofMillis(1));
        Optional<HeapTurns.Turn> first = turns.take(MAIL);
        assertThat(turns.trouble()).isEmpty();
        assertThat(turns.take(MAIL)).isEmpty();
        assertThat(turns.refused()).isEqualTo(1);
        assertThat(turns.waiting()).isZero();
        assertThat(turns.trouble().orElseThrow()).contains("1 were put off", "at " + clock.instant(), "-Xmx");
        clock.advance(Duration.ofMinutes(11));
        assertThat(turns.trouble()).isEmpty();
        first.orElseThrow().close();
    }

    @Test
    void waitingThatLastsIsSaid() throws Exception {
        HeapTurns turns = turns(30 << 20, LONG);
        HeapTurns.Turn first = turns.take(MAIL).orElseThrow();
        Thread.ofVirtual().start(() -> taken(turns, MAIL).close());
        await().until(() -> turns.waiting() == 1);
        assertThat(turns.trouble()).isEmpty();
        clock.advance(Duration.ofMinutes(6));
        assertThat(turns.trouble().orElseThrow()).startsWith("1 large mails wait for memory for long");
        first.close();
        await().until(() -> turns.waiting() == 0);
        assertThat(turns.trouble()).isEmpty();
    }
}
