package dev.veilgate.sse.segments;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.sse.BlobName;
import dev.veilgate.sse.BlobStore;
import dev.veilgate.sse.ManifestStore;
import dev.veilgate.sse.MemoryManifests;
import dev.veilgate.sse.Message;
import dev.veilgate.sse.UnsettledException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;

/**
 * A store in memory that several processes use, one call at a time, in an order that a random source draws. Calls fail
 * before or behind their effect, or have it later, processes are killed there, and time passes, hours and days of it.
 */
final class UnreliableStore {
    private static final Duration YOUNG = Duration.ofHours(1);
    private static final Duration IN_TRASH = Duration.ofDays(7);
    private static final Duration LONGEST_SWEEP = Duration.ofMinutes(10);
    private static final int V_BYTES = 32;
    private static final int TAG_BYTES = 16;

    /** The answer to a call that is lost. */
    static final class LostException extends IOException {
        private static final long serialVersionUID = 1L;

        LostException() {
            super("the store did not answer");
        }
    }

    /** The end of a process; no code of the product goes on behind it. */
    static final class Killed extends Error {
        private static final long serialVersionUID = 1L;

        Killed() {
            super("killed", null, false, false);
        }
    }

    /** Listener to manifests that stand under a new number from now on, with the work that put them. */
    @FunctionalInterface
    interface Listener {
        void stands(long version, Object by);
    }

    /** A manifest whose writer got no answer, and that may be put later, or never. */
    private record Late(long number, byte[] manifest, Object by) {}

    /**
     * An object.
     *
     * @param touched when it was put, or restored
     * @param trashed when a sweep that moved it to the trash began; null if it is in its place
     */
    private record Kept(byte[] bytes, Instant touched, Instant trashed) {}

    /** A device's turn: it runs until it gives that up. */
    static final class Turn {
        private final Semaphore go = new Semaphore(0);

        /** The device's present operation, for whoever hears of manifests. */
        Object work = "none";

        /** Calls that fail one after the other. */
        private int silent;
    }

    private final SplittableRandom random;
    private final List<ManifestSealer> sealers = new ArrayList<>();
    private final Listener listener;
    private final MemoryManifests manifests = new MemoryManifests();
    private final TreeMap<BlobName, Kept> objects = new TreeMap<>();
    private final Map<ByteBuffer, ByteBuffer> contents = new HashMap<>();
    private final Semaphore turnIsOver = new Semaphore(0);
    private final List<Late> late = new ArrayList<>();
    private Turn current = new Turn();
    private boolean reliable = true;
    Instant now = Instant.EPOCH;
    int repeated;
    int arrivedLate;

    UnreliableStore(SplittableRandom random, Listener listener) {
        this.random = random;
        this.listener = listener;
    }

    /** Opens states of one more epoch. */
    void knows(ManifestSealer sealer) {
        sealers.add(sealer);
    }

    /** Whether nothing fails and nobody gets between. */
    void reliable(boolean is) {
        reliable = is;
        current = new Turn();
    }

    /** Begins work of a device, which waits for its first turn. */
    void begin(Turn turn, Runnable work) {
        Thread.ofVirtual().start(() -> {
            turn.go.acquireUninterruptibly();
            work.run();
            turnIsOver.release();
        });
    }

    /** Lets a device work until it gives up its turn, or its work is done. */
    void turn(Turn turn) {
        current = turn;
        turn.go.release();
        turnIsOver.acquireUninterruptibly();
    }

    private interface Effect<T> {
        T run() throws IOException;
    }

    private <T> T call(Effect<T> effect) throws IOException {
        if (reliable) {
            return effect.run();
        }
        pass();
        Turn turn = current;
        int fate = random.nextInt(400);
        if (fate == 1 || turn.silent > 0) {
            lose(turn);
        } else if (fate == 2) {
            kill();
        }
        T result = effect.run();
        if (fate == 3) {
            lose(turn);
        } else if (fate == 4) {
            kill();
        }
        return result;
    }

    /** May let others work first, or time pass. */
    private void pass() throws IOException {
        if (random.nextInt(200) == 0) {
            now = now.plus(random.nextInt(3) == 0 ? Duration.ofDays(9) : Duration.ofHours(2));
        }
        if (random.nextInt(20) == 0) {
            arrive();
        }
        if (random.nextInt(3) == 0) {
            Turn turn = current;
            turnIsOver.release();
            turn.go.acquireUninterruptibly();
        }
    }

    /** Carries out what is late, unless its number is taken by now, or it is lost for ever. */
    void arrive() throws IOException {
        for (Late each : List.copyOf(late)) {
            if (random.nextInt(4) > 0 && create(each.number, each.manifest, each.by)) {
                arrivedLate++;
            }
        }
        late.clear();
    }

    /** Puts a manifest, if its number is free and the one before is not; true if it was. */
    private boolean create(long number, byte[] manifest, Object by) throws IOException {
        if (number != manifests.newest() + 1) {
            return false;
        }
        requireOneContent(manifest);
        manifests.create(number, manifest);
        listener.stands(number, by);
        return true;
    }

    /** Tells if a manifest of an operation may be put yet. */
    boolean isOpen(Object by) {
        return late.stream().anyMatch(each -> each.by == by && each.number > manifests.newest());
    }

    private void lose(Turn turn) throws IOException {
        turn.silent = turn.silent > 0 ? turn.silent - 1 : random.nextInt(3) == 0 ? random.nextInt(1, 6) : 0;
        throw new LostException();
    }

    private void kill() {
        current.silent = 0;
        throw new Killed();
    }

    /** A key must have one content only, whatever the devices draw. */
    private void requireOneContent(byte[] v, byte[] content) {
        ByteBuffer before = contents.putIfAbsent(ByteBuffer.wrap(v), ByteBuffer.wrap(content));
        assertThat(before == null || before.equals(ByteBuffer.wrap(content)))
                .as("one content under one v")
                .isTrue();
        repeated += before == null ? 0 : 1;
    }

    /** The objects, as they are in a folder with a trash. */
    BlobStore objects() {
        return new BlobStore() {
            @Override
            public void put(BlobName name, Message.Body object) throws IOException {
                byte[] bytes;
                try (InputStream in = object.open()) {
                    bytes = in.readAllBytes();
                }
                requireOneContent(Arrays.copyOfRange(bytes, 8, 8 + V_BYTES), bytes);
                call(() -> objects.put(name, new Kept(bytes, now, null)));
            }

            @Override
            public OptionalLong length(BlobName name) throws IOException {
                Kept kept = call(() -> objects.get(name));
                return kept == null ? OptionalLong.empty() : OptionalLong.of(kept.bytes.length);
            }

            @Override
            public byte[] read(BlobName name, long from, int length) throws IOException {
                Kept kept = call(() -> objects.get(name));
                if (kept == null) {
                    throw new NoSuchFileException(name.value());
                }
                int begin = (int) Math.min(from, kept.bytes.length);
                return Arrays.copyOfRange(kept.bytes, begin, begin + Math.min(length, kept.bytes.length - begin));
            }

            @Override
            public boolean restore(BlobName name) throws IOException {
                return call(() -> objects.computeIfPresent(name, (_, kept) -> new Kept(kept.bytes, now, null)) != null);
            }

            @Override
            public List<BlobName> list() {
                return List.copyOf(objects.keySet());
            }

            @Override
            public void remove(BlobName name) {
                objects.remove(name);
            }

            @Override
            public void close() {}
        };
    }

    /** Sweeps as a folder is swept: what nobody names goes to the trash, and from there after seven days. */
    void sweep(SegmentArchive archive) throws IOException {
        Instant begin = now;
        Set<BlobName> named = archive.state().objects();
        for (Map.Entry<BlobName, Kept> each : List.copyOf(objects.entrySet())) {
            BlobName name = each.getKey();
            Instant trashed = each.getValue().trashed;
            if (trashed == null && named.contains(name)) {
                continue;
            }
            if (Duration.between(begin, now).compareTo(LONGEST_SWEEP) > 0) {
                return;
            }
            if (trashed != null) {
                boolean old = trashed.isBefore(begin.minus(IN_TRASH));
                call(() -> objects.computeIfPresent(
                        name,
                        (_, kept) -> !trashed.equals(kept.trashed)
                                ? kept
                                : named.contains(name) ? new Kept(kept.bytes, kept.touched, null) : old ? null : kept));
                continue;
            }
            Kept looked = call(() -> objects.get(name));
            if (looked != null && looked.touched.isBefore(begin.minus(YOUNG))) {
                call(() -> objects.computeIfPresent(
                        name, (_, kept) -> kept.trashed == null ? new Kept(kept.bytes, kept.touched, begin) : kept));
            }
        }
    }

    /** The states. */
    ManifestStore manifests() {
        return new ManifestStore() {
            @Override
            public long newest() throws IOException {
                return call(manifests::newest);
            }

            @Override
            public Optional<byte[]> read(long number) throws IOException {
                return call(() -> manifests.read(number));
            }

            @Override
            public boolean create(long number, byte[] manifest) throws IOException {
                Object by = current.work;
                try {
                    if (!reliable && random.nextInt(40) == 0) {
                        current.silent += random.nextInt(4);
                        throw new LostException();
                    }
                    return call(() -> {
                        if (!UnreliableStore.this.create(number, manifest, by)) {
                            boolean own = manifests.create(number, manifest);
                            repeated += own ? 1 : 0;
                            return own;
                        }
                        return true;
                    });
                } catch (LostException e) {
                    late.add(new Late(number, manifest.clone(), by));
                    throw new UnsettledException("it is not known", e);
                } catch (Killed e) {
                    late.add(new Late(number, manifest.clone(), by));
                    throw e;
                }
            }

            @Override
            public void shorten(long number, byte[] expected, byte[] head) throws IOException {
                call(() -> {
                    manifests.shorten(number, expected, head);
                    return true;
                });
            }

            @Override
            public void force(long number) throws IOException {
                call(() -> {
                    manifests.force(number);
                    return true;
                });
            }

            @Override
            public void close() {}
        };
    }

    /** The newest number, of which nobody else hears. */
    long newest() {
        return manifests.newest();
    }

    /** Tells if the newest state is by a key. */
    boolean isOfNewest(EpochKey key) {
        try {
            byte[] file = manifests.read(manifests.newest()).orElseThrow();
            return new ManifestSealer(key, new byte[SegmentKeys.ARCHIVE_BYTES], new SecureRandom())
                    .isOurs(ManifestSealer.head(file).head());
        } catch (MalformedEncodingException e) {
            throw new AssertionError(e);
        }
    }

    private void requireOneContent(byte[] file) throws IOException {
        try {
            ManifestHead head = ManifestSealer.head(file).head();
            ManifestSealer sealer = sealers.stream()
                    .filter(each -> each.isOurs(head))
                    .findFirst()
                    .orElseThrow();
            Manifest state = sealer.open(file).state();
            assertThat(state).isNotNull();
            int sealed = V_BYTES + state.encode().length + TAG_BYTES;
            byte[] bytes = Arrays.copyOfRange(file, file.length - sealed, file.length);
            requireOneContent(Arrays.copyOf(bytes, V_BYTES), bytes);
        } catch (MalformedEncodingException e) {
            throw new IOException(e);
        }
    }

    /** Writes to a file of a device, which can fail as well. */
    void note(Runnable write) throws IOException {
        call(() -> {
            write.run();
            return true;
        });
    }

    /** The memory of a device, of which writing can fail as well. */
    HeadMemory memory(Optional<SeenHead> first) throws IOException {
        HeadMemory memory = HeadMemory.inMemory();
        if (first.isPresent()) {
            memory.saw(first.get());
        }
        return new HeadMemory() {
            @Override
            public Optional<SeenHead> last() throws IOException {
                return memory.last();
            }

            @Override
            public void saw(SeenHead head) throws IOException {
                call(() -> {
                    memory.saw(head);
                    return true;
                });
            }

            @Override
            public void accept(SeenHead head) throws IOException {
                memory.accept(head);
            }
        };
    }
}
