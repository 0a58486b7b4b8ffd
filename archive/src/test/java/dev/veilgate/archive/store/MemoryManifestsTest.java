package dev.veilgate.archive.store;

import dev.veilgate.sse.ManifestStore;
import dev.veilgate.sse.MemoryManifests;

/** Manifests in memory. */
final class MemoryManifestsTest extends ManifestStoreContractTest {
    @Override
    ManifestStore open() {
        return new MemoryManifests();
    }

    @Override
    ManifestStore another() {
        return store;
    }
}
