package dev.veilgate.agent.follow;

import dev.veilgate.agent.paths.FileAccess;
import dev.veilgate.agent.paths.LinkRule;
import dev.veilgate.files.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where files lie that were rotated away from a log: beside it, in a folder below, beside the file to which its name
 * is a link, and where an open file was seen to be moved to. For one thread.
 */
final class RotationFolders {
    private static final int MOST_FORMER_TARGETS = 8;
    private static final int MOST_LEARNED = 8;
    private static final int MOST_REMEMBERED = 1024;

    /**
     * A name in another folder, from which rotated files have theirs.
     *
     * @param target   whether the log's own name is or was a link to it
     * @param readable whose files may be read there, or {@link LinkRule#ANYBODY}
     */
    record Place(Path base, boolean target, int readable) {}

    /** A folder to which files of a user were moved. */
    private record Learned(Path folder, int owner) {}

    private final LogFiles files;

    private final FolderNames names = new FolderNames();
    private final OpenFiles openFiles = new OpenFiles();
    private final Map<Path, Set<Learned>> learned = new LinkedHashMap<>();
    private final Map<Path, Set<FileAccess.Target>> targets = new LinkedHashMap<>();
    private final Map<Path, Optional<FileTime>> changed = new HashMap<>();

    RotationFolders(LogFiles files) {
        this.files = files;
    }

    LogFiles files() {
        return files;
    }

    /** The names in folders. */
    FolderNames names() {
        return names;
    }

    /** Lets folders be asked again when they changed. */
    void newScan() {
        changed.clear();
    }

    /** The places of a log's rotated files, other than beside its name. */
    List<Place> elsewhere(Path base) {
        List<Place> places = new ArrayList<>();
        Path own = DurableFiles.folderOf(base.toAbsolutePath());
        addBelow(places, own, base.getFileName(), LinkRule.ANYBODY);
        for (FileAccess.Target target : targets(base)) {
            Path path = target.path();
            places.add(new Place(path, true, target.readable()));
            addBelow(places, DurableFiles.folderOf(path), path.getFileName(), target.readable());
        }
        for (Learned place : learned.getOrDefault(own, Set.of())) {
            places.add(new Place(place.folder.resolve(base.getFileName()), false, place.owner));
        }
        return places;
    }

    /** A folder below that has a file of the log's very name has another log's, with the rotated files of that. */
    private void addBelow(List<Place> places, Path folder, Path name, int readable) {
        try {
            for (Path below : names.below(folder)) {
                Path other = below.resolve(name);
                if (!Files.exists(other)) {
                    places.add(new Place(other, false, readable));
                }
            }
        } catch (IOException e) {
            // not there, or not ours to read: looked at again
        }
    }

    /** The file to which a name is a link, and those to which it was one. */
    private Set<FileAccess.Target> targets(Path base) {
        Optional<FileAccess.Target> target = files.target(base);
        if (target.isEmpty()) {
            return targets.getOrDefault(base, Set.of());
        }
        Set<FileAccess.Target> all = remembered(targets, base);
        all.remove(target.get());
        all.add(target.get()); // the last one is the present one
        limit(all, MOST_FORMER_TARGETS);
        return Set.copyOf(all);
    }

    /**
     * Notes to which folder an open file was moved that has no name any more where it is looked for. Whether that is
     * one that was not known.
     */
    boolean learn(Path base, FileId id) {
        Path from = DurableFiles.folderOf(base.toAbsolutePath());
        OpenFiles.Place now = openFiles.folder(id).orElse(null);
        if (now == null) {
            return false;
        }
        Path to = base.getFileSystem() == now.folder().getFileSystem()
                ? now.folder()
                : base.getFileSystem().getPath(now.folder().toString());
        boolean known = to.equals(from)
                || elsewhere(base).stream()
                        .filter(place -> place.readable() == now.owner() || place.readable() == LinkRule.ANYBODY)
                        .anyMatch(place -> to.equals(place.base().getParent()));
        return !known && learn(from, new Learned(to, now.owner()));
    }

    private boolean learn(Path from, Learned to) {
        Set<Learned> all = remembered(learned, from);
        boolean isNew = all.add(to);
        limit(all, MOST_LEARNED);
        return isNew;
    }

    private static <T> Set<T> remembered(Map<Path, Set<T>> map, Path key) {
        if (map.size() >= MOST_REMEMBERED && !map.containsKey(key)) {
            map.remove(map.keySet().iterator().next());
        }
        return map.computeIfAbsent(key, path -> new LinkedHashSet<>(2));
    }

    private static void limit(Set<?> all, int most) {
        if (all.size() > most) {
            all.remove(all.iterator().next());
        }
    }

    /** When names last changed where a log's rotated files are, its own folder excepted. */
    List<Optional<FileTime>> changes(Path base) {
        List<Optional<FileTime>> times = new ArrayList<>();
        for (Place place : elsewhere(base)) {
            Path folder = DurableFiles.folderOf(place.base());
            times.add(changed.computeIfAbsent(folder, RotationFolders::telling));
        }
        return times;
    }

    private static Optional<FileTime> telling(Path folder) {
        @Nullable FileTime modified = FileId.modified(folder);
        return Optional.ofNullable(FileId.telling(modified));
    }
}
