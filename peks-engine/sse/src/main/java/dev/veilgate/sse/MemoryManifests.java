package dev.veilgate.sse;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Manifests in memory: for measurements and tests, since nothing of them is left when the process ends. */
public final class MemoryManifests implements ManifestStore {
    private final List<byte[]> manifests = new ArrayList<>();

    /** No manifests yet. */
    public MemoryManifests() {}

    @Override
    public synchronized long newest() {
        return manifests.size();
    }

    @Override
    public synchronized Optional<byte[]> read(long number) {
        requireNumber(number);
        return number > manifests.size()
                ? Optional.empty()
                : Optional.of(manifests.get((int) number - 1).clone());
    }

    @Override
    public synchronized boolean create(long number, byte[] manifest) throws IOException {
        Optional<byte[]> there = read(number);
        if (there.isPresent()) {
            return Arrays.equals(there.get(), manifest);
        }
        if (number > manifests.size() + 1) {
            throw new IOException("manifest " + number + " cannot be put: there is none before it");
        }
        manifests.add(manifest.clone());
        return true;
    }

    @Override
    public synchronized void shorten(long number, byte[] expected, byte[] head) throws IOException {
        requireNumber(number);
        if (number >= manifests.size()) {
            throw new ConflictException("manifest " + number + " is not shortened: there is none behind it");
        }
        byte[] there = manifests.get((int) number - 1);
        if (Arrays.equals(there, head)) {
            return;
        }
        if (!Arrays.equals(there, expected)) {
            throw new ConflictException("manifest " + number + " is another one than expected");
        }
        manifests.set((int) number - 1, head.clone());
    }

    @Override
    public void force(long number) {
        requireNumber(number);
    }

    @Override
    public synchronized void close() {
        manifests.clear();
    }

    private static void requireNumber(long number) {
        if (number < 1) {
            throw new IllegalArgumentException("manifests have numbers from 1");
        }
    }
}
