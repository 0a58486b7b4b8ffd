package dev.veilgate.archive.store;

import dev.veilgate.files.DurableFiles;
import dev.veilgate.sse.BlobName;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Removal of objects that no manifest names, in two phases: they are moved to a folder of the day in the trash, and
 * seven days later by the folder's own clock they go. In the trash they can be read and restored. Any number of
 * sweeps, readers and writers may run at once; a sweep that is interrupted is gone on with by the next one.
 *
 * <p>A sweep that stood still with an old set of names moves what a newer manifest names. Such an object is moved back
 * by the next sweep, and by a writer that looks for it when its manifest stands, as each does.
 */
public final class ObjectSweep {
    /** Younger objects may be named by a manifest that is being written. */
    private static final Duration YOUNG = Duration.ofHours(1);

    private static final int DAYS_IN_TRASH = 7;

    /** A sweep that takes longer ends: the computer may have slept, and the names are old. */
    private static final Duration LONGEST = Duration.ofMinutes(10);

    /**
     * Objects that a sweep handled.
     *
     * @param trashed  moved to the trash
     * @param restored moved back
     * @param removed  removed from the trash
     * @param complete false if it ended before it was through, and the next one goes on
     */
    public record Swept(int trashed, int restored, int removed, boolean complete) {}

    private final Filesystem files;
    private final ObjectPlaces places;
    private final InstantSource clock;
    private final Instant begin;
    private final Instant now;
    private final LocalDate today;
    private final Set<Path> changed = new LinkedHashSet<>();
    private int trashed;
    private int restored;
    private int removed;
    private int young;

    private ObjectSweep(Filesystem files, Path folder, InstantSource clock) throws IOException {
        this.files = files;
        this.clock = clock;
        places = new ObjectPlaces(files, folder);
        begin = clock.instant();
        now = places.now();
        today = LocalDate.ofInstant(now, ZoneOffset.UTC);
    }

    /**
     * Begins a sweep. The names are read after this: then what was moved to the trash seven days before is named by
     * no manifest that was there for seven days.
     *
     * @param folder the folder of the objects
     */
    public static ObjectSweep begin(Path folder) throws IOException {
        return begin(new SystemFiles(), folder.toAbsolutePath(), InstantSource.system());
    }

    static ObjectSweep begin(Filesystem files, Path folder, InstantSource clock) throws IOException {
        return new ObjectSweep(files, folder, clock);
    }

    /**
     * Sweeps, once.
     *
     * @param named all that the newest manifest names, read since this was begun
     */
    public Swept sweep(Set<BlobName> named) throws IOException {
        return end(emptyTrash(named, today.minusDays(DAYS_IN_TRASH)) && fillTrash(named));
    }

    /**
     * Sweeps, once, and removes all that is in the trash, whatever its day: then nobody can search by an older manifest
     * than the newest.
     *
     * @param named all that the newest manifest names, read since this was begun
     */
    public Swept purge(Set<BlobName> named) throws IOException {
        return end(fillTrash(named) && emptyTrash(named, LocalDate.MAX));
    }

    /** Objects that no manifest names, and are too young to be swept. */
    public int young() {
        return young;
    }

    private Swept end(boolean complete) throws IOException {
        if (!changed.isEmpty()) {
            changed.add(places.folder());
        }
        for (Path folder : changed) {
            forceIfThere(folder);
        }
        if (complete) {
            Leftovers.remove(files, places.folder(), ObjectPlaces.ASIDE, now);
        }
        return new Swept(trashed, restored, removed, complete);
    }

    private boolean isLate() {
        Duration taken = Duration.between(begin, clock.instant()).abs();
        return taken.compareTo(LONGEST) > 0;
    }

    private boolean emptyTrash(Set<BlobName> named, LocalDate before) throws IOException {
        for (LocalDate day : places.days()) {
            boolean old = day.isBefore(before);
            Path folder = places.trash(day);
            for (BlobName name : places.inTrash(day)) {
                if (isLate()) {
                    return false;
                }
                Path file = folder.resolve(name.value());
                if (named.contains(name)) {
                    restored += move(file, places.place(name));
                } else if (old) {
                    files.delete(file);
                    changed.add(folder);
                    removed++;
                }
            }
            if (old) {
                files.deleteFolder(folder);
            }
        }
        return true;
    }

    private boolean fillTrash(Set<BlobName> named) throws IOException {
        for (BlobName name : places.inPlace()) {
            if (named.contains(name)) {
                continue;
            }
            for (Path file : new Path[] {places.place(name), places.olderPlace(name)}) {
                if (isLate()) {
                    return false;
                }
                Optional<Filesystem.Entry> entry = files.look(file);
                if (entry.isPresent() && entry.get().changed().isAfter(now.minus(YOUNG))) {
                    young++;
                } else if (entry.isPresent()) {
                    files.createFolder(places.trash());
                    trashed += move(file, places.trash(today).resolve(name.value()));
                }
            }
        }
        return true;
    }

    /** The number of files that were moved: 0 if another process was faster. */
    private int move(Path from, Path to) throws IOException {
        Path folder = DurableFiles.folderOf(to);
        files.createFolder(folder);
        try {
            files.rename(from, to);
        } catch (NoSuchFileException e) {
            return 0;
        }
        changed.add(folder);
        changed.add(DurableFiles.folderOf(folder));
        changed.add(DurableFiles.folderOf(from));
        return 1;
    }

    private void forceIfThere(Path folder) throws IOException {
        try {
            files.force(folder);
        } catch (NoSuchFileException e) {
            // another sweep removed it when it was empty
        }
    }
}
