package dev.veilgate.agent.follow;

import dev.veilgate.agent.paths.FileAccess;
import dev.veilgate.agent.paths.FileNames;
import dev.veilgate.agent.paths.LinkRule;
import dev.veilgate.agent.paths.Refusal;
import dev.veilgate.agent.paths.RefusedFileException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The files of logs, as far as they may be read. A name whose file was refused is as good as free until it is asked
 * again, which is in half a minute, or until it stands for another file. For one thread.
 */
final class LogFiles {
    private static final long ASKED_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long TARGET_KEPT_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final int MOST = 1 << 14;
    private static final FileId NO_FILE = new FileId(0, 0, 0);

    private record Name(Path path, FileId id) {}

    private record Led(FileId id, FileAccess.Target to, long sinceNanos) {}

    private record Refused(FileId id, long sinceNanos) {}

    private record Unsaid(Path path, Refusal refusal) {}

    private final FileAccess access;
    private final Map<Path, Led> targets = new LinkedHashMap<>();
    private final Map<Path, Refused> refused = new LinkedHashMap<>();
    private final Set<Name> known = new LinkedHashSet<>();
    /** Length of the data of files that end with zeros, by what the files were when they were searched. */
    private final Map<FileId.Status, Long> dataEnds = new LinkedHashMap<>();

    private final List<Unsaid> unsaid = new ArrayList<>();

    LogFiles(FileAccess access) {
        this.access = access;
    }

    /** The status of a regular file, links followed; empty if there is none, or it was refused. */
    Optional<FileId.Status> status(Path path) {
        Optional<FileId.Status> status = FileId.status(path);
        return status.isPresent() && isRefused(path, status.get().id()) ? Optional.empty() : status;
    }

    private boolean isRefused(Path path, FileId id) {
        Refused entry = refused.get(path);
        if (entry == null) {
            return false;
        }
        boolean still = entry.id.equals(id) && System.nanoTime() - entry.sinceNanos < ASKED_AGAIN_NANOS;
        if (!still) {
            refused.remove(path);
        }
        return still;
    }

    /**
     * Opens a name for reading if it may be read and this is still the file behind it: between the look at a name and
     * its opening a rotation may have given it to another file.
     *
     * @throws RefusedFileException              if it may not be read
     * @throws java.nio.file.NoSuchFileException if it is another one
     */
    FileChannel open(Path name, FileId id) throws IOException {
        try {
            return access.open(name, (file, held) -> {
                FileId now = file.born() != 0
                        ? new FileId(file.device(), file.number(), file.born())
                        : FileId.status(held).map(FileId.Status::id).orElse(null);
                return now != null && id.mayBe(now);
            });
        } catch (RefusedFileException e) {
            refuse(name, id, e.refusal());
            throw e;
        }
    }

    /**
     * Where the data of a file ends: behind it are zeros alone.
     *
     * @param least a place up to which there is data
     * @throws IOException as {@link #open}
     */
    long dataEnd(Path name, FileId.Status status, long least) throws IOException {
        Long before = dataEnds.get(status);
        if (before != null) {
            return before;
        }
        try (FileChannel file = open(name, status.id())) {
            return dataEnd(file, status, least);
        }
    }

    /** As {@link #dataEnd(Path, FileId.Status, long)}, of a file that is open. */
    long dataEnd(FileChannel file, FileId.Status status, long least) throws IOException {
        if (status.size() <= least || !DataEnd.isZeroAt(file, status.size() - 1)) {
            return status.size();
        }
        Long before = dataEnds.get(status);
        if (before != null) {
            return before;
        }
        long end = DataEnd.search(file, status.size(), least);
        if (FileId.telling(status.modified()) != null) {
            dropOldest(dataEnds.keySet());
            dataEnds.put(status, end);
        }
        return end;
    }

    /** Whether a file may be read, and is there still. */
    boolean mayRead(Path name, FileId.Status status) {
        try {
            access.require(name);
            return true;
        } catch (RefusedFileException e) {
            refuse(name, status.id(), e.refusal());
            return false;
        } catch (IOException e) {
            return false; // gone, or not ours to see
        }
    }

    /** Notes that something was asked for that is no file. */
    void isNoFile(Path path) {
        refuse(path, NO_FILE, Refusal.NOT_A_FILE);
    }

    /** Tells if files are looked for in the folder to which a link leads. */
    boolean mayEnter(Path link) {
        try {
            access.requireFolder(link);
            return true;
        } catch (RefusedFileException e) {
            refuse(link, NO_FILE, e.refusal());
            return false;
        } catch (IOException e) {
            return false; // gone, or not ours to see
        }
    }

    /** To where a name leads, if it is a link that may be followed; empty if not. */
    Optional<FileAccess.Target> target(Path name) {
        Optional<FileId.Status> now = Files.isSymbolicLink(name) ? status(name) : Optional.empty();
        if (now.isEmpty()) {
            return Optional.empty();
        }
        FileId id = now.get().id();
        Led before = targets.get(name);
        if (before != null && before.id.equals(id) && System.nanoTime() - before.sinceNanos < TARGET_KEPT_NANOS) {
            return Optional.of(before.to);
        }
        try {
            FileAccess.Target target = access.target(name);
            targets.remove(name);
            dropOldest(targets.keySet());
            targets.put(name, new Led(id, target, System.nanoTime()));
            return Optional.of(target);
        } catch (IOException e) {
            return Optional.empty(); // not there now, or refused, which is said when it is opened
        }
    }

    /**
     * The status of a file in a folder where only some user's files may be read.
     *
     * @param readable whose, or {@link LinkRule#ANYBODY}
     */
    Optional<FileId.Status> statusIn(Path folder, Path path, int readable) {
        Optional<FileId.Status> status = status(path);
        if (status.isEmpty() || access.isReadableIn(folder, status.get().owner(), readable)) {
            return status;
        }
        refuse(path, status.get().id(), Refusal.FOREIGN_PLACE);
        return Optional.empty();
    }

    private void refuse(Path path, FileId id, Refusal refusal) {
        dropOldest(refused.keySet());
        refused.put(path, new Refused(id, System.nanoTime()));
        Name name = new Name(path, id);
        if (!known.contains(name)) {
            dropOldest(known);
            known.add(name);
            unsaid.add(new Unsaid(path, refusal));
        }
    }

    private static void dropOldest(Set<?> from) {
        if (from.size() >= MOST) {
            from.remove(from.iterator().next());
        }
    }

    /** Names that stand for files that were refused in the last minute. */
    int refused() {
        long now = System.nanoTime();
        refused.values().removeIf(entry -> now - entry.sinceNanos > 2 * ASKED_AGAIN_NANOS);
        return refused.size();
    }

    /** Says what was refused since the last report. */
    void report(RecordSink sink) {
        unsaid.forEach(file -> sink.refused(FileNames.shown(file.path), file.refusal));
        unsaid.clear();
    }
}
