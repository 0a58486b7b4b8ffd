package dev.veilgate.sse.segments;

import dev.veilgate.sse.ManifestStore;
import dev.veilgate.sse.UnsettledException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.TreeMap;

/** Manifests in memory whose answers can be lost, which can be restored from a copy, and in which others get ahead. */
final class FaultyManifests implements ManifestStore {
    /** Fate of the next manifest that is put. */
    enum Fault {
        NONE,
        LOST_BEFORE,
        LOST_AFTER,
        /** Nobody knows, and it is not put unless it is asked for again. */
        OPEN,
        /** Nobody knows, it is put later, and there is no room for the next attempt. */
        OPEN_THEN_FULL,
        /** Stands, but may not be durable. */
        NOT_FORCED
    }

    /** Something that comes between an operation and its commit. */
    @FunctionalInterface
    interface Between {
        void run() throws IOException;
    }

    private final TreeMap<Long, byte[]> manifests = new TreeMap<>();
    Fault next = Fault.NONE;
    Between between = () -> {};
    int conflicts;
    private byte[] late = {};
    private boolean isForceFailing;

    /** Carries out what was left open. */
    void arrive() {
        manifests.put(newest() + 1, late);
    }

    TreeMap<Long, byte[]> copy() {
        return new TreeMap<>(manifests);
    }

    void restore(TreeMap<Long, byte[]> copy) {
        manifests.clear();
        manifests.putAll(copy);
    }

    byte[] bytes(long number) {
        return manifests.get(number);
    }

    void replace(long number, byte[] bytes) {
        manifests.put(number, bytes);
    }

    @Override
    public long newest() {
        return manifests.isEmpty() ? 0 : manifests.lastKey();
    }

    @Override
    public Optional<byte[]> read(long number) {
        return Optional.ofNullable(manifests.get(number)).map(byte[]::clone);
    }

    @Override
    public boolean create(long number, byte[] manifest) throws IOException {
        Fault fault = next;
        next = Fault.NONE;
        Between now = between;
        between = () -> {};
        now.run();
        if (fault == Fault.OPEN_THEN_FULL) {
            late = manifest.clone();
            next = Fault.LOST_BEFORE;
        }
        if (fault == Fault.OPEN || fault == Fault.OPEN_THEN_FULL) {
            throw new UnsettledException("nobody knows", null);
        }
        if (fault == Fault.LOST_BEFORE) {
            throw new IOException("lost before");
        }
        isForceFailing = fault == Fault.NOT_FORCED;
        boolean made = manifests.putIfAbsent(number, manifest.clone()) == null;
        conflicts += made ? 0 : 1;
        if (fault == Fault.LOST_AFTER) {
            throw new IOException("lost after");
        }
        return made;
    }

    @Override
    public void shorten(long number, byte[] expected, byte[] head) throws IOException {
        if (Arrays.equals(manifests.get(number), expected)) {
            manifests.put(number, head.clone());
        }
    }

    @Override
    public void force(long number) throws IOException {
        if (isForceFailing) {
            isForceFailing = false;
            throw new IOException("not forced");
        }
    }

    @Override
    public void close() {}
}
