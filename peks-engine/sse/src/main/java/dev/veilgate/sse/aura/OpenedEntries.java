package dev.veilgate.sse.aura;

import dev.veilgate.sse.CellStore.Cells;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Tags and ids that a server opened, in cells of some thousand: what it found by the search of a generation, and keeps
 * for the next ones.
 */
final class OpenedEntries {
    private static final String TABLE = "opened";
    private static final int ENTRIES_OF_A_CELL = 1 << 12;

    private final Cells cells;
    private final byte[] cache;
    private final long generation;
    private final ByteArrayOutputStream next = new ByteArrayOutputStream();
    private int written;

    /** Begins those of a generation, after cells that are there. */
    OpenedEntries(Cells cells, byte[] cache, long generation, int written) {
        this.cells = cells;
        this.cache = cache;
        this.generation = generation;
        this.written = written;
    }

    /** Adds one, which stands in an array. */
    void add(byte[] opened, int at) {
        next.write(opened, at, AuraMessages.OPENED_BYTES);
        if (next.size() == ENTRIES_OF_A_CELL * AuraMessages.OPENED_BYTES) {
            flush();
        }
    }

    /** Writes what is left. Returns how many cells there are. */
    int end() {
        if (next.size() > 0) {
            flush();
        }
        return written;
    }

    private void flush() {
        cells.put(TABLE, key(cache, generation, written), next.toByteArray());
        next.reset();
        written++;
    }

    /** Reads so many cells of a generation. */
    static void read(Cells cells, byte[] cache, long generation, int count, Consumer<byte[]> each) {
        for (int i = 0; i < count; i++) {
            byte[] value = cells.get(TABLE, key(cache, generation, i));
            if (value != null) {
                each.accept(value);
            }
        }
    }

    /** Forgets them. */
    static void remove(Cells cells, byte[] cache, long generation, int count) {
        for (int i = 0; i < count; i++) {
            cells.remove(TABLE, key(cache, generation, i));
        }
    }

    private static byte[] key(byte[] cache, long generation, int number) {
        return ByteBuffer.allocate(cache.length + Long.BYTES + Integer.BYTES)
                .put(cache)
                .putLong(generation)
                .putInt(number)
                .array();
    }
}
