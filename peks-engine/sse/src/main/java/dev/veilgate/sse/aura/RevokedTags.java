package dev.veilgate.sse.aura;

import dev.veilgate.sse.CellStore.Cells;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** Tags of a word that were deleted since its last search, at the owner. */
final class RevokedTags {
    private static final String TABLE = "revoked";
    private static final byte[] NOTHING = new byte[0];

    private RevokedTags() {}

    /** Adds the tag at the beginning of an array. */
    static void add(Cells cells, byte[] name, byte[] tag) {
        cells.put(TABLE, key(name, tag, 0), NOTHING);
    }

    /** All of them, one after the other, ascending. */
    static byte[] of(Cells cells, byte[] name) {
        ByteArrayOutputStream tags = new ByteArrayOutputStream();
        cells.scan(TABLE, name, (key, _) -> tags.write(key, name.length, Aura.TAG_BYTES));
        return tags.toByteArray();
    }

    /** Forgets those, which stand one after the other. */
    static void remove(Cells cells, byte[] name, byte[] tags) {
        for (int at = 0; at < tags.length; at += Aura.TAG_BYTES) {
            cells.remove(TABLE, key(name, tags, at));
        }
    }

    private static byte[] key(byte[] name, byte[] tags, int at) {
        byte[] key = Arrays.copyOf(name, name.length + Aura.TAG_BYTES);
        System.arraycopy(tags, at, key, name.length, Aura.TAG_BYTES);
        return key;
    }
}
