package dev.veilgate.sse.aura;

import dev.veilgate.secret.Secret;
import dev.veilgate.sse.CellStore.Cells;
import dev.veilgate.sse.SetSum;
import java.nio.ByteBuffer;

/**
 * State of a word, at the owner.
 *
 * @param generation of the entries that are added now, from 1
 * @param added      entries of this generation
 * @param all        tags that the server should have: entries of this generation, and what it decrypted before
 */
@Secret
record WordState(long generation, long added, SetSum all) {
    private static final String TABLE = "words";
    private static final WordState NEW = new WordState(1, 0, SetSum.NONE);

    static WordState of(Cells cells, byte[] name) {
        byte[] value = cells.get(TABLE, name);
        if (value == null) {
            return NEW;
        }
        ByteBuffer in = ByteBuffer.wrap(value);
        return new WordState(in.getLong(), in.getLong(), SetSum.read(in));
    }

    void save(Cells cells, byte[] name) {
        ByteBuffer out = ByteBuffer.allocate(2 * Long.BYTES + SetSum.BYTES);
        out.putLong(generation).putLong(added);
        all.write(out);
        cells.put(TABLE, name, out.array());
    }

    /** After one more entry. */
    WordState plus(byte[] weights, int at) {
        return new WordState(generation, added + 1, all.plus(weights, at));
    }
}
