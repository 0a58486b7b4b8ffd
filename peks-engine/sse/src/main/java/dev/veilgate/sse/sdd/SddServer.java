package dev.veilgate.sse.sdd;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.sse.CellStore;
import dev.veilgate.sse.CellStore.Cells;
import dev.veilgate.sse.sdd.map.MapShape;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The server's side of {@code sdd}. Table {@code slots} has label and sealed entry by level and number of the entry,
 * {@code buckets} those of the oblivious maps with their generation, {@code maps} the sealed state of each.
 */
final class SddServer extends LevelServer {
    private static final String SLOTS = "slots";
    private static final String BUCKETS = "buckets";
    private static final String MAPS = "maps";
    private static final int NO_BUCKET = -1;

    private final SddLevels levels;

    SddServer(CellStore store, SddLevels levels) {
        super(store, levels.capacity());
        this.levels = levels;
    }

    @Override
    Request read(int kind, int update, int items, CborReader in) throws MalformedEncodingException {
        if (update >= levels.capacity()) {
            throw in.malformed("count", "must be below the capacity");
        }
        List<byte[]> parts = LevelMessages.parts(in, items);
        switch (kind) {
            case LevelMessages.FETCH -> {
                if (!parts.isEmpty()) {
                    throw in.malformed("items", "must be 2");
                }
                return (cells, head) -> fetch(cells, head, update);
            }
            case LevelMessages.READ -> {
                List<SddFormat.Way> ways = ways(parts, update, in);
                return (cells, head) -> LevelMessages.write(
                        List.of(head.count()), List.of(head.count() == update ? buckets(cells, ways, update) : none()));
            }
            default -> {
                check(parts, update, in);
                return (cells, head) -> store(cells, head, update, parts);
            }
        }
    }

    private static byte[] none() {
        return new byte[0];
    }

    private static byte[] orNone(byte @Nullable [] cell) {
        return cell == null ? none() : cell;
    }

    private byte[] fetch(Cells cells, Head head, int update) {
        List<byte[]> parts = new ArrayList<>();
        parts.add(head.mark());
        int active = levels.active(update);
        if (head.count() == update || head.count() == update + 1) {
            ByteBuffer moves = ByteBuffer.allocate((active - 1) * SddFormat.SLOT_BYTES);
            for (int level = 1; level < active; level++) {
                byte[] slot = cells.get(SLOTS, SddFormat.key(level - 1, levels.entry(level, update)));
                if (slot == null) {
                    return LevelMessages.write(List.of(head.count()), List.of(head.mark()));
                }
                moves.put(slot, Blocks.BYTES, SddFormat.SLOT_BYTES);
            }
            parts.add(moves.array());
        }
        if (head.count() == update) {
            for (int level = levels.ownLevels(); level < active; level++) {
                parts.add(levels.begins(level, update) ? none() : orNone(cells.get(MAPS, SddFormat.key(level, 0))));
            }
        }
        return LevelMessages.write(List.of(head.count()), parts);
    }

    private List<SddFormat.Way> ways(List<byte[]> parts, int update, CborReader in) throws MalformedEncodingException {
        if (parts.size() != 1 || parts.getFirst().length % SddFormat.WAY_BYTES != 0) {
            throw in.malformed("ways", "must have " + SddFormat.WAY_BYTES + " bytes each");
        }
        List<SddFormat.Way> ways = new ArrayList<>();
        ByteBuffer each = ByteBuffer.wrap(parts.getFirst());
        while (each.hasRemaining() && ways.size() < levels.levels()) {
            SddFormat.Way way = SddFormat.Way.read(each);
            if (way.level() < levels.ownLevels() || way.level() >= levels.active(update)) {
                throw in.malformed("ways", "must be of levels that have a map and take an entry");
            }
            MapShape shape = new MapShape(way.level());
            if (way.from() < 0 || way.from() > shape.height() + 1 || way.leaf() < 0 || way.leaf() >= shape.leaves()) {
                throw in.malformed("ways", "must be within their level");
            }
            ways.add(way);
        }
        if (each.hasRemaining()) {
            throw in.malformed("ways", "must be at most one a level");
        }
        return ways;
    }

    /** The buckets of ways, each from its first depth down; zeros where none was written in this generation. */
    private byte[] buckets(Cells cells, List<SddFormat.Way> ways, int update) {
        int number = 0;
        for (SddFormat.Way way : ways) {
            number += new MapShape(way.level()).height() + 1 - way.from();
        }
        ByteBuffer out = ByteBuffer.allocate(number * SddFormat.CELL_BYTES);
        for (SddFormat.Way way : ways) {
            MapShape shape = new MapShape(way.level());
            int generation = levels.part(way.level(), update).generation();
            for (int depth = way.from(); depth <= shape.height(); depth++) {
                byte[] cell = cells.get(BUCKETS, SddFormat.key(way.level(), shape.bucket(way.leaf(), depth)));
                if (cell != null && ByteBuffer.wrap(cell).getInt() == generation) {
                    out.put(cell);
                } else {
                    out.position(out.position() + SddFormat.CELL_BYTES);
                }
            }
        }
        return out.array();
    }

    private void check(List<byte[]> parts, int update, CborReader in) throws MalformedEncodingException {
        int active = levels.active(update);
        int maps = Math.max(0, active - levels.ownLevels());
        if (parts.size() != 3 + 2 * maps
                || parts.get(0).length != LevelMessages.MARK_BYTES
                || parts.get(1).length != active * LevelKeys.PAIR_BYTES
                || parts.get(2).length != active * SddFormat.SLOT_BYTES) {
            throw in.malformed("parts", "must be a mark, and a pair and an entry of each level that takes one");
        }
        for (int i = 0; i < maps; i++) {
            byte[] buckets = parts.get(3 + 2 * i);
            if (buckets.length % SddFormat.CELL_BYTES != 0 || parts.get(4 + 2 * i).length != MapShape.STATE_BYTES) {
                throw in.malformed("parts", "must have the lengths of buckets and states");
            }
            ByteBuffer numbers = ByteBuffer.wrap(buckets);
            int last = NO_BUCKET;
            for (int at = 0; at < buckets.length; at += SddFormat.CELL_BYTES) {
                int number = numbers.getInt(at);
                if (number <= last || number >= new MapShape(levels.ownLevels() + i).buckets()) {
                    throw in.malformed("buckets", "must be of the map, ascending");
                }
                last = number;
            }
        }
    }

    private byte[] store(Cells cells, Head head, int update, List<byte[]> parts) {
        if (head.count() != update) {
            return LevelMessages.write(List.of(head.count()), List.of(head.mark()));
        }
        int active = levels.active(update);
        byte[] pairs = parts.get(1);
        byte[] slots = parts.get(2);
        for (int level = 0; level < active; level++) {
            int entry = levels.entry(level, update);
            int pair = level * LevelKeys.PAIR_BYTES;
            putPairs(cells, Part.of(level, entry), pairs, pair, pair + LevelKeys.PAIR_BYTES);
            byte[] slot = Arrays.copyOfRange(pairs, pair, pair + Blocks.BYTES + SddFormat.SLOT_BYTES);
            System.arraycopy(slots, level * SddFormat.SLOT_BYTES, slot, Blocks.BYTES, SddFormat.SLOT_BYTES);
            cells.put(SLOTS, SddFormat.key(level, entry), slot);
            if (level > 0) {
                drop(cells, level - 1, entry - (1 << level));
            }
        }
        for (int level = levels.ownLevels(); level < active; level++) {
            int part = 3 + 2 * (level - levels.ownLevels());
            putBuckets(cells, levels.part(level, update), parts.get(part));
            cells.put(MAPS, SddFormat.key(level, 0), parts.get(part + 1));
        }
        Head next = new Head(update + 1, parts.getFirst());
        putHead(cells, next);
        return LevelMessages.write(List.of(next.count()), List.of(next.mark()));
    }

    /** Drops an entry of a part that was merged: one an update and level, so that none takes long. */
    private static void drop(Cells cells, int level, int entry) {
        byte[] key = SddFormat.key(level, entry);
        byte[] slot = entry < 0 ? null : cells.get(SLOTS, key);
        if (slot != null) {
            cells.remove(PAIRS, Part.of(level, entry).with(slot, 0, Blocks.BYTES));
            cells.remove(SLOTS, key);
        }
    }

    private static void putBuckets(Cells cells, Part part, byte[] buckets) {
        for (int at = 0; at < buckets.length; at += SddFormat.CELL_BYTES) {
            byte[] cell = Arrays.copyOfRange(buckets, at, at + SddFormat.CELL_BYTES);
            ByteBuffer of = ByteBuffer.wrap(cell);
            int number = of.getInt(0);
            of.putInt(0, part.generation());
            cells.put(BUCKETS, SddFormat.key(part.level(), number), cell);
        }
    }
}
