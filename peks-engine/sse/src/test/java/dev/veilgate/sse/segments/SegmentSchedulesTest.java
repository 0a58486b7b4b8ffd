package dev.veilgate.sse.segments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.veilgate.peks.Keyword;
import dev.veilgate.random.TestSeed;
import dev.veilgate.sse.ArchiveKey;
import dev.veilgate.sse.ConflictException;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Devices that add, delete, merge, sweep and search at once, in orders of their calls that a seed gives, with answers
 * that are lost, processes that are killed, machines that are cloned, and sleep. Each state has what the operations say
 * that made it; an operation that was acknowledged was made, or had nothing to do; each search answers for its state.
 */
class SegmentSchedulesTest {
    private static final TestSeed SEED = TestSeed.of(SegmentSchedulesTest.class);

    /** More by {@code -Dveilgate.schedules}. */
    private static final int SCHEDULES = Integer.getInteger("veilgate.schedules", 40);

    private static final byte[] ID = new byte[16];
    private static final int DEVICES = 3;
    private static final int NAMES = 10;
    private static final int CONTENTS = 3;

    @TempDir
    Path folder;

    /** Random numbers of a machine, which a clone of it draws again. It never pauses between attempts. */
    private static final class MachineRandom extends SecureRandom {
        private static final long serialVersionUID = 1L;
        private long state;

        MachineRandom(long state) {
            super(null, null);
            this.state = state;
        }

        @Override
        public void nextBytes(byte[] out) {
            new SplittableRandom(state++).nextBytes(out);
        }

        @Override
        public int nextInt(int bound) {
            return 0;
        }
    }

    /** Documents that are put, each with the number of its content, or names that are deleted. */
    private record Change(Map<String, Integer> put, Set<String> deleted) {
        Map<String, Integer> on(Map<String, Integer> documents) {
            TreeMap<String, Integer> after = new TreeMap<>(documents);
            after.keySet().removeAll(deleted);
            after.putAll(put);
            return after;
        }
    }

    private static final Change NOTHING = new Change(Map.of(), Set.of());

    private interface Operation {
        void run(SegmentArchive archive) throws IOException;
    }

    /** A device, or a clone of one. */
    private final class Device {
        final UnreliableStore.Turn turn = new UnreliableStore.Turn();
        final Run run;
        HeadMemory memory;
        MachineRandom random;
        SegmentArchive archive;
        Change change = NOTHING;
        boolean busy;
        int made;

        Device(Run run, Optional<SeenHead> seen, MachineRandom random) throws IOException {
            this.run = run;
            this.memory = run.store.memory(seen);
            this.random = random;
        }

        SegmentArchive open() throws IOException {
            if (archive == null) {
                archive = SegmentArchive.open(
                        run.store.objects(), run.store.manifests(), run.key, ID, memory, random, () -> run.store.now);
            }
            return archive;
        }

        void begin(Change its, Operation operation) {
            change = its;
            made = 0;
            busy = true;
            run.store.begin(turn, () -> {
                try {
                    work(operation);
                } catch (Throwable e) {
                    run.failure = e;
                } finally {
                    busy = false;
                }
            });
        }

        private void work(Operation operation) throws IOException {
            long first = run.store.newest();
            Instant began = run.store.now;
            try {
                operation.run(open());
                run.requireMade(change, first);
                run.acknowledged++;
            } catch (UnreliableStore.LostException e) {
                run.unknown++;
            } catch (UnreliableStore.Killed e) {
                archive = null;
                run.unknown++;
            } catch (DamagedObjectException e) { // it slept until what it was reading had gone
                assertThat(e).hasMessageContaining("missing");
                assertThat(Duration.between(began, run.store.now)).isGreaterThan(Duration.ofDays(7));
            }
        }
    }

    /** A schedule. */
    private final class Run {
        final SplittableRandom random;
        final UnreliableStore store;
        final ArchiveKey key;
        final List<Map<String, Integer>> states = new ArrayList<>(List.of(Map.of()));
        final List<Device> devices = new ArrayList<>();
        Device current;
        Throwable failure;
        int acknowledged;
        int unknown;
        int clones;
        int conflicts;

        Run(int number) throws IOException {
            random = SEED.random("schedule " + number);
            MachineRandom coins = new MachineRandom(random.nextLong());
            key = ArchiveKey.random(coins);
            store = new UnreliableStore(random, new ManifestSealer(EpochKey.first(key), ID, coins), this::stands);
            SegmentArchive.create(store.objects(), store.manifests(), key, ID, HeadMemory.inMemory(), coins)
                    .close();
            for (int i = 0; i < DEVICES; i++) {
                devices.add(new Device(this, Optional.empty(), new MachineRandom(random.nextLong())));
            }
        }

        /** Notes what a new state must have: the one before, and the operation of the device that put it. */
        private void stands(long version) {
            assertThat(version).isEqualTo(states.size());
            Change change = current == null ? NOTHING : current.change;
            states.add(change.on(states.getLast()));
            if (current != null && change != NOTHING) {
                assertThat(++current.made).as("a change is made once").isEqualTo(1);
            }
        }

        /** Whether an operation that was acknowledged was made by a state since, or one of them has all of it. */
        private void requireMade(Change change, long first) {
            for (int version = (int) first; version < states.size(); version++) {
                Map<String, Integer> state = states.get(version);
                if (change.on(state).equals(state)
                        || version > first && change.on(states.get(version - 1)).equals(state)) {
                    return;
                }
            }
            fail("acknowledged, and in no state: " + change);
        }

        void play() throws IOException {
            store.reliable(false);
            int operations = random.nextInt(5, 50);
            while (operations > 0 || devices.stream().anyMatch(device -> device.busy)) {
                int choice = random.nextInt(devices.size());
                current = devices.get(choice);
                if (!current.busy && operations > 0) {
                    operations--;
                    store.now = store.now.plusSeconds(random.nextInt(200));
                    if (random.nextInt(8) == 0) {
                        cloneOnto(choice);
                    } else {
                        begin(current);
                    }
                }
                if (current.busy) {
                    store.turn(current.turn);
                }
                if (failure != null) {
                    throw new AssertionError("an operation of device " + choice, failure);
                }
            }
            store.reliable(true);
            current = null;
            requireEnd();
        }

        /** Copies a device that is at rest onto another; both may do the same next. */
        private void cloneOnto(int choice) throws IOException {
            Device original = devices.get(random.nextInt(devices.size()));
            if (original.busy || original == current) {
                return;
            }
            clones++;
            Device clone = new Device(this, original.memory.last(), new MachineRandom(original.random.state));
            devices.set(choice, clone);
            if (random.nextBoolean()) {
                Change same = randomAddition();
                original.begin(same, addition(same));
                clone.begin(same, addition(same));
                current = clone;
            }
        }

        private Change randomAddition() {
            TreeMap<String, Integer> put = new TreeMap<>();
            for (int i = random.nextInt(3); i >= 0; i--) {
                put.put("name" + random.nextInt(NAMES), random.nextInt(CONTENTS));
            }
            return new Change(put, Set.of());
        }

        private void begin(Device device) {
            int what = random.nextInt(20);
            if (what < 9) {
                Change change = randomAddition();
                device.begin(change, addition(change));
            } else if (what < 12) {
                Set<String> names = new TreeSet<>();
                for (int i = random.nextInt(3); i >= 0; i--) {
                    names.add("name" + random.nextInt(NAMES));
                }
                device.begin(new Change(Map.of(), names), archive -> archive.delete(names));
            } else if (what < 14) {
                device.begin(NOTHING, archive -> archive.merge(folder));
            } else if (what < 15) {
                device.begin(NOTHING, archive -> archive.compact(folder));
            } else if (what < 17) {
                device.begin(NOTHING, store::sweep);
            } else {
                device.begin(NOTHING, this::requireState);
            }
        }

        private Operation addition(Change change) {
            return archive -> {
                List<ArchivedDocument> documents = new ArrayList<>();
                change.put.forEach((name, content) -> documents.add(document(name, content)));
                try {
                    archive.add(archive.prepare(documents));
                } catch (ConflictException e) {
                    conflicts++;
                    archive.add(archive.prepare(documents));
                }
            };
        }

        /** Each answer is that of the state it is about, which was the newest since the search began. */
        private void requireState(SegmentArchive archive) throws IOException {
            for (int content = 0; content <= CONTENTS; content++) {
                int its = content;
                long first = store.newest();
                SegmentArchive.Found found = archive.search(
                        content == CONTENTS ? new Question.And(List.of()) : new Question.Word(word(content)),
                        Integer.MAX_VALUE,
                        false);
                assertThat(found.version()).isBetween(first, store.newest());
                Map<String, Integer> state = states.get((int) found.version());
                Set<String> expected = new HashSet<>();
                state.forEach((name, there) -> {
                    if (its == CONTENTS || its == there) {
                        expected.add(name);
                    }
                });
                assertThat(found.hits())
                        .extracting(hit -> hit.document().name())
                        .as("state %d", found.version())
                        .containsExactlyInAnyOrderElementsOf(expected);
            }
        }

        private void requireEnd() throws IOException {
            for (Device device : devices) {
                requireState(device.open());
                device.archive = null;
                requireState(device.open());
            }
            SegmentArchive fresh = new Device(this, Optional.empty(), new MachineRandom(random.nextLong())).open();
            assertThat(fresh.verify()).isEmpty();
            fresh.compact(folder);
            for (int i = 0; i < 3; i++) {
                store.now = store.now.plus(Duration.ofDays(5));
                store.sweep(fresh);
            }
            assertThat(fresh.verify()).isEmpty();
            assertThat(store.objects().list())
                    .containsExactlyInAnyOrderElementsOf(fresh.state().objects());
            for (Device device : devices) {
                requireState(device.open());
            }
        }
    }

    private static Keyword word(int content) {
        return Keyword.text("text", "word" + content);
    }

    private static ArchivedDocument document(String name, int content) {
        byte[] digest = new byte[ArchivedDocument.DIGEST_BYTES];
        digest[0] = (byte) content;
        return new ArchivedDocument(name, digest, 0, Archives.counts(Map.of(word(content), 1)));
    }

    @Test
    void everyOrderOfCallsAgreesWithAPlainModel() throws Exception {
        int acknowledged = 0;
        int unknown = 0;
        int clones = 0;
        int repeated = 0;
        int conflicts = 0;
        for (int i = 0; i < SCHEDULES; i++) {
            Run run = new Run(i);
            try {
                run.play();
            } catch (Throwable e) {
                throw new AssertionError("schedule " + i, e);
            }
            acknowledged += run.acknowledged;
            unknown += run.unknown;
            clones += run.clones;
            repeated += run.store.repeated;
            conflicts += run.conflicts;
        }
        System.out.printf(
                "%d schedules: %d operations acknowledged, %d not; %d clones; %d times the same was put"
                        + " again, %d times prepared again%n",
                SCHEDULES, acknowledged, unknown, clones, repeated, conflicts);
        assertThat(unknown).isGreaterThan(SCHEDULES);
        assertThat(acknowledged).isGreaterThan(4 * SCHEDULES);
        assertThat(repeated).isGreaterThan(SCHEDULES / 10);
    }
}
