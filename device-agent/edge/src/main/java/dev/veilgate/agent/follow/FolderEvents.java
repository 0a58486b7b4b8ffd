package dev.veilgate.agent.follow;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Events of the system about names that came and went in folders. They tell of files that were there between two looks
 * only; all else is found by looking, with events and without. Writing causes none. For one thread.
 */
final class FolderEvents implements AutoCloseable {
    private static final int MOST_FOLDERS = 1024;
    private static final int MOST_NAMES = 1 << 14;
    /** A file that was opened may be told of so much later. */
    private static final int DRAINS_KEPT = 50;

    private static final int MOST_EVENTS_A_DRAIN = 1 << 14;
    private static final int MOST_ROUNDS = 4;

    private @Nullable WatchService service;
    private boolean asked;
    private final Map<Path, WatchKey> folders = new HashMap<>();
    private final Set<Path> refused = new HashSet<>();
    /** Names that were given to new files and have not been looked at. */
    private final Map<Path, Path> fresh = new LinkedHashMap<>();

    /**
     * Files that were opened and not told of yet, by the names that they were made with; below zero the other way
     * round.
     */
    private final Map<Path, Opened> opened = new LinkedHashMap<>();

    /** By folders, a name that a file left last, with the name that it was made with: where it went may come next. */
    private final Map<Path, Left> leaving = new HashMap<>();

    private long drains;
    private boolean overflowed;
    private boolean news;
    private String problem = "";

    private record Opened(int files, long drain) {}

    private record Left(Path name, Path madeAs) {}

    private final Registration registration;

    /** Asks for the events of a folder. */
    interface Registration {
        WatchKey of(Path folder, WatchService service) throws IOException;
    }

    FolderEvents() {
        this((folder, service) ->
                folder.register(service, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_DELETE));
    }

    FolderEvents(Registration registration) {
        this.registration = registration;
    }

    /** Asked of the system once there is something to watch: a user has no more than some 128 of them. */
    private @Nullable WatchService service() {
        if (service == null && !asked) {
            asked = true;
            try {
                service = FileSystems.getDefault().newWatchService();
            } catch (IOException | UnsupportedOperationException e) {
                problem = "the system gives no events of files (" + e.getMessage() + ")";
            }
        }
        return service;
    }

    /** Watches these folders and no others, as far as the system allows it. */
    void watch(Collection<Path> now) {
        WatchService events = now.isEmpty() ? service : service();
        if (events == null) {
            return;
        }
        folders.entrySet().removeIf(entry -> {
            boolean gone = !now.contains(entry.getKey()) || !entry.getValue().isValid();
            if (gone) {
                entry.getValue().cancel();
            }
            return gone;
        });
        refused.retainAll(now);
        for (Path folder : now) {
            if (!folders.containsKey(folder) && folders.size() < MOST_FOLDERS) {
                watch(folder, events);
            }
        }
    }

    private void watch(Path folder, WatchService events) {
        try {
            folders.put(folder, registration.of(folder, events));
            refused.remove(folder);
        } catch (IOException e) {
            if (refused.size() < MOST_NAMES
                    && refused.add(folder)
                    && problem.isEmpty()
                    && folder.toFile().isDirectory()) {
                problem = "the system gives no events of files in some folders (" + e.getMessage()
                        + "; fs.inotify.max_user_watches is the limit of Linux)";
            }
        }
    }

    /** Notes that a new file of a name was opened, so that it is not missing. */
    void opened(Path path) {
        add(path, 1);
    }

    private void add(Path path, int files) {
        if (opened.size() >= MOST_NAMES) {
            opened.remove(opened.keySet().iterator().next());
        }
        opened.merge(path, new Opened(files, drains), (a, b) -> new Opened(a.files + files, drains));
    }

    /**
     * Takes the events that there are.
     *
     * @param asked whether a name is followed
     * @return names of files that came and went since the last time, each as often as it had one
     */
    Map<Path, Integer> vanished(Predicate<Path> asked) {
        WatchService events = service;
        Map<Path, Integer> gone = new LinkedHashMap<>();
        if (events == null) {
            return gone;
        }
        drains++;
        news = false;
        opened.values().removeIf(entry -> drains - entry.drain > DRAINS_KEPT);
        int taken = drain(events, asked, gone);
        for (int round = 1; !leaving.isEmpty() && round < MOST_ROUNDS && taken < MOST_EVENTS_A_DRAIN; round++) {
            Map<Path, Left> before = Map.copyOf(leaving);
            awaitEventsOf(before.keySet(), events);
            taken += drain(events, asked, gone);
            before.forEach((folder, left) -> {
                if (leaving.remove(folder, left)) {
                    gone.merge(left.madeAs, 1, Integer::sum); // nothing came behind it
                }
            });
        }
        fresh.entrySet().removeIf(entry -> {
            boolean there = FileId.status(entry.getKey()).isPresent();
            if (there && asked.test(entry.getValue())) {
                add(entry.getValue(), -1); // it is opened by whoever looks next, or was
            }
            return there;
        });
        return gone;
    }

    private int drain(WatchService events, Predicate<Path> asked, Map<Path, Integer> gone) {
        int taken = 0;
        for (WatchKey key = next(events); key != null; key = taken < MOST_EVENTS_A_DRAIN ? next(events) : null) {
            List<WatchEvent<?>> all = key.pollEvents();
            taken += all.size();
            take((Path) key.watchable(), all, asked, gone);
            key.reset();
        }
        return taken;
    }

    /**
     * Waits until the service has taken over what the system had told of these folders. Both halves of a renaming are
     * told one behind the other, and the service may have had the first alone. It reads what there is before it answers
     * who asks for a folder's events, again or not.
     */
    private void awaitEventsOf(Collection<Path> watched, WatchService events) {
        for (Path folder : watched) {
            if (folders.containsKey(folder)) {
                try {
                    registration.of(folder, events);
                } catch (IOException e) {
                    // the folder is gone, and nothing more comes of it
                }
            }
        }
    }

    private static @Nullable WatchKey next(WatchService events) {
        try {
            return events.poll();
        } catch (ClosedWatchServiceException e) {
            return null;
        }
    }

    private void take(Path folder, List<WatchEvent<?>> all, Predicate<Path> asked, Map<Path, Integer> gone) {
        Left before = leaving.remove(folder);
        Path left = before == null ? null : before.name; // its file has another one, if the next event gives one
        boolean renaming = before != null;
        Path leftAs = before == null ? null : before.madeAs;
        for (WatchEvent<?> event : all) {
            if (event.kind() == StandardWatchEventKinds.OVERFLOW || !(event.context() instanceof Path name)) {
                overflowed = true;
                news = true;
                fresh.clear();
                renaming = false;
                leftAs = null;
                continue;
            }
            Path path = folder.resolve(name);
            news = news || asked.test(path);
            if (event.kind() == StandardWatchEventKinds.ENTRY_CREATE) {
                if (renaming && !path.equals(left)) {
                    if (leftAs != null) {
                        put(path, asked.test(leftAs) ? leftAs : path);
                    }
                } else {
                    count(renaming, leftAs, asked, gone);
                    put(path, path);
                }
                renaming = false;
                continue;
            }
            count(renaming, leftAs, asked, gone);
            renaming = true;
            left = path;
            leftAs = fresh.remove(path);
        }
        if (renaming && left != null && leftAs != null && asked.test(leftAs)) {
            leaving.put(folder, new Left(left, leftAs));
        }
    }

    private void put(Path path, Path madeAs) {
        if (fresh.size() < MOST_NAMES) {
            fresh.put(path, madeAs);
        }
    }

    private static void count(boolean left, @Nullable Path madeAs, Predicate<Path> asked, Map<Path, Integer> gone) {
        if (left && madeAs != null && asked.test(madeAs)) {
            gone.merge(madeAs, 1, Integer::sum);
        }
    }

    /** Number of files that came and went under a name and were never opened; one that was opened counts once. */
    int missing(Path path, int vanished) {
        Opened found = opened.get(path);
        int files = found == null ? 0 : Math.max(0, found.files);
        int read = Math.min(files, vanished);
        if (read > 0) {
            add(path, -read);
        }
        return vanished - read;
    }

    /** Tells if a followed name came or went in the events that were taken last, or if events were lost then. */
    boolean hasNews() {
        return news;
    }

    /** Tells if more events came than the system keeps, so that some were lost, since this was asked last. */
    boolean overflowed() {
        boolean was = overflowed;
        overflowed = false;
        return was;
    }

    /** Why there are no events, or not of all folders, since this was asked last; empty if there are. */
    String problem() {
        String now = problem;
        problem = "";
        return now;
    }

    /** A part of the line of status; empty if all folders are watched. */
    String describe() {
        if (asked && service == null) {
            return ", without file events";
        }
        return refused.isEmpty() ? "" : ", without file events of " + refused.size() + " folders";
    }

    @Override
    public void close() {
        try {
            WatchService events = service;
            if (events != null) {
                events.close();
            }
        } catch (IOException e) {
            // nothing is written
        }
    }
}
