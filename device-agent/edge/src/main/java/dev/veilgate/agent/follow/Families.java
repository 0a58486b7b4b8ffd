package dev.veilgate.agent.follow;

import dev.veilgate.agent.paths.FileNames;
import dev.veilgate.files.DurableFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds to whose names of rotation a path belongs, by the beginnings of its name: without asking each of thousands. */
final class Families {
    private final Map<String, List<PathFollower>> byStem = new HashMap<>();

    void add(PathFollower follower) {
        byStem.computeIfAbsent(key(follower), stem -> new ArrayList<>(1)).add(follower);
    }

    void remove(PathFollower follower) {
        byStem.computeIfPresent(key(follower), (stem, all) -> {
            all.remove(follower);
            return all.isEmpty() ? null : all;
        });
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
