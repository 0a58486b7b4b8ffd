package dev.veilgate.sse.sdd;

import dev.veilgate.sse.DocumentId;
import dev.veilgate.sse.Hits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Finds the documents that were added and not deleted, in whatever order that is heard of. */
final class Cancellation {
    /** Gives signed numbers the order of unsigned ones. */
    private static final long FLIP = Long.MIN_VALUE;

    private long[] added = new long[16];
    private long[] deleted = new long[16];
    private int additions;
    private int deletions;
    private boolean altered;

    void take(LevelKeys.Opened opened) {
        altered |= opened.altered();
        for (int i = 0; i < opened.ids().length; i++) {
            long id = opened.ids()[i] ^ FLIP;
            if (opened.deletions()[i]) {
                deleted = room(deleted, deletions);
                deleted[deletions++] = id;
            } else {
                added = room(added, additions);
                added[additions++] = id;
            }
        }
    }

    private static long[] room(long[] numbers, int used) {
        return used < numbers.length ? numbers : Arrays.copyOf(numbers, 2 * used);
    }

    /** Ascending, each once. */
    Hits hits() {
        Arrays.sort(added, 0, additions);
        Arrays.sort(deleted, 0, deletions);
        List<Hits.Hit> live = new ArrayList<>();
        int dead = 0;
        for (int i = 0; i < additions; i++) {
            long id = added[i];
            if (i > 0 && id == added[i - 1]) {
                continue;
            }
            while (dead < deletions && deleted[dead] < id) {
                dead++;
            }
            if (dead == deletions || deleted[dead] != id) {
                live.add(new Hits.Hit(new DocumentId(id ^ FLIP), 0));
            }
        }
        return new Hits(live, altered ? List.of("entries of the word were altered at the server") : List.of());
    }
}
