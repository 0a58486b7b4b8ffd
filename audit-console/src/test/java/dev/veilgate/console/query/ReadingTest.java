package dev.veilgate.console.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.veilgate.application.TestClock;
import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.PassphraseCost;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.custody.Slice;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import dev.veilgate.extract.ExtractorProfile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** While one user's query is read, others use the keys and have theirs read. */
class ReadingTest {
    private static final byte[] PASSPHRASE = "correct horse battery".getBytes(StandardCharsets.UTF_8);
    private static final User ADA = new User("ada", "Ada", Set.of(Role.AUDITOR), Optional.empty());

    private final TestClock clock = new TestClock();
    private final SecureRandom random = new SecureRandom();

    @TempDir
    private Path temporary;

    private Custody custody() throws Exception {
        Path folder = temporary.resolve("keys");
        byte[] profile = ExtractorProfile.defaults().encode();
        TenantKeys keys = TenantKeys.generate("acme", EpochPolicy.MONTHLY, profile, random, clock.instant());
        KeyFolder.create(folder, keys, PASSPHRASE, new PassphraseCost(64, 1, 1), random)
                .close();
        Custody custody = new Custody(folder, temporary.resolve("data"), clock, random);
        custody.unlock(PASSPHRASE);
        return custody;
    }

    /** Names of fields that a query is read with: whoever asks for them is told. */
    private static Set<String> asked(Runnable then) {
        return new AbstractSet<>() {
            @Override
            public Iterator<String> iterator() {
                then.run();
                return List.<String>of().iterator();
            }

            @Override
            public int size() {
                return 0;
            }
        };
    }

    @Test
    void theKeysAreFreeWhileAQueryIsRead() throws Exception {
        try (Custody custody = custody();
                ExecutorService others = Executors.newSingleThreadExecutor()) {
            List<String> used = new ArrayList<>();
            Runnable use = () -> {
                Future<String> other = others.submit(() -> custody.use(TenantKeys::tenant));
                try {
                    used.add(other.get(1, TimeUnit.MINUTES));
                } catch (Exception e) {
                    throw new IllegalStateException("nobody else has the keys meanwhile", e);
                }
            };
            new QueryReader(custody, clock).understood(ADA, "disk", false, asked(use));
            assertThat(used).contains("acme");
        }
    }

    @Test
    void queriesOfAUserAreReadOneAtATimeAndOthersMeanwhile() throws Exception {
        ReadingTurns turns = new ReadingTurns();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            Future<String> first = threads.submit(() -> turns.take("mallory", () -> {
                begun.countDown();
                over.await();
                return "first";
            }));
            begun.await();
            List<Future<String>> waiting = IntStream.range(0, ReadingTurns.MOST_WAITING)
                    .mapToObj(i -> threads.submit(() -> turns.take("mallory", () -> {
                        assertThat(over.getCount()).as("one at a time").isZero();
                        return "next";
                    })))
                    .toList();
            awaitFull(turns);
            assertThat(turns.take("ada", () -> "read")).isEqualTo("read");
            assertThat(first.isDone()).isFalse();
            over.countDown();
            assertThat(first.get(1, TimeUnit.MINUTES)).isEqualTo("first");
            for (Future<String> each : waiting) {
                assertThat(each.get(1, TimeUnit.MINUTES)).isEqualTo("next");
            }
        }
        assertThat(turns.take("mallory", () -> "free again")).isEqualTo("free again");
    }

    /** Waits until as many wait as may; one more is refused. */
    private static void awaitFull(ReadingTurns turns) {
        await().atMost(Duration.ofMinutes(1)).until(() -> turns.wanted("mallory") > ReadingTurns.MOST_WAITING);
        assertThatThrownBy(() -> turns.take("mallory", () -> "too many"))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        e -> assertThat(e.status().value()).isEqualTo(429));
    }

    @Test
    void aSliceHasAStepAtLeastAndNotManyMore() {
        for (int i = 0; i < 100; i++) {
            Slice slice = new Slice();
            int steps = 0;
            while (slice.step()) {
                steps++;
            }
            assertThat(steps).isBetween(1, Slice.MOST);
        }
    }
}
