package dev.veilgate.agent.follow;

import dev.veilgate.agent.paths.FileNames;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds files that somebody copied to another name that is followed as well, so that their lines are read twice. They
 * cannot be told from lines that repeat, so they are read, and it is said.
 *
 * <p>A new file is judged once, when it has been there for a while: what a rotation copies is cut by then, and logs
 * that merely begin alike have lines of their own.
 */
final class FollowedCopies {
    private static final int MOST = 1 << 14;
    /** Most files that one is compared with, so that many that begin alike cost no more than a few. */
    private static final int MOST_COMPARED = 32;

    private final LogFiles files;
    private final Families families;
    private final long delayNanos;
    /** New files, and when they were met, the oldest first. */
    private final Map<Path, Long> waiting = new LinkedHashMap<>();

    private int found;

    /** @param delayNanos how long a file must have been followed until it is judged */
    FollowedCopies(LogFiles files, Families families, long delayNanos) {
        this.files = files;
        this.families = families;
        this.delayNanos = delayNanos;
    }

    /** Notes that a file is followed that was not known. */
    void isNew(Path path, long nowNanos) {
        if (waiting.size() < MOST) {
            waiting.putIfAbsent(path, nowNanos);
        }
    }

    /** Copies that were found in this run. */
    int found() {
        return found;
    }

    /** Judges the new files that have been there for long enough, and says which are copies of others. */
    void report(Map<Path, PathFollower> followers, long nowNanos, RecordSink sink) {
        List<Path> due = new ArrayList<>();
        for (Map.Entry<Path, Long> next : waiting.entrySet()) {
            if (nowNanos - next.getValue() < delayNanos) {
                break;
            }
            due.add(next.getKey());
        }
        if (due.isEmpty()) {
            return;
        }
        Map<Digest, List<PathFollower>> alike = byBeginning(followers.values());
        for (Path path : due) {
            waiting.remove(path); // the others that wait are newer, and are compared with this one
            PathFollower follower = followers.get(path);
            Path other = follower == null ? null : copied(follower, alike);
            if (other != null) {
                found++;
                sink.copied(FileNames.shown(path), FileNames.shown(other));
            }
        }
    }

    /**
     * The file of which another one is a copy: one that is followed under its own name, or that was rotated from a
     * log of which the copy has a name of rotation; null if there is none.
     */
    private @Nullable Path copied(PathFollower follower, Map<Digest, List<PathFollower>> alike) {
        Path path = follower.path();
        for (PathFollower other : candidates(follower, alike)) {
            if (!waiting.containsKey(other.path()) && isCopy(follower, other)) {
                return other.path();
            }
        }
        for (PathFollower other : families.of(path)) {
            List<FileFamily.Member> rotated = other.family().members().reversed(); // the newest first
            for (FileFamily.Member member : rotated.subList(0, Math.min(MOST_COMPARED, rotated.size()))) {
                if (isCopy(follower, member)) {
                    return member.path();
                }
            }
        }
        return null;
    }

    private static Map<Digest, List<PathFollower>> byBeginning(Collection<PathFollower> followers) {
        Map<Digest, List<PathFollower>> alike = new HashMap<>();
        for (PathFollower follower : followers) {
            Digest key = beginning(follower);
            if (key.length() > 0) {
                alike.computeIfAbsent(key, k -> new ArrayList<>(1)).add(follower);
            }
        }
        return alike;
    }

    private static List<PathFollower> candidates(PathFollower follower, Map<Digest, List<PathFollower>> alike) {
        List<PathFollower> others = new ArrayList<>(alike.getOrDefault(beginning(follower), List.of()));
        others.remove(follower);
        return others.subList(0, Math.min(MOST_COMPARED, others.size()));
    }

    private static Digest beginning(PathFollower follower) {
        try {
            FollowedFile file = follower.named().orElse(null);
            return file == null ? Digest.EMPTY : file.beginning();
        } catch (IOException e) {
            return Digest.EMPTY; // not readable now
        }
    }

    private static boolean isCopy(PathFollower follower, PathFollower other) {
        try {
            FollowedFile file = follower.named().orElse(null);
            FollowedFile of = other.named().orElse(null);
            return file != null && of != null && file.beginsWithLinesOf(of);
        } catch (IOException e) {
            return false;
        }
    }

    private boolean isCopy(PathFollower follower, FileFamily.Member member) {
        FollowedFile file = follower.named().orElse(null);
        if (file == null || file.id().equals(member.status().id())) {
            return false;
        }
        try (FileChannel rotated = files.open(member.path(), member.status().id())) {
            return file.beginsWithLinesOf(rotated, files.dataEnd(rotated, member.status(), 0));
        } catch (IOException e) {
            return false; // renamed meanwhile, or not ours to read
        }
    }
}
