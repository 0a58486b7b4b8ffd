package dev.veilgate.sse.segments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.Keyword;
import dev.veilgate.random.TestSeed;
import dev.veilgate.sse.ArchiveKey;
import dev.veilgate.sse.ConflictException;
import dev.veilgate.sse.UnsettledException;
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
 * Processes of several devices that add, delete, merge, sweep, search and give the archive new keys at once, in orders
 * of their calls that a seed gives, with work that was prepared long before, answers that are lost, changes that are
 * carried out late, processes that are killed, machines that are cloned, and sleep. Each state has what the operations
 * say that made it; an operation that was acknowledged was made, or had nothing to do; one that failed was not made and
 * will not be, unless it says that this is open; each search answers for its state.
 */
class SegmentSchedulesTest {
    private static final TestSeed SEED = TestSeed.of(SegmentSchedulesTest.class);

    /** More by {@code -Dveilgate.schedules}. */
    private static final int SCHEDULES = Integer.getInteger("veilgate.schedules", 200);

    private static final byte[] ID = new byte[16];
    private static final int PROCESSES = 4;
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

    /** An operation that is under way, or was. */
    private static final class Work {
        final Change change;
        int made;
        boolean failed;

        Work(Change change) {
            this.change = change;
        }
    }

    private interface Operation {
        void run(SegmentArchive archive) throws IOException;
    }

    /** A device's key file and memory, which all of its processes have. */
    private static final class Machine {
        final HeadMemory memory;
        EpochKey current;
        EpochKey next;
        boolean locked;

        Machine(HeadMemory memory, EpochKey current, EpochKey next) {
            this.memory = memory;
            this.current = current;
            this.next = next;
        }

        void settled(EpochKey key) {
            if (next != null && next.isSame(key)) {
                current = next;
                next = null;
            }
        }
    }

    /** An addition that was prepared, and may be made much later. */
    private record Waiting(Change change, List<ArchivedDocument> documents, PreparedAddition addition) {}

    /** A process of a device, or of a clone of one. */
    private final class Device {
        final UnreliableStore.Turn turn = new UnreliableStore.Turn();
        final Run run;
        final Machine machine;
        final MachineRandom random;
        SegmentArchive archive;
        Waiting waiting;
        DueMerge due;
        PreparedMerge merge;
        Instant dueSince = Instant.MAX;
        boolean busy;

        Device(Run run, Machine machine, MachineRandom random) {
            this.run = run;
            this.machine = machine;
            this.random = random;
        }

        private KeyRing ring() {
            EpochKey next = machine.next;
            return new KeyRing(
                    copy(machine.current),
                    next == null ? null : copy(next),
                    key -> run.store.note(() -> machine.settled(key)));
        }

        private SegmentArchive opened(KeyRing ring) throws IOException {
            return SegmentArchive.open(
                    run.store.objects(), run.store.manifests(), ring, ID, machine.memory, random, () -> run.store.now);
        }

        SegmentArchive open() throws IOException {
            if (archive == null) {
                archive = opened(ring());
            }
            return archive;
        }

        /** An archive that is open under the newest key, which the device gets first if it has it not. */
        SegmentArchive openAnew() throws IOException {
            archive = null;
            try {
                return open();
            } catch (OtherEpochException e) {
                assertThat(e.isNewer()).isTrue();
                run.restoreKey(machine);
                return open();
            }
        }

        void begin(Change its, Operation operation) {
            Work work = new Work(its);
            turn.work = work;
            busy = true;
            run.store.begin(turn, () -> {
                try {
                    work(work, operation);
                } catch (Throwable e) {
                    run.failure = e;
                } finally {
                    busy = false;
                }
            });
        }

        private void work(Work work, Operation operation) throws IOException {
            long first = run.store.newest();
            Instant began = run.store.now.isBefore(dueSince) ? run.store.now : dueSince;
            try {
                operation.run(open());
                run.requireMade(work.change, first);
                run.acknowledged++;
            } catch (UnsettledException e) {
                run.open++;
            } catch (UnreliableStore.LostException e) {
                failed(work);
            } catch (UnreliableStore.Killed e) {
                killed();
            } catch (OtherEpochException e) {
                assertThat(e.isNewer()).as("no state of a former key is put").isTrue();
                failed(work);
                run.refused++;
                archive = null;
                if (!machine.locked) {
                    run.restoreKey(machine);
                }
            } catch (DamagedObjectException e) { // it slept until what it was reading had gone
                assertThat(e).hasMessageContaining("missing");
                assertThat(Duration.between(began, run.store.now)).isGreaterThan(Duration.ofDays(7));
                failed(work);
            }
        }

        private void failed(Work work) {
            run.failed++;
            if (work.change != NOTHING) {
                assertThat(work.made)
                        .as("made, and its writer was told that it failed")
                        .isZero();
                assertThat(run.store.isOpen(work))
                        .as("may be made yet, and its writer was told that it failed")
                        .isFalse();
                work.failed = true;
            }
        }

        private void killed() {
            run.open++;
            archive = null;
            waiting = null;
            due = null;
            merge = null;
            dueSince = Instant.MAX;
        }

        /** Gives the archive a new key, as the folder's command does it. */
        void rekey() throws IOException {
            if (machine.locked) {
                return; // another process of the device changes the key
            }
            machine.locked = true;
            try {
                if (machine.next == null) {
                    EpochKey next = run.known(machine.current.next(random));
                    run.store.note(() -> machine.next = next);
                }
                KeyRing ring = ring();
                SegmentArchive anew = opened(ring);
                if (ring.next().isPresent()) { // else an earlier attempt had put the state by it
                    anew.rekey(folder);
                }
                run.rekeys++;
            } finally {
                machine.locked = false;
                if (random.state % 2 == 0) {
                    archive = null; // else it finds out by itself
                }
            }
        }
    }

    private static EpochKey copy(EpochKey key) {
        try {
            return EpochKey.of(key.epoch(), ArchiveKey.decode(key.key().encode()), key.digestsKey());
        } catch (MalformedEncodingException e) {
            throw new AssertionError(e);
        }
    }

    /** A schedule. */
    private final class Run {
        final SplittableRandom random;
        final UnreliableStore store;
        final MachineRandom coins;
        final List<EpochKey> keys = new ArrayList<>();
        final List<Map<String, Integer>> states = new ArrayList<>(List.of(Map.of()));
        final List<Device> devices = new ArrayList<>();
        Device current;
        Throwable failure;
        int acknowledged;
        int failed;
        int open;
        int refused;
        int clones;
        int conflicts;
        int rekeys;

        Run(int number) throws IOException {
            random = SEED.random("schedule " + number);
            coins = new MachineRandom(random.nextLong());
            ArchiveKey key = ArchiveKey.random(coins);
            store = new UnreliableStore(random, this::stands);
            EpochKey first = known(EpochKey.first(key));
            SegmentArchive.create(store.objects(), store.manifests(), key, ID, HeadMemory.inMemory(), coins)
                    .close();
            for (int i = 0; i < PROCESSES; i++) {
                Machine machine = i % 2 == 0
                        ? new Machine(store.memory(Optional.empty()), first, null)
                        : devices.getLast().machine; // two processes of a device
                devices.add(new Device(this, machine, new MachineRandom(random.nextLong())));
            }
        }

        EpochKey known(EpochKey key) {
            keys.add(key);
            store.knows(new ManifestSealer(copy(key), ID, coins));
            return key;
        }

        /** Puts the key of the newest state in a device's file, from a backup of the device that made it. */
        void restoreKey(Machine machine) {
            EpochKey newest = keys.stream()
                    .filter(key -> store.isOfNewest(copy(key)))
                    .findFirst()
                    .orElseThrow();
            if (!machine.current.isSame(newest) && (machine.next == null || !machine.next.isSame(newest))) {
                machine.current = newest;
                machine.next = null;
            }
        }

        /** Notes what a new state must have: the one before, and the operation that put it. */
        private void stands(long version, Object by) {
            assertThat(version).isEqualTo(states.size());
            Change change = by instanceof Work work ? work.change : NOTHING;
            states.add(change.on(states.getLast()));
            if (by instanceof Work work && change != NOTHING) {
                assertThat(++work.made).as("a change is made once").isEqualTo(1);
                assertThat(work.failed).as("its writer was told that it failed").isFalse();
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
            int operations = random.nextInt(5, 60);
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
                    throw new AssertionError("an operation of process " + choice, failure);
                }
            }
            store.arrive();
            store.reliable(true);
            current = null;
            requireEnd();
        }

        /** Copies a device whose process is at rest onto another; both may do the same next. */
        private void cloneOnto(int choice) throws IOException {
            Device original = devices.get(random.nextInt(devices.size()));
            if (original.busy || original == current || original.machine.locked) {
                return;
            }
            clones++;
            Machine same = original.machine;
            Machine copy = new Machine(store.memory(same.memory.last()), same.current, same.next);
            Device clone = new Device(this, copy, new MachineRandom(original.random.state));
            devices.set(choice, clone);
            if (random.nextBoolean()) {
                Change change = randomAddition();
                original.begin(change, addition(change));
                clone.begin(change, addition(change));
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
            int what = random.nextInt(30);
            if (what < 8) {
                Change change = randomAddition();
                device.begin(change, addition(change));
            } else if (what < 11) {
                Set<String> names = new TreeSet<>();
                for (int i = random.nextInt(3); i >= 0; i--) {
                    names.add("name" + random.nextInt(NAMES));
                }
                device.begin(new Change(Map.of(), names), archive -> archive.delete(names));
            } else if (what < 13) {
                device.begin(NOTHING, archive -> archive.merge(folder));
            } else if (what < 14) {
                device.begin(NOTHING, archive -> archive.compact(folder));
            } else if (what < 16) {
                device.begin(NOTHING, store::sweep);
            } else if (what < 19) {
                device.begin(NOTHING, this::requireState);
            } else if (what < 21) {
                device.begin(NOTHING, _ -> device.rekey());
            } else if (what < 26) {
                beginPrepared(device);
            } else {
                device.begin(NOTHING, archive -> mergeByParts(device, archive));
            }
        }

        /** Prepares an addition, or makes the one that was prepared. */
        private void beginPrepared(Device device) {
            Waiting waiting = device.waiting;
            if (waiting == null) {
                Change change = randomAddition();
                device.begin(NOTHING, archive -> {
                    List<ArchivedDocument> documents = documents(change);
                    device.waiting = new Waiting(change, documents, archive.prepare(documents));
                });
            } else {
                device.waiting = null;
                device.begin(waiting.change, archive -> add(archive, waiting.addition, waiting.documents));
            }
        }

        /** Looks for segments to merge, or merges those that were found, or puts the result in their place. */
        private void mergeByParts(Device device, SegmentArchive archive) throws IOException {
            DueMerge due = device.due;
            PreparedMerge merge = device.merge;
            device.due = null;
            device.merge = null;
            if (merge != null) {
                device.dueSince = Instant.MAX;
                try (merge) {
                    archive.merge(merge);
                }
            } else if (due != null) {
                device.merge = archive.prepare(due, folder);
            } else {
                device.dueSince = store.now;
                device.due = archive.due().orElse(null);
                device.dueSince = device.due == null ? Instant.MAX : device.dueSince;
            }
        }

        private Operation addition(Change change) {
            return archive -> {
                List<ArchivedDocument> documents = documents(change);
                add(archive, archive.prepare(documents), documents);
            };
        }

        private void add(SegmentArchive archive, PreparedAddition prepared, List<ArchivedDocument> documents)
                throws IOException {
            try {
                archive.add(prepared);
            } catch (ConflictException e) {
                conflicts++;
                archive.add(archive.prepare(documents));
            }
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
                requireState(device.openAnew());
            }
            Device fresh = new Device(
                    this,
                    new Machine(store.memory(Optional.empty()), keys.getFirst(), null),
                    new MachineRandom(random.nextLong()));
            SegmentArchive archive = fresh.openAnew();
            assertThat(archive.verify()).isEmpty();
            archive.compact(folder);
            for (int i = 0; i < 3; i++) {
                store.now = store.now.plus(Duration.ofDays(5));
                store.sweep(archive);
            }
            assertThat(archive.verify()).isEmpty();
            assertThat(store.objects().list())
                    .containsExactlyInAnyOrderElementsOf(archive.state().objects());
            for (Device device : devices) {
                requireState(device.open());
            }
        }
    }

    private static Keyword word(int content) {
        return Keyword.text("text", "word" + content);
    }

    private static List<ArchivedDocument> documents(Change change) {
        List<ArchivedDocument> documents = new ArrayList<>();
        change.put.forEach((name, content) -> documents.add(document(name, content)));
        return documents;
    }

    private static ArchivedDocument document(String name, int content) {
        byte[] digest = new byte[ArchivedDocument.DIGEST_BYTES];
        digest[0] = (byte) content;
        return new ArchivedDocument(name, digest, 0, Archives.counts(Map.of(word(content), 1)));
    }

    @Test
    void everyOrderOfCallsAgreesWithAPlainModel() throws Exception {
        List<Run> runs = new ArrayList<>();
        for (int i = 0; i < SCHEDULES; i++) {
            Run run = new Run(i);
            try {
                run.play();
            } catch (Throwable e) {
                throw new AssertionError("schedule " + i, e);
            }
            run.devices.clear();
            run.states.clear();
            runs.add(run);
        }
        int acknowledged = runs.stream().mapToInt(run -> run.acknowledged).sum();
        int failed = runs.stream().mapToInt(run -> run.failed).sum();
        int open = runs.stream().mapToInt(run -> run.open).sum();
        int refused = runs.stream().mapToInt(run -> run.refused).sum();
        int rekeys = runs.stream().mapToInt(run -> run.rekeys).sum();
        int clones = runs.stream().mapToInt(run -> run.clones).sum();
        int conflicts = runs.stream().mapToInt(run -> run.conflicts).sum();
        int repeated = runs.stream().mapToInt(run -> run.store.repeated).sum();
        int late = runs.stream().mapToInt(run -> run.store.arrivedLate).sum();
        System.out.printf(
                "%d schedules: %d operations acknowledged, %d failed, %d left open, %d refused for a new key; %d new"
                        + " keys; %d clones; the same put again %d times, prepared again %d times, %d states late%n",
                SCHEDULES, acknowledged, failed, open, refused, rekeys, clones, repeated, conflicts, late);
        assertThat(acknowledged).isGreaterThan(4 * SCHEDULES);
        assertThat(failed).isGreaterThan(SCHEDULES / 2);
        assertThat(open).isGreaterThan(SCHEDULES / 2);
        assertThat(repeated).isGreaterThan(SCHEDULES / 10);
        assertThat(List.of(refused, rekeys, conflicts, late)).allMatch(count -> count > SCHEDULES / 50);
    }
}
