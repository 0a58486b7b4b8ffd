package dev.veilgate.sse.januspp;

import dev.veilgate.secret.Secret;
import dev.veilgate.sse.CellStore.Cells;
import dev.veilgate.sse.SetSum;
import java.nio.ByteBuffer;

/**
 * State of a word, at the owner.
 *
 * @param generation of the entries that are added now, from 1
 * @param added      entries of this generation
 * @param deleted    deletions of this generation
 * @param live       ids that live
 */
@Secret
record WordState(long generation, long added, int deleted, SetSum live) {
    private static final String TABLE = "words";
    private static final WordState NEW = new WordState(1, 0, 0, SetSum.NONE);

    static WordState of(Cells cells, byte[] name) {
        byte[] value = cells.get(TABLE, name);
        if (value == null) {
            return NEW;
        }
        ByteBuffer in = ByteBuffer.wrap(value);
        return new WordState(in.getLong(), in.getLong(), in.getInt(), SetSum.read(in));
    }

    void save(Cells cells, byte[] name) {
        ByteBuffer out = ByteBuffer.allocate(2 * Long.BYTES + Integer.BYTES + SetSum.BYTES);
        out.putLong(generation).putLong(added).putInt(deleted);
        live.write(out);
        cells.put(TABLE, name, out.array());
    }

    boolean hasUpdates() {
        return added > 0 || deleted > 0;
    }

    WordState plusEntry(byte[] weight) {
        return new WordState(generation, added + 1, deleted, live.plus(weight, 0));
    }

    WordState plusDeletion(byte[] weight) {
        return new WordState(generation, added, deleted + 1, live.minus(weight, 0));
    }

    WordState searched() {
        return new WordState(generation + 1, 0, 0, live);
    }
}
