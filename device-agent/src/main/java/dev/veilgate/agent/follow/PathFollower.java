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
            Lane lane, LineReader reader, Positions positions, KnownFiles known, Duration linger, boolean fromEnd) {}

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
        this.family = new FileFamily(path);
        this.shared = shared;
    }

    Path path() {
        return path;
    }

    /** Whether there is nothing to follow under this name. */
    boolean isIdle() {
        return queue.isEmpty() && lingering.isEmpty();
    }

    /** The file that may be copied. */
    Optional<FollowedFile> current() {
        return Optional.ofNullable(queue.peekLast());
    }

    /** Begins with a name that was never followed: what was rotated away already is not read. */
    void begin(boolean atStart) {
        String own = path.toString();
        boolean first = shared.positions.files().values().stream()
                .noneMatch(position -> position.path().equals(own));
        if (first) {
            family.members().forEach(member -> shared.known.passOver(own, member));
        }
        adopt(atStart && shared.fromEnd);
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

    /** A file where it was, where it was moved to, or in the copy that was made before it was cut. */
    private @Nullable FollowedFile locate(FilePosition at) {
        Optional<FileId.Status> now = FileId.status(path);
        if (now.isPresent() && now.get().id().inode() == at.id().inode()) {
            FollowedFile file = open(path, at.in(now.get().id()));
            if (file != null) {
                return file;
            }
        }
        List<FileFamily.Member> members = family.members();
        for (boolean copies : new boolean[] {false, true}) {
            for (FileFamily.Member member : members) {
                boolean same = member.status().id().inode() == at.id().inode();
                if ((same || copies) && !shared.known.isKnown(member.path(), member.status())) {
                    FollowedFile file =
                            open(member.path(), at.in(member.status().id()));
                    if (file != null) {
                        return file;
                    }
                }
            }
        }
        return null;
    }

    private @Nullable FollowedFile open(Path name, FilePosition at) {
        try {
            return FollowedFile.open(name, shared.lane, at);
        } catch (IOException e) {
            return null; // gone meanwhile, or not ours to read: looked at again
        }
    }

    /** Queues what came among the names of rotation, in the order of its last writing, and then what has the name now. */
    private void takeNew() {
        List<FileFamily.Member> members = family.members();
        shared.known.forgetGone(path.toString(), members);
        Optional<FileId.Status> now = FileId.status(path);
        FollowedFile last = queue.peekLast();
        boolean named = last != null && now.isPresent() && now.get().id().equals(last.id());
        // if nothing of it was read, it may have been copied and cut meanwhile: it takes its place among the new ones
        boolean unread = last != null && last.offset() == 0 && (named || contains(members, last.id()));
        if (last != null && (named || unread)) {
            queue.removeLast();
        }
        if (last != null && unread) {
            shared.positions.remove(last.id());
        }
        for (FileFamily.Member member : members) {
            boolean copy = last != null && named && last.looksLike(member.path(), member.status());
            takeNew(member, copy);
        }
        if (last != null && named && !unread) {
            queue.addLast(last);
            return;
        }
        if (last != null && unread) {
            last.close();
        }
        adopt(false);
    }

    private void takeNew(FileFamily.Member member, boolean copy) {
        FileId id = member.status().id();
        if (!shared.known.isKnown(member.path(), member.status())) {
            if (!copy && member.status().size() > 0) { // an empty one may be a copy that is being made
                follow(member.path(), FilePosition.start(path.toString(), id));
            }
        } else if (shared.known.hasGrown(member.status())) {
            FilePosition done = shared.positions.file(id);
            if (done != null) {
                follow(member.path(), done);
            }
        }
    }

    private static boolean contains(List<FileFamily.Member> members, FileId id) {
        return members.stream().anyMatch(member -> member.status().id().equals(id));
    }

    private void follow(Path name, FilePosition at) {
        FollowedFile file = open(name, at);
        if (file != null) {
            queue.add(file);
            shared.positions.put(file.position());
        }
    }

    /** Follows the file that has the name now, unless it is followed under another. */
    private void adopt(boolean fromEnd) {
        Optional<FileId.Status> now = FileId.status(path);
        if (now.isEmpty() || shared.known.isKnown(path, now.get())) {
            return;
        }
        FilePosition start = FilePosition.start(path.toString(), now.get().id());
        try {
            follow(path, fromEnd ? LastLine.position(path, start) : start);
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
        if ((!named || !modified.equals(lastModified)) && first.wasTruncated()) {
            truncated(first, sink);
            return true;
        }
        lastModified = modified;
        if (first.read(shared.reader, sink)) {
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
    private boolean look() {
        Path folder = path.toAbsolutePath().getParent();
        FileTime modified = FileId.modified(folder);
        if (modified == null || modified.equals(folderModified)) {
            return false;
        }
        folderModified = modified;
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
        boolean copied = false;
        for (FileFamily.Member member : at.offset() > 0 ? family.members() : List.<FileFamily.Member>of()) {
            FileId id = member.status().id();
            if (!copied && !id.equals(file.id()) && !shared.known.isKnown(member.path(), member.status())) {
                follow(member.path(), at.in(id));
                copied = !queue.isEmpty();
            }
        }
        if (!copied && file.unread() > 0) {
            sink.lost("truncated-file", 1, file.unread());
        }
        file.close();
        queue.addAll(later);
        takeNew();
    }

    private boolean pollLingering(RecordSink sink) throws IOException, InterruptedException {
        boolean some = false;
        for (Iterator<Lingering> i = lingering.iterator(); i.hasNext(); ) {
            Lingering old = i.next();
            if (!old.file.wasTruncated()) {
                some |= old.file.read(shared.reader, sink);
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
