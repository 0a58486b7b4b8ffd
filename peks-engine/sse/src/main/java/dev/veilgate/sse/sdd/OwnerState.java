package dev.veilgate.sse.sdd;

import dev.veilgate.sse.CellStore;
import dev.veilgate.sse.CellStore.Cells;
import dev.veilgate.sse.Done;
import dev.veilgate.sse.RefusedException;
import dev.veilgate.sse.SseException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The owner's cells beyond the key: how many updates the server has acknowledged, and those that were begun and are not
 * acknowledged yet.
 */
final class OwnerState {
    private static final String TABLE = "state";
    private static final byte[] COUNT = key("count");
    private static final byte[] PENDING = key("pending");
    private static final byte[] LAST = key("last");

    private final CellStore cells;

    OwnerState(CellStore cells) {
        this.cells = cells;
    }

    private static byte[] key(String name) {
        return name.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Updates that were begun.
     *
     * @param first number of the first one
     * @param coins from which everything comes that has to be the same when it is sent again
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Pending(int first, byte[] coins, List<Entry> entries) {
        /** Bytes of the coins. */
        static final int COINS_BYTES = 32;

        /** Number of updates when all are done. */
        int end() {
            return first + entries.size();
        }

        /** The update of a number. */
        Entry entry(int update) {
            return entries.get(update - first);
        }

        private byte[] encode() {
            ByteBuffer out = ByteBuffer.allocate(Integer.BYTES + COINS_BYTES + entries.size() * Entry.BYTES);
            out.putInt(first).put(coins);
            entries.forEach(entry -> entry.write(out));
            return out.array();
        }

        private static Pending decode(byte[] encoded) {
            ByteBuffer in = ByteBuffer.wrap(encoded);
            int first = in.getInt();
            byte[] coins = new byte[COINS_BYTES];
            in.get(coins);
            return new Pending(first, coins, OwnerState.entries(in));
        }
    }

    /** All entries that are left in a buffer. */
    static List<Entry> entries(ByteBuffer in) {
        Entry[] entries = new Entry[in.remaining() / Entry.BYTES];
        for (int i = 0; i < entries.length; i++) {
            entries[i] = Entry.read(in);
        }
        return List.of(entries);
    }

    /** How many updates were acknowledged. */
    int count() {
        return cells.transact(OwnerState::count);
    }

    private static int count(Cells in) {
        byte[] count = in.get(TABLE, COUNT);
        return count == null ? 0 : ByteBuffer.wrap(count).getInt();
    }

    /** Updates that were begun and are not done. */
    Optional<Pending> pending() {
        return cells.transact(in -> Optional.ofNullable(in.get(TABLE, PENDING)).map(Pending::decode));
    }

    /** The number of updates, where none is begun. */
    int settled() throws SseException {
        return cells.transact(in -> {
            requireNoPending(in);
            return count(in);
        });
    }

    private static void requireNoPending(Cells in) throws SseException {
        if (in.get(TABLE, PENDING) != null) {
            throw new SseException("an update of this archive was begun and has not ended: go on with it first");
        }
    }

    /**
     * Whether these updates are those that were begun last, in any order, and they are done: an owner who does not know
     * that, as a crash came between, has nothing to send.
     */
    boolean isDone(List<Entry> entries) {
        byte[] digest = digest(entries);
        return cells.transact(in -> in.get(TABLE, PENDING) == null && Arrays.equals(in.get(TABLE, LAST), digest));
    }

    private static byte[] digest(List<Entry> entries) {
        MessageDigest sha256;
        try {
            sha256 = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256", e);
        }
        entries.stream().map(Entry::encode).sorted(Arrays::compareUnsigned).forEach(sha256::update);
        return sha256.digest();
    }

    /** Saves updates before the first message of them is sent. */
    Pending begin(byte[] coins, List<Entry> entries, int capacity) throws SseException {
        byte[] digest = digest(entries);
        return cells.transact(in -> {
            requireNoPending(in);
            Pending pending = new Pending(count(in), coins, entries);
            requireRoom(pending.first(), entries.size(), capacity);
            in.put(TABLE, PENDING, pending.encode());
            in.put(TABLE, LAST, digest);
            return pending;
        });
    }

    /** Refuses updates beyond an archive's capacity. */
    static void requireRoom(int count, int more, int capacity) throws RefusedException {
        if (more > capacity - count) {
            throw new RefusedException(
                    "the archive was made for " + capacity + " pairs of a word and a document, added or"
                            + " deleted, and has room for " + (capacity - count) + " more");
        }
    }

    /**
     * Saves that the server has all updates before a number.
     *
     * @param also what changes with it
     */
    void acknowledge(Pending pending, int count, Consumer<Cells> also) {
        cells.transact(in -> {
            in.put(
                    TABLE,
                    COUNT,
                    ByteBuffer.allocate(Integer.BYTES).putInt(count).array());
            if (count == pending.end()) {
                in.remove(TABLE, PENDING);
            }
            also.accept(in);
            return Done.DONE;
        });
    }

    /** Reads other cells of the owner. */
    CellStore cells() {
        return cells;
    }
}
