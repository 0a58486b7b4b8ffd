package dev.veilgate.sse.sdd;

import dev.veilgate.sse.CellStore;
import dev.veilgate.sse.CellStore.Cells;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** How many entries of each word the parts that are being built have, of small levels: cells of the owner. */
final class OwnCounters {
    private static final String TABLE = "counters";

    private OwnCounters() {}

    private static byte[] key(int level, Entry.Handle word) {
        return ByteBuffer.allocate(Integer.BYTES + Entry.Handle.BYTES)
                .putInt(level)
                .put(word.encode())
                .array();
    }

    /** The counter of a word. */
    static int get(CellStore store, int level, Entry.Handle word) {
        return store.transact(cells -> get(cells, key(level, word)));
    }

    private static int get(Cells cells, byte[] key) {
        byte[] count = cells.get(TABLE, key);
        return count == null ? 0 : ByteBuffer.wrap(count).getInt();
    }

    /** Adds one. */
    static void increment(Cells cells, int level, Entry.Handle word) {
        byte[] key = key(level, word);
        int count = get(cells, key) + 1;
        cells.put(TABLE, key, ByteBuffer.allocate(Integer.BYTES).putInt(count).array());
    }

    /** Forgets a level's counters, as its part is complete. */
    static void clear(Cells cells, int level) {
        List<byte[]> keys = new ArrayList<>();
        byte[] prefix = ByteBuffer.allocate(Integer.BYTES).putInt(level).array();
        cells.scan(TABLE, prefix, (key, _) -> keys.add(key));
        keys.forEach(key -> cells.remove(TABLE, key));
    }
}
