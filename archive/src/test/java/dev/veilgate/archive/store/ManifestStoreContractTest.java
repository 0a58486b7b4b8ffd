package dev.veilgate.archive.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.sse.ConflictException;
import dev.veilgate.sse.ManifestStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that every store of manifests passes. */
abstract class ManifestStoreContractTest {
    private static final int THREADS = 8;
    private static final int NUMBERS = 200;

    ManifestStore store;

    /** A store without manifests. */
    abstract ManifestStore open() throws Exception;

    /** The same manifests, as another device sees them. */
    abstract ManifestStore another() throws Exception;

    @BeforeEach
    void openStore() throws Exception {
        store = open();
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void hasNoManifestAtFirst() throws Exception {
        assertThat(store.newest()).isZero();
        assertThat(store.read(1)).isEmpty();
    }

    @Test
    void givesNumbersOnce() throws Exception {
        for (int number = 1; number <= 30; number++) {
            assertThat(store.create(number, bytes("manifest " + number))).isTrue();
            assertThat(store.create(number, bytes("another"))).isFalse();
            assertThat(store.create(number, bytes("manifest " + number))).isTrue();
            assertThat(store.newest()).isEqualTo(number);
        }
        ManifestStore other = another();
        assertThat(other.newest()).isEqualTo(30);
        for (int number = 1; number <= 30; number++) {
            assertThat(other.read(number)).hasValue(bytes("manifest " + number));
        }
        assertThat(other.read(31)).isEmpty();
        other.force(30);
    }

    @Test
    void refusesNumbersThatAreNone() {
        for (long number : new long[] {0, -1, Long.MIN_VALUE}) {
            assertThatThrownBy(() -> store.read(number)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> store.create(number, bytes(""))).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> store.shorten(number, bytes(""), bytes("")))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void leavesNoHole() throws Exception {
        assertThatThrownBy(() -> store.create(2, bytes("2"))).isInstanceOf(IOException.class);
        assertThat(store.newest()).isZero();
        assertThat(store.create(1, bytes("1"))).isTrue();
        assertThatThrownBy(() -> store.create(3, bytes("3"))).isInstanceOf(IOException.class);
        assertThat(store.newest()).isEqualTo(1);
    }

    @Test
    void keepsManifestsWhateverTheirSize() throws Exception {
        byte[] large = new byte[2_000_000];
        large[1_999_999] = 1;
        assertThat(store.create(1, new byte[0])).isTrue();
        assertThat(store.create(2, large)).isTrue();
        assertThat(store.read(1)).hasValue(new byte[0]);
        assertThat(store.read(2)).hasValue(large);
    }

    @Test
    void keepsItsOwnBytes() throws Exception {
        byte[] mine = bytes("mine");
        store.create(1, mine);
        mine[0] = 'x';
        store.read(1).orElseThrow()[0] = 'y';
        assertThat(store.read(1)).hasValue(bytes("mine"));
    }

    @Test
    void shortensOlderOnesOnly() throws Exception {
        store.create(1, bytes("head and body"));
        assertThatThrownBy(() -> store.shorten(1, bytes("head and body"), bytes("head")))
                .isInstanceOf(ConflictException.class);
        store.create(2, bytes("second"));
        assertThatThrownBy(() -> store.shorten(1, bytes("another"), bytes("head")))
                .isInstanceOf(ConflictException.class);
        assertThat(store.read(1)).hasValue(bytes("head and body"));
        store.shorten(1, bytes("head and body"), bytes("head"));
        store.shorten(1, bytes("head and body"), bytes("head"));
        assertThat(store.read(1)).hasValue(bytes("head"));
        assertThat(store.create(1, bytes("head and body"))).isFalse();
        assertThat(store.newest()).isEqualTo(2);
    }

    /** Threads with stores of their own try to get each number. */
    @Test
    void givesEachNumberToOneOfManyThreads() throws Exception {
        Map<Long, byte[]> given = new ConcurrentHashMap<>();
        List<Future<?>> running = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            for (int i = 0; i < THREADS; i++) {
                int writer = i;
                running.add(threads.submit(() -> {
                    ManifestStore own = another();
                    for (long number = own.newest() + 1; number <= NUMBERS; number = own.newest() + 1) {
                        byte[] mine = bytes("writer " + writer + " number " + number);
                        if (own.create(number, mine)) {
                            assertThat(given.put(number, mine))
                                    .as("number %d", number)
                                    .isNull();
                        }
                        if (number > 20) {
                            byte[] older = own.read(number - 20).orElseThrow();
                            own.shorten(number - 20, older, bytes("head " + (number - 20)));
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> thread : running) {
                thread.get();
            }
        }
        assertThat(store.newest()).isEqualTo(NUMBERS);
        assertThat(given).hasSize(NUMBERS);
        for (long number = 1; number <= NUMBERS; number++) {
            assertThat(store.read(number))
                    .hasValue(number <= NUMBERS - 20 ? bytes("head " + number) : given.get(number));
        }
    }
}
