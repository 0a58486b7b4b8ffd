package dev.veilgate.agent.follow;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Follows what a name stands for, one file after the other. A file that was renamed away is read to its end before the next; it is then
 * looked at for a while, since its writer may not have noticed. Of a file that was cut, the rest is read in the copy that was made before. Whatever
 * else appears among the names to which rotation moves came and went between two looks, and is read whole.
 */
final class PathFollower implements AutoCloseable {
    /** What a source's followers share. */
    record Shared(
            Lane lane,
            LineReader reader,
            Positions positions,
            KnownFiles known,
            LeftOutFiles leftOut,
            FolderNames folders,
            Duration linger,
            boolean fromEnd) {}

    /** Of a family that is being rotated. */
    private static final int MAX_LOOKS = 6;

    private record Lingering(FollowedFile file, long sinceNanos) {}

    private final Path path;
    private final FileFamily family;
    private final Shared shared;
    private final Deque<FollowedFile> queue = new ArrayDeque<>();
    private final List<Lingering> lingering = new ArrayList<>();
    private @Nullable FileTime lastModified;
    private @Nullable FileTime folderModified;

    PathFollower(Path path, Shared shared) {
        this.path = path;
        this.family = new FileFamily(path, shared.folders());
        this.shared = shared;
    }

    Path path() {
        return path;
    }

    /** Whether there is nothing to follow under this name. */
    boolean isIdle() {
        return queue.isEmpty() && lingering.isEmpty();
    }

    FileFamily family() {
        return family;
    }

    /** The file that may be copied. */
    Optional<FollowedFile> current() {
        return Optional.ofNullable(queue.peekLast());
    }

    /** Begins with a name that was never followed: what was rotated away already is not read. */
    void begin(boolean atStart) {
        String own = path.toString();
        boolean first = shared.positions.of(own).isEmpty();
        FileFamily.Snapshot there = family.look();
        for (int i = 1; first && !passOver(there) && i < MAX_LOOKS; i++) {
            there = family.look(); // one was renamed meanwhile
        }
        adopt(there.base(), atStart && shared.fromEnd);
    }

    private boolean passOver(FileFamily.Snapshot there) {
        boolean all = true;
        for (FileFamily.Member member : there.members()) {
            all &= shared.known.passOver(path.toString(), member);
        }
        return all;
    }

    /** Goes on with a file that was taken to have gone. */
    void goOn(FilePosition at) {
        try {
            FollowedFile file = FollowedFile.open(path, shared.lane, at);
            if (file != null) {
                enqueue(file);
            }
        } catch (IOException e) {
            // gone again: looked at again
        }
    }

    /** Takes up what was followed before the agent stopped. */
    void resume(List<FilePosition> before, RecordSink sink) throws IOException, InterruptedException {
        before.forEach(at -> shared.positions.remove(at.id()));
        for (FilePosition at : before) {
            if (at.offset() == 0) {
                continue; // nothing was read of it: found again as what is new
            }
            FollowedFile found = locate(at);
            if (found == null) {
                sink.notice("a file that was not read to its end is gone");
                continue;
            }
            shared.positions.put(found.position());
            queue.add(found);
        }
        takeNew();
    }

    /** A file where it was, where it was moved to, or in the copy that was made before it was cut; the copy is looked for once the cut is seen. */
    private @Nullable FollowedFile locate(FilePosition at) throws IOException {
        FollowedFile found = FamilyLook.settled(family, shared, look -> look.find(at));
        return found != null ? found : FamilyLook.settled(family, shared, look -> look.findCopy(at));
    }

    /**
     * Queues what came among the names of rotation, in the order of its last writing, and then what has the name now. Nothing if what is followed
     * was cut: it goes on in its copy first.
     */
    private void takeNew() throws IOException {
        try {
            FamilyLook.settled(family, shared, look -> {
                takeNew(look);
                return look;
            });
        } catch (CutException e) {
            lookAgain();
        }
    }

    private void lookAgain() {
        lastModified = null;
        folderModified = null;
    }

    private void takeNew(FamilyLook look) throws IOException {
        FileFamily.Snapshot there = look.there();
        shared.known.forgetGone(path.toString(), there);
        FollowedFile last = queue.peekLast();
        boolean named = last != null
                && there.base().map(now -> now.id().equals(last.id())).orElse(false);
        // if nothing of it was read, it may have been copied and cut meanwhile: it takes its place among the new ones
        boolean unread = last != null && last.offset() == 0 && (named || contains(there.members(), last.id()));
        FollowedFile base = named && !unread ? last : look.openBase(unread ? last : null);
        List<FollowedFile> opened;
        try {
            opened = look.openNew(base, unread ? last : null);
        } catch (IOException e) {
            if (base != null && base != last) {
                base.close();
            }
            throw e;
        }
        if (base == last || unread) {
            queue.pollLast();
        }
        if (unread && !named && isEmpty(there.members(), last.id())) {
            lingering.add(new Lingering(last, System.nanoTime())); // renamed away; its writer may not have noticed
        } else if (unread) {
            shared.positions.remove(last.id());
            last.close();
        }
        opened.forEach(this::enqueue);
        if (base != null && base == last) {
            queue.addLast(base);
        } else if (base != null) {
            enqueue(base);
        }
    }

    /** Whether a file of which nothing was read is what comes next: had it been copied and cut meanwhile, that would be its copy. */
    private boolean isNext(FollowedFile file) throws IOException {
        try {
            return FamilyLook.settled(family, shared, look -> {
                List<FollowedFile> before = look.openNew(file, file);
                before.forEach(FollowedFile::close);
                return before.isEmpty();
            });
        } catch (CutException e) {
            return false;
        }
    }

    private static boolean contains(List<FileFamily.Member> members, FileId id) {
        return members.stream().anyMatch(member -> member.status().id().equals(id));
    }

    private static boolean isEmpty(List<FileFamily.Member> members, FileId id) {
        return members.stream()
                .anyMatch(member ->
                        member.status().id().equals(id) && member.status().size() == 0);
    }

    private void enqueue(FollowedFile file) {
        queue.add(file);
        shared.positions.put(file.position());
    }

    /**
     * Follows the file that has the name, unless it is followed under another.
     *
     * @param now seen together with the members: a later one may have another before it that was not seen
     */
    private void adopt(Optional<FileId.Status> now, boolean fromEnd) {
        try {
            if (now.isEmpty() || shared.known.isKnown(path, now.get())) {
                return;
            }
            FilePosition start = FilePosition.start(path.toString(), now.get().id());
            FollowedFile file = FollowedFile.open(path, shared.lane, fromEnd ? LastLine.position(path, start) : start);
            if (file != null) {
                enqueue(file);
            }
        } catch (IOException e) {
            // gone meanwhile: looked at again
        }
    }

    /** Reads what is new. Whether there was something. */
    boolean poll(RecordSink sink) throws IOException, InterruptedException {
        boolean some = pollLingering(sink);
        FollowedFile first = queue.peekFirst();
        if (first == null) {
            if (FileId.status(path).isPresent()) {
                takeNew();
            }
            return some | !queue.isEmpty();
        }
        if (first.offset() == 0 && queue.size() == 1 && look()) {
            return true;
        }
        first = queue.peekFirst();
        if (first == null) {
            return some;
        }
        Optional<FileId.Status> now = FileId.status(path);
        boolean named = now.isPresent() && now.get().id().equals(first.id());
        FileTime modified = now.map(FileId.Status::modified).orElse(null);
        boolean unchanged = named && modified.equals(lastModified) && now.get().size() >= first.offset();
        lastModified = FileId.telling(modified);
        if (!unchanged && first.wasTruncated()) {
            truncated(first, sink);
            return true;
        }
        FollowedFile beginning = first;
        FollowedFile.Read read = first.read(shared.reader, sink, () -> !named || isNext(beginning));
        if (read == FollowedFile.Read.CUT) {
            lookAgain();
        }
        if (read != FollowedFile.Read.NOTHING) {
            return true;
        }
        if (queue.size() > 1 || !named) { // it was renamed before it was read to its end, so this is the end
            queue.removeFirst();
            lingering.add(new Lingering(first, System.nanoTime()));
            if (queue.isEmpty()) {
                takeNew();
            }
            return true;
        }
        return some | look();
    }

    /** Looks for what came and went, when names in the folder have changed. */
    private boolean look() throws IOException {
        Path folder = path.toAbsolutePath().getParent();
        FileTime modified = FileId.modified(folder);
        if (modified == null || modified.equals(folderModified)) {
            return false;
        }
        folderModified = FileId.telling(modified);
        takeNew();
        return queue.size() > 1;
    }

    /** The file was cut after it was copied: goes on in the copy, then at its beginning. */
    private void truncated(FollowedFile file, RecordSink sink) throws IOException, InterruptedException {
        sink.settle();
        FilePosition at = file.position();
        queue.removeFirst();
        shared.positions.remove(file.id());
        Deque<FollowedFile> later = new ArrayDeque<>(queue);
        queue.clear();
        FollowedFile copy = at.offset() > 0 ? FamilyLook.settled(family, shared, look -> look.findCopy(at)) : null;
        if (copy != null) {
            enqueue(copy);
        } else if (file.unread() > 0) {
            sink.lost("truncated-file", 1, file.unread());
        }
        file.close();
        for (FollowedFile next : later) {
            queue.add(next);
            shared.positions.putLast(next.id()); // after a crash it is read behind the copy
        }
        takeNew();
    }

    private boolean pollLingering(RecordSink sink) throws IOException, InterruptedException {
        boolean some = false;
        for (Iterator<Lingering> i = lingering.iterator(); i.hasNext(); ) {
            Lingering old = i.next();
            if (!old.file.wasTruncated()) {
                some |= old.file.read(shared.reader, sink) == FollowedFile.Read.SOME;
            }
            if (System.nanoTime() - old.sinceNanos >= shared.linger.toNanos()) {
                i.remove();
                old.file.finish(shared.reader, sink);
                sink.settle();
                shared.positions.put(old.file.position().finished());
                old.file.close();
            }
        }
        return some;
    }

    /** Reads all to the end, last lines without line feed included. */
    void finish(RecordSink sink) throws IOException, InterruptedException {
        while (poll(sink)) {
            // whatever there is
        }
        for (Lingering old : lingering) {
            old.file.finish(shared.reader, sink);
        }
        for (FollowedFile file : queue) {
            file.finish(shared.reader, sink);
        }
        sink.settle();
    }

    @Override
    public void close() {
        lingering.forEach(old -> old.file.close());
        queue.forEach(FollowedFile::close);
    }
}
