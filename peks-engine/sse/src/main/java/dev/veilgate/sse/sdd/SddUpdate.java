package dev.veilgate.sse.sdd;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.secret.Secret;
import dev.veilgate.sse.Prf;
import dev.veilgate.sse.SseException;
import dev.veilgate.sse.sdd.map.Increment;
import dev.veilgate.sse.sdd.map.MapShape;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An update: fetches the entries that move and the states of the maps, reads ways of all maps in step, and makes the
 * one message that changes anything. What a server may see twice, if it is begun again, is the same: the ways.
 */
@Secret
final class SddUpdate {
    private final SddLevels levels;
    private final LevelKeys keys;
    private final OwnerState state;
    private final SecureRandom random;
    private final OwnerState.Pending pending;
    private final int number;
    private final Prf coins;
    private final byte[] mark;
    private final List<Entry> entries = new ArrayList<>();
    private final List<Increment> increments = new ArrayList<>();

    SddUpdate(
            SddLevels levels,
            LevelKeys keys,
            OwnerState state,
            SecureRandom random,
            OwnerState.Pending pending,
            int number) {
        this.levels = levels;
        this.keys = keys;
        this.state = state;
        this.random = random;
        this.pending = pending;
        this.number = number;
        this.coins = Prf.of(pending.coins());
        this.mark = Arrays.copyOf(coins(-1, 0), LevelMessages.MARK_BYTES);
    }

    private byte[] coins(int level, int use) {
        return coins.apply(
                ByteBuffer.allocate(12).putInt(number).putInt(level).putInt(use).array());
    }

    byte[] fetch() {
        return LevelMessages.write(List.of(LevelMessages.FETCH, number), List.of());
    }

    /** Takes what was fetched; true if the server has this update already, as only its answer was lost. */
    boolean isStored(LevelMessages.Answer answer) throws SseException, MalformedEncodingException {
        boolean stored = isOurs(answer);
        if (!stored) {
            LevelMessages.requireCount(answer.count(), number);
        }
        int active = levels.active(number);
        int maps = stored ? 0 : Math.max(0, active - levels.ownLevels());
        answer.requireParts(2 + maps);
        openEntries(answer.part(1, (active - 1) * SddFormat.SLOT_BYTES), active);
        for (int i = 0; i < maps; i++) {
            int level = levels.ownLevels() + i;
            byte[] sealed = answer.parts().get(2 + i);
            Entry.Handle word = entries.get(level).handle();
            increments.add(new Increment(
                    new MapShape(level),
                    keys.sealer(),
                    levels.part(level, number).generation(),
                    number,
                    levels.begins(level, number) ? null : sealed,
                    word.high(),
                    word.low(),
                    use -> ByteBuffer.wrap(coins(level, use)).getInt(),
                    random));
        }
        return stored;
    }

    private void openEntries(byte[] moves, int active) throws SseException {
        entries.add(pending.entry(number));
        for (int level = 1; level < active; level++) {
            byte[] context = SddFormat.context(level - 1, levels.entry(level, number));
            int at = (level - 1) * SddFormat.SLOT_BYTES;
            byte[] entry = keys.sealer()
                    .open(moves, at, SddFormat.SLOT_BYTES, context)
                    .orElseThrow(() -> new SseException("the server gives an entry that this owner did not make"));
            entries.add(Entry.read(ByteBuffer.wrap(entry)));
        }
    }

    /** Whether ways are left to be read. */
    boolean isReading() {
        return increments.stream().anyMatch(increment -> !increment.isRead());
    }

    /** Asks for the next way of each map that has one left. */
    byte[] read() {
        ByteBuffer ways = ByteBuffer.allocate(increments.size() * SddFormat.WAY_BYTES);
        for (int i = 0; i < increments.size(); i++) {
            Increment increment = increments.get(i);
            if (!increment.isRead()) {
                new SddFormat.Way(levels.ownLevels() + i, increment.from(), increment.leaf()).write(ways);
            }
        }
        return LevelMessages.write(
                List.of(LevelMessages.READ, number), List.of(Arrays.copyOf(ways.array(), ways.position())));
    }

    /** Takes these ways. */
    void wereRead(LevelMessages.Answer answer) throws SseException, MalformedEncodingException {
        LevelMessages.requireCount(answer.count(), number);
        List<Increment> reading =
                increments.stream().filter(increment -> !increment.isRead()).toList();
        int missing = reading.stream().mapToInt(Increment::missing).sum();
        byte[] cells = answer.requireParts(1).part(0, missing * SddFormat.CELL_BYTES);
        int at = Integer.BYTES; // behind the generation
        for (Increment increment : reading) {
            int next = at + increment.missing() * SddFormat.CELL_BYTES;
            increment.read(cells, at, SddFormat.CELL_BYTES);
            at = next;
        }
    }

    byte[] store() throws SseException {
        ByteBuffer pairs = ByteBuffer.allocate(entries.size() * LevelKeys.PAIR_BYTES);
        byte[] slots = new byte[entries.size() * SddFormat.SLOT_BYTES];
        for (int level = 0; level < entries.size(); level++) {
            Entry entry = entries.get(level);
            LevelKeys.Token token = keys.token(levels.part(level, number), entry.handle());
            keys.writePair(token, counter(level, entry.handle()), entry, pairs);
            ByteBuffer plain = ByteBuffer.allocate(Entry.BYTES);
            entry.write(plain);
            byte[] context = SddFormat.context(level, levels.entry(level, number));
            keys.sealer().seal(plain.array(), context, slots, level * SddFormat.SLOT_BYTES);
        }
        List<byte[]> parts = new ArrayList<>(List.of(mark, pairs.array(), slots));
        for (Increment increment : increments) {
            Increment.Written written = increment.finish(Integer.BYTES);
            ByteBuffer cells = ByteBuffer.wrap(written.cells());
            for (int i = 0; i < written.buckets().length; i++) {
                cells.putInt(i * SddFormat.CELL_BYTES, written.buckets()[i]);
            }
            parts.add(written.cells());
            parts.add(written.state());
        }
        return LevelMessages.write(List.of(LevelMessages.STORE, number), parts);
    }

    private int counter(int level, Entry.Handle word) {
        if (level == 0) {
            return 0;
        }
        int map = level - levels.ownLevels();
        return map < 0
                ? OwnCounters.get(state.cells(), level, word)
                : increments.get(map).count();
    }

    /** Whether the server says that this update was the last one it took. */
    boolean isOurs(LevelMessages.Answer answer) {
        return answer.count() == number + 1
                && !answer.parts().isEmpty()
                && Arrays.equals(answer.parts().getFirst(), mark);
    }

    /** Reads the answer to what was stored. */
    void requireStored(LevelMessages.Answer answer) throws SseException {
        if (!isOurs(answer)) {
            LevelMessages.requireCount(answer.count(), number);
            throw new SseException("the server did not store what it was sent");
        }
    }

    /** Saves that the server has it. */
    void acknowledge() {
        state.acknowledge(pending, number + 1, cells -> {
            for (int level = 1; level < levels.activeOwn(number); level++) {
                if (levels.ends(level, number)) {
                    OwnCounters.clear(cells, level);
                } else {
                    OwnCounters.increment(cells, level, entries.get(level).handle());
                }
            }
        });
    }
}
