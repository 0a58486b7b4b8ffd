package dev.veilgate.sse.sdd;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.sse.CellStore;
import dev.veilgate.sse.CellStore.Cells;
import dev.veilgate.sse.sdd.map.Sealer;
import java.util.ArrayList;
import java.util.List;

/** The server's side of {@code sda}. Table {@code rolls} has the sealed entries of each part. */
final class SdaServer extends LevelServer {
    private static final String ROLLS = "rolls";

    private final int capacity;

    SdaServer(CellStore store, int capacity) {
        super(store, capacity);
        this.capacity = capacity;
    }

    @Override
    Request read(int kind, int count, int items, CborReader in) throws MalformedEncodingException {
        int to = in.uint("to", capacity);
        if (to <= count) {
            throw in.malformed("to", "must be above the number of updates before it");
        }
        List<byte[]> parts = LevelMessages.parts(in, items - 1);
        return switch (kind) {
            case LevelMessages.FETCH -> {
                if (!parts.isEmpty()) {
                    throw in.malformed("items", "must be 3");
                }
                yield (cells, head) -> fetch(cells, head, count, to);
            }
            case LevelMessages.STORE -> {
                List<Part> made = SdaLevels.made(count, to);
                check(made, parts, in);
                yield (cells, head) -> store(cells, head, count, to, parts);
            }
            default -> throw in.malformed("kind", "must be 0 to 2");
        };
    }

    private static void check(List<Part> made, List<byte[]> parts, CborReader in) throws MalformedEncodingException {
        if (parts.size() != 1 + 2 * made.size() || parts.getFirst().length != LevelMessages.MARK_BYTES) {
            throw in.malformed("parts", "must be a mark, and two of each new level");
        }
        for (int i = 0; i < made.size(); i++) {
            int size = made.get(i).size();
            if (parts.get(1 + 2 * i).length != size * LevelKeys.PAIR_BYTES
                    || parts.get(2 + 2 * i).length != size * Entry.BYTES + Sealer.OVERHEAD) {
                throw in.malformed("parts", "must have the lengths of their levels");
            }
        }
    }

    private static byte[] fetch(Cells cells, Head head, int from, int to) {
        List<byte[]> parts = new ArrayList<>();
        parts.add(head.mark());
        if (head.count() == from) {
            for (Part part : SdaLevels.merged(from, to)) {
                byte[] roll = cells.get(ROLLS, part.encode());
                parts.add(roll == null ? new byte[0] : roll);
            }
        }
        return LevelMessages.write(List.of(head.count()), parts);
    }

    private static byte[] store(Cells cells, Head head, int from, int to, List<byte[]> parts) {
        if (head.count() != from) {
            return LevelMessages.write(List.of(head.count()), List.of(head.mark()));
        }
        SdaLevels.merged(from, to).forEach(part -> drop(cells, part));
        List<Part> made = SdaLevels.made(from, to);
        for (int i = 0; i < made.size(); i++) {
            byte[] pairs = parts.get(1 + 2 * i);
            putPairs(cells, made.get(i), pairs, 0, pairs.length);
            cells.put(ROLLS, made.get(i).encode(), parts.get(2 + 2 * i));
        }
        Head next = new Head(to, parts.getFirst());
        putHead(cells, next);
        return LevelMessages.write(List.of(next.count()), List.of(next.mark()));
    }

    private static void drop(Cells cells, Part part) {
        List<byte[]> keys = new ArrayList<>(part.size());
        cells.scan(PAIRS, part.encode(), (key, _) -> keys.add(key));
        keys.forEach(key -> cells.remove(PAIRS, key));
        cells.remove(ROLLS, part.encode());
    }
}
