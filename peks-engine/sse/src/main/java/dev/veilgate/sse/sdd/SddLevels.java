package dev.veilgate.sse.sdd;

import dev.veilgate.sse.sdd.map.MapShape;
import java.util.ArrayList;
import java.util.List;

/**
 * Which entry each level takes at which update: known to everybody, from the number of updates alone.
 *
 * <pre>
 *   update n        level i takes entry n - (2^(i+1) - 2), if there is one: from level i-1, or the new one
 *   complete parts  of level i: OLDEST, OLDER, OLD are those whose entries level i+1 has not taken in a complete part
 * </pre>
 *
 * <p>So when OLDEST and OLDER of level i-1 are full, level i takes one entry of them at each update, and ends as OLD
 * and the next part are full. The highest level has its OLDEST and OLDER full after {@link #capacity} updates.
 *
 * @param levels    how many
 * @param ownLevels how many of them, the smallest, have their counters with the owner
 */
record SddLevels(int levels, int ownLevels) {
    private static int start(int level) {
        return (2 << level) - 2;
    }

    /** Most updates. */
    int capacity() {
        return start(levels);
    }

    /** How many levels take an entry at an update: the smallest ones. */
    int active(int update) {
        int active = 1;
        while (active < levels && update >= start(active)) {
            active++;
        }
        return active;
    }

    /** The number of the entry that an active level takes. */
    int entry(int level, int update) {
        return update - start(level);
    }

    /** The part that an active level builds. */
    Part part(int level, int update) {
        return Part.of(level, entry(level, update));
    }

    /** Whether an active level begins a part. */
    boolean begins(int level, int update) {
        return entry(level, update) % (1 << level) == 0;
    }

    /** Whether an active level ends a part. */
    boolean ends(int level, int update) {
        return begins(level, update + 1);
    }

    /** The levels above 0 that take an entry and have their counters with the owner. */
    int activeOwn(int update) {
        return Math.min(active(update), ownLevels);
    }

    /** The complete parts after a number of updates, the largest and oldest first. */
    List<Part> parts(int count) {
        List<Part> parts = new ArrayList<>();
        for (int level = levels - 1; level >= 0; level--) {
            int first = level == levels - 1 ? 0 : 2 * complete(level + 1, count);
            for (int generation = first; generation < complete(level, count); generation++) {
                parts.add(new Part(level, generation));
            }
        }
        return parts;
    }

    private static int complete(int level, int count) {
        return Math.max(0, count - start(level)) >> level;
    }

    /** Turns of an update: fetching, as many ways as the highest active map reads, storing. */
    int turns(int update) {
        int highest = active(update) - 1;
        return highest < ownLevels ? 2 : 2 + new MapShape(highest).accesses();
    }
}
