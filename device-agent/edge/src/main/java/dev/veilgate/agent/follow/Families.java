package dev.veilgate.agent.follow;

import dev.veilgate.agent.paths.FileNames;
import dev.veilgate.files.DurableFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds to whose names of rotation a path belongs, by the beginnings of its name: without asking each of thousands. */
final class Families {
    private final Map<String, List<PathFollower>> byStem = new HashMap<>();
    /** By the log's own name, and by those of the logs of which it may be a rotated file. */
    private final Map<String, Set<PathFollower>> byOrigin = new HashMap<>();

    void add(PathFollower follower) {
        byStem.computeIfAbsent(key(follower), stem -> new ArrayList<>(1)).add(follower);
        for (FileFamily origin : follower.family().withOrigins()) {
            byOrigin.computeIfAbsent(name(origin), name -> new LinkedHashSet<>(2))
                    .add(follower);
        }
    }

    void remove(PathFollower follower) {
        byStem.computeIfPresent(key(follower), (stem, all) -> without(follower, all));
        for (FileFamily origin : follower.family().withOrigins()) {
            byOrigin.computeIfPresent(name(origin), (name, all) -> without(follower, all));
        }
    }

    private static <T extends Collection<PathFollower>> @Nullable T without(PathFollower follower, T all) {
        all.remove(follower);
        return all.isEmpty() ? null : all;
    }

    /** Those whose files may be of one log with a family: one a rotated file of the other, or both of a third. */
    Set<PathFollower> relatedTo(FileFamily family) {
        Set<PathFollower> found = new LinkedHashSet<>();
        for (FileFamily origin : family.withOrigins()) {
            found.addAll(byOrigin.getOrDefault(name(origin), Set.of()));
        }
        return found;
    }

    private static String name(FileFamily family) {
        return folder(family.base()) + FileNames.lastName(family.base());
    }

    /** Those for whose file a path may be a rotated one. */
    List<PathFollower> of(Path path) {
        String name = FileNames.lastName(path);
        String folder = folder(path);
        List<PathFollower> found = new ArrayList<>();
        for (int length = 1; length <= name.length(); length++) {
            for (PathFollower follower : byStem.getOrDefault(folder + name.substring(0, length), List.of())) {
                if (follower.family().isMember(path)) {
                    found.add(follower);
                }
            }
        }
        return found;
    }

    private static String key(PathFollower follower) {
        return folder(follower.path()) + follower.family().stem();
    }

    private static String folder(Path path) {
        return FileNames.text(DurableFiles.folderOf(path)) + "/";
    }
}
