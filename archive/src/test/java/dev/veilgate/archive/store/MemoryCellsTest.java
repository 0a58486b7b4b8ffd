package dev.veilgate.archive.store;

import dev.veilgate.sse.CellStore;
import dev.veilgate.sse.MemoryCells;

/** Cells in memory, of which nothing is left for another process. */
final class MemoryCellsTest extends CellStoreContractTest {
    @Override
    CellStore open() {
        return new MemoryCells();
    }

    @Override
    CellStore reopen(CellStore store) {
        return store;
    }
}
