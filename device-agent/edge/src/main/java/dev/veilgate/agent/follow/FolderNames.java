package dev.veilgate.agent.follow;

import dev.veilgate.agent.paths.FileNames;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The names in folders. Read once for all who follow a file there, as long as the folder's time of change says that they are the same: thousands of files of one folder would each read
 * thousands of names. For one thread.
 */
final class FolderNames {
    private static final int MOST_FOLDERS = 64;
    private static final int MOST_BELOW = 32;
    private static final int MOST_ASKED = 256;

    /** @param paths by name */
    private record Listing(FileTime modified, NavigableMap<String, List<Path>> paths) {}

    private record Below(FileTime modified, List<Path> folders) {}

    private final Map<Path, Listing> listings = new LinkedHashMap<>();
    private final Map<Path, Below> below = new LinkedHashMap<>();

    /**
     * The paths of what is in a folder and whose names begin with these characters.
     *
     * @throws IOException if it is not there, or not ours to read
     */
    List<Path> beginningWith(Path folder, String beginning) throws IOException {
        List<Path> found = new ArrayList<>();
        paths(folder)
                .subMap(beginning, true, beginning + Character.MAX_VALUE, false)
                .values()
                .forEach(found::addAll);
        return found;
    }

    /** The folders in a folder, as far as their names have no dot, as those of logs have; not more than a few dozen. */
    List<Path> below(Path folder) throws IOException {
        @Nullable FileTime modified = FileId.modified(folder);
        Below known = below.get(folder);
        if (known != null && known.modified.equals(modified)) {
            return known.folders;
        }
        below.remove(folder);
        FileTime telling = FileId.telling(modified);
        List<Path> found = new ArrayList<>();
        int asked = 0;
        for (Map.Entry<String, List<Path>> entry : paths(folder).entrySet()) {
            if (entry.getKey().indexOf('.') >= 0) {
                continue;
            }
            for (Path path : entry.getValue()) {
                if (found.size() < MOST_BELOW && asked++ < MOST_ASKED && Files.isDirectory(path)) {
                    found.add(path);
                }
            }
        }
        if (telling != null) {
            if (below.size() >= MOST_FOLDERS) {
                below.remove(below.keySet().iterator().next());
            }
            below.put(folder, new Below(telling, found));
        }
        return found;
    }

    private NavigableMap<String, List<Path>> paths(Path folder) throws IOException {
        @Nullable FileTime modified = FileId.modified(folder);
        Listing known = listings.get(folder);
        if (known != null && known.modified.equals(modified)) {
            return known.paths;
        }
        listings.remove(folder);
        FileTime telling = FileId.telling(modified); // else another change may keep the time
        NavigableMap<String, List<Path>> paths = new TreeMap<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
            for (Path path : all) {
                paths.computeIfAbsent(FileNames.lastName(path), name -> new ArrayList<>(1))
                        .add(path);
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        if (telling != null && telling.equals(FileId.modified(folder))) {
            if (listings.size() >= MOST_FOLDERS) {
                listings.remove(listings.keySet().iterator().next());
            }
            listings.put(folder, new Listing(telling, paths));
        }
        return paths;
    }
}
