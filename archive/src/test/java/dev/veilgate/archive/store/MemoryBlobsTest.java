package dev.veilgate.archive.store;

import dev.veilgate.sse.BlobStore;
import dev.veilgate.sse.MemoryBlobs;

/** Objects in memory. */
final class MemoryBlobsTest extends BlobStoreContractTest {
    @Override
    BlobStore open() {
        return new MemoryBlobs();
    }
}
