package dev.veilgate.sse.sdd.map;

import dev.veilgate.sse.SseException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An oblivious map and a server of it, and all that the server sees. */
final class MapAtServer {
    final MapShape shape;
    final Map<Integer, byte[]> cells = new HashMap<>();
    final List<Integer> leaves = new ArrayList<>();
    final SecureRandom random;
    final SecureRandom moves;
    private final Sealer sealer;
    byte @Nullable [] state;
    int version;
    int mostStashed;

    /** @param moves draws new leaves: another one only to show what that breaks */
    MapAtServer(int level, SecureRandom random, SecureRandom moves) {
        this.shape = new MapShape(level);
        this.random = random;
        this.moves = moves;
        byte[] key = new byte[32];
        random.nextBytes(key);
        this.sealer = new Sealer(key, random);
    }

    Increment begin(long high, long low) throws SseException {
        return new Increment(shape, sealer, 7, version, state, high, low, _ -> random.nextInt(), moves);
    }

    int increment(long high, long low) throws SseException {
        Increment increment = begin(high, low);
        read(increment);
        int count = increment.count();
        Increment.Written written = increment.finish(0);
        for (int i = 0; i < written.buckets().length; i++) {
            byte[] cell = new byte[MapShape.BUCKET_BYTES];
            System.arraycopy(written.cells(), i * cell.length, cell, 0, cell.length);
            cells.put(written.buckets()[i], cell);
        }
        state = written.state();
        version++;
        mostStashed = Math.max(mostStashed, increment.stashed());
        return count;
    }

    void read(Increment increment) throws SseException {
        while (!increment.isRead()) {
            int leaf = increment.leaf();
            leaves.add(leaf);
            byte[] way = new byte[increment.missing() * MapShape.BUCKET_BYTES];
            for (int i = 0; i < increment.missing(); i++) {
                byte[] cell = cells.get(shape.bucket(leaf, increment.from() + i));
                if (cell != null) {
                    System.arraycopy(cell, 0, way, i * cell.length, cell.length);
                }
            }
            increment.read(way, 0, MapShape.BUCKET_BYTES);
        }
    }
}
