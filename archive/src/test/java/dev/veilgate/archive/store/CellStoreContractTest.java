package dev.veilgate.archive.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.random.TestSeed;
import dev.veilgate.sse.CellStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Tests that every store of cells passes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class CellStoreContractTest {
    private static final byte[] NONE = {};

    private final TestSeed seed = TestSeed.of(getClass());
    CellStore store;

    /** A store without cells. */
    abstract CellStore open() throws Exception;

    /** The store as another process finds it; where nothing outlives the process, the same. */
    abstract CellStore reopen(CellStore store) throws Exception;

    @BeforeEach
    void openStore() throws Exception {
        store = open();
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    private void put(String table, byte[] key, byte[] value) {
        store.transact(cells -> {
            cells.put(table, key, value);
            return 0;
        });
    }

    private byte[] get(String table, byte[] key) {
        return store.transact(cells -> cells.get(table, key));
    }

    private long count(String table) {
        return store.<Long, RuntimeException>transact(cells -> cells.count(table));
    }

    private List<byte[]> keys(String table, byte[] prefix) {
        return store.transact(cells -> {
            List<byte[]> keys = new ArrayList<>();
            cells.scan(table, prefix, (key, value) -> {
                assertThat(cells.get(table, key)).isEqualTo(value);
                keys.add(key);
            });
            return keys;
        });
    }

    @Test
    void aNewStoreHasNothing() {
        assertThat(get("a", bytes(1))).isNull();
        assertThat(count("a")).isZero();
        assertThat(keys("a", NONE)).isEmpty();
        store.transact(cells -> {
            cells.remove("a", bytes(1));
            return 0;
        });
        assertThat(count("a")).isZero();
    }

    @Test
    void cellsAreMadeReplacedAndRemoved() {
        put("a", bytes(1), bytes(10));
        put("a", bytes(2), NONE);
        put("b", bytes(1), bytes(30));
        assertThat(get("a", bytes(1))).containsExactly(10);
        assertThat(get("a", bytes(2))).isEmpty();
        assertThat(get("b", bytes(1))).containsExactly(30);
        put("a", bytes(1), bytes(11, 12));
        assertThat(get("a", bytes(1))).containsExactly(11, 12);
        assertThat(count("a")).isEqualTo(2);
        store.transact(cells -> {
            cells.remove("a", bytes(1));
            return 0;
        });
        assertThat(get("a", bytes(1))).isNull();
        assertThat(get("b", bytes(1))).containsExactly(30);
        assertThat(count("a")).isEqualTo(1);
    }

    @Test
    void scanGoesByUnsignedBytesWithinThePrefix() {
        byte[][] ordered = {
            NONE,
            bytes(0),
            bytes(0, 0xff),
            bytes(1),
            bytes(0x7f),
            bytes(0x80),
            bytes(0x80, 0),
            bytes(0x80, 0xff),
            bytes(0xff),
            bytes(0xff, 0xff),
            bytes(0xff, 0xff, 0)
        };
        List<byte[]> shuffled = new ArrayList<>(List.of(ordered));
        Collections.shuffle(shuffled, new Random(1));
        store.transact(cells -> {
            shuffled.forEach(key -> cells.put("a", key, key));
            return 0;
        });
        put("b", bytes(0x80, 7), bytes(1));
        assertThat(keys("a", NONE)).containsExactly(ordered);
        assertThat(keys("a", bytes(0x80))).containsExactly(bytes(0x80), bytes(0x80, 0), bytes(0x80, 0xff));
        assertThat(keys("a", bytes(0xff, 0xff))).containsExactly(bytes(0xff, 0xff), bytes(0xff, 0xff, 0));
        assertThat(keys("a", bytes(2))).isEmpty();
    }

    @Test
    void aThrowTakesAllChangesBack() {
        put("a", bytes(1), bytes(10));
        put("a", bytes(2), bytes(20));
        assertThatThrownBy(() -> store.transact(cells -> {
                    cells.put("a", bytes(1), bytes(11));
                    cells.put("a", bytes(1), bytes(12));
                    cells.remove("a", bytes(2));
                    cells.put("a", bytes(3), bytes(30));
                    cells.put("new", bytes(1), bytes(1));
                    throw new IOException("stop");
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("stop");
        assertThat(get("a", bytes(1))).containsExactly(10);
        assertThat(get("a", bytes(2))).containsExactly(20);
        assertThat(get("a", bytes(3))).isNull();
        assertThat(count("a")).isEqualTo(2);
        assertThat(count("new")).isZero();
        assertThatThrownBy(() -> store.transact(cells -> {
                    cells.put("a", bytes(1), bytes(11));
                    throw new AssertionError("stop");
                }))
                .isInstanceOf(AssertionError.class);
        assertThat(get("a", bytes(1))).containsExactly(10);
    }

    @Test
    void aTransactionSeesItsOwnChanges() {
        put("a", bytes(1), bytes(10));
        store.transact(cells -> {
            cells.put("a", bytes(2), bytes(20));
            cells.remove("a", bytes(1));
            assertThat(cells.get("a", bytes(1))).isNull();
            assertThat(cells.get("a", bytes(2))).containsExactly(20);
            assertThat(cells.count("a")).isEqualTo(1);
            cells.scan("a", NONE, (key, value) -> assertThat(key).containsExactly(2));
            return 0;
        });
    }

    @Test
    void arraysOfTheCallerAreCopied() {
        byte[] key = bytes(1);
        byte[] value = bytes(10);
        store.transact(cells -> {
            cells.put("a", key, value);
            key[0] = 2;
            value[0] = 20;
            return 0;
        });
        assertThat(get("a", bytes(1))).containsExactly(10);
        assertThat(get("a", bytes(2))).isNull();
    }

    @Test
    void largestCellsAreKeptAndLargerOnesRefused() throws Exception {
        byte[] key = new byte[CellStore.MAX_KEY_BYTES];
        Arrays.fill(key, (byte) 0xfe);
        byte[] value = new byte[3 << 20];
        new Random(2).nextBytes(value);
        put("a", key, value);
        assertThat(get("a", key)).isEqualTo(value);
        assertThatThrownBy(() -> put("a", new byte[CellStore.MAX_KEY_BYTES + 1], NONE))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> put("a", NONE, new byte[CellStore.MAX_VALUE_BYTES + 1]))
                .isInstanceOf(IllegalArgumentException.class);
        store = reopen(store);
        assertThat(get("a", key)).isEqualTo(value);
        assertThat(count("a")).isEqualTo(1);
    }

    @Test
    void oneTransactionAtATime() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            threads.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 10; i++) {
                    store.transact(cells -> {
                        assertThat(inside.incrementAndGet()).isEqualTo(1);
                        byte[] former = cells.get("a", NONE);
                        cells.put("a", NONE, bytes(former == null ? 1 : former[0] + 1));
                        inside.decrementAndGet();
                        return 0;
                    });
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(get("a", NONE)).containsExactly(40);
    }

    /** Against maps in memory, with throws and openings in between. */
    @Test
    void randomTransactionsEqualThoseOfAMap() throws Exception {
        SplittableRandom random = seed.random("transactions");
        Map<String, NavigableMap<String, byte[]>> twin = new HashMap<>();
        for (int i = 0; i < 60; i++) {
            Map<String, NavigableMap<String, byte[]>> next = new HashMap<>();
            twin.forEach((name, cells) -> next.put(name, new TreeMap<>(cells)));
            boolean fails = random.nextInt(4) == 0;
            SplittableRandom steps = random.split();
            try {
                store.transact(cells -> {
                    for (int n = steps.nextInt(8); n > 0; n--) {
                        String table = steps.nextBoolean() ? "a" : "b";
                        byte[] key = bytes(steps.nextInt(4) * 64, steps.nextInt(8));
                        NavigableMap<String, byte[]> same = next.computeIfAbsent(table, _ -> new TreeMap<>());
                        if (steps.nextInt(3) == 0) {
                            cells.remove(table, key);
                            same.remove(hex(key));
                        } else {
                            byte[] value = new byte[steps.nextInt(40)];
                            steps.nextBytes(value);
                            cells.put(table, key, value);
                            same.put(hex(key), value);
                        }
                    }
                    if (fails) {
                        throw new IOException("stop");
                    }
                    return 0;
                });
                twin = next;
            } catch (IOException e) {
                assertThat(fails).isTrue();
            }
            if (random.nextInt(20) == 0) {
                store = reopen(store);
            }
            for (String table : List.of("a", "b")) {
                NavigableMap<String, byte[]> read = new TreeMap<>();
                long count = store.transact(cells -> {
                    cells.scan(table, NONE, (key, value) -> read.put(hex(key), value));
                    return cells.count(table);
                });
                NavigableMap<String, byte[]> expected = twin.getOrDefault(table, new TreeMap<>());
                assertThat(count).isEqualTo(expected.size());
                assertThat(read.keySet()).isEqualTo(expected.keySet());
                read.forEach((key, value) -> assertThat(value).isEqualTo(expected.get(key)));
            }
        }
    }

    private static String hex(byte[] key) {
        return HexFormat.of().formatHex(key);
    }
}
