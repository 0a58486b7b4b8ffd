package dev.veilgate.sse;

import dev.veilgate.sse.CellStore.Cells;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Entries that a server found by one search of a word and keeps for the next ones, some thousand in a cell. For those
 * who write a scheme.
 */
public final class FoundEntries {
    private static final String TABLE = "found";
    private static final int ENTRIES_OF_A_CELL = 1 << 12;

    private final Cells cells;
    private final byte[] cache;
    private final long generation;
    private final int entryBytes;
    private final ByteArrayOutputStream next = new ByteArrayOutputStream();
    private int written;

    /**
     * Begins those of a search.
     *
     * @param cache      names the word
     * @param generation number of the search
     * @param entryBytes bytes of each entry
     * @param written    cells that are there already
     */
    public FoundEntries(Cells cells, byte[] cache, long generation, int entryBytes, int written) {
        this.cells = cells;
        this.entryBytes = entryBytes;
        this.cache = cache;
        this.generation = generation;
        this.written = written;
    }

    /** Adds one, which stands in an array. */
    public void add(byte[] entries, int at) {
        next.write(entries, at, entryBytes);
        if (next.size() == ENTRIES_OF_A_CELL * entryBytes) {
            flush();
        }
    }

    /** Writes what is left. Returns how many cells there are. */
    public int end() {
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

    /** Reads so many cells of a search. */
    public static void read(Cells cells, byte[] cache, long generation, int count, Consumer<byte[]> each) {
        for (int i = 0; i < count; i++) {
            byte[] value = cells.get(TABLE, key(cache, generation, i));
            if (value != null) {
                each.accept(value);
            }
        }
    }

    /** Forgets them. */
    public static void remove(Cells cells, byte[] cache, long generation, int count) {
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
