package dev.veilgate.benchmarks;

import dev.veilgate.archive.store.MvStoreCells;
import dev.veilgate.sse.CellStore;
import dev.veilgate.sse.MemoryCells;
import java.io.IOException;
import java.nio.file.Path;

/** A kind of store for the cells of servers that are measured: the heap, files, a database. */
interface SseStore {
    /** As the tables name it. */
    String name();

    /** The cells of a new archive. */
    CellStore open() throws IOException;

    /** The heap. */
    static SseStore memory() {
        return new SseStore() {
            @Override
            public String name() {
                return "memory";
            }

            @Override
            public CellStore open() {
                return new MemoryCells();
            }
        };
    }

    /**
     * Files, as the command has them.
     *
     * @param folder of the files, which stay in it
     */
    static SseStore files(Path folder) {
        return new SseStore() {
            private int files;

            @Override
            public String name() {
                return "file";
            }

            @Override
            public CellStore open() throws IOException {
                return MvStoreCells.create(folder.resolve("rows" + files++ + ".mv"));
            }
        };
    }
}
