package dev.veilgate.agent.follow;

import dev.veilgate.agent.paths.FileNames;
import dev.veilgate.files.DurableFiles;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Follows what a name stands for, one file after the other. A file that was renamed away is read to its end before
 * the next; it is then
 * looked at for a while, since its writer may not have noticed. Of a file that was cut, the rest is read in the copy
 * that was made before. Whatever
 * else appears among the names to which rotation moves, and is not followed under that name itself, came and went
 * between two looks, and is read whole.
 */
final class PathFollower implements AutoCloseable {
    /**
     * What a source's followers share.
     *
     * @param hasFollower whether a path is followed under its own name, whatever name of rotation it may be as well
     * @param open        what is open of logs that are one by their names, as that of a rotated file that is followed
     *                    itself is
     * @param newcomers   says where a file begins that is not known
     */
    record Shared(
            Lane lane,
            LogFiles files,
            LineReader reader,
            Positions positions,
            KnownFiles known,
            LeftOutFiles leftOut,
            RotationFolders folders,
            Looks looks,
            FolderEvents events,
            Predicate<Path> hasFollower,
            Function<FileFamily, List<FollowedFile>> open,
            Newcomers newcomers,
            Duration linger,
            boolean fromEnd) {}

    /** Compares a file that is not known with what others follow. */
    @FunctionalInterface
    interface Newcomers {
        /**
         * Where to begin.
         *
         * @param sink what it has accepted is sealed first, if the place is behind that
         * @return the file's beginning, or behind what was read of it before it got this name; null if it is the copy
         *             that is made of a file that is followed before that is cut
         */
        @Nullable
        FilePosition begin(Path path, FileId.Status status, RecordSink sink) throws IOException, InterruptedException;
    }

    /** Of a family that is being rotated. */
    private static final int MAX_LOOKS = 6;

    private final Path path;
    /** The path as text. */
    private final String name;

    private final FileFamily family;
    private final Shared shared;
    private final Deque<FollowedFile> queue = new ArrayDeque<>();
    private final LateFiles late;
    private @Nullable FileTime lastModified;
    private @Nullable FileTime folderModified;
    private List<Optional<FileTime>> othersModified = List.of();
    /** What was written last before that was seen. */
    private Instant since;
    /** Of names, when nothing can have come between what was there and what was open. */
    private long lookedNanos;
    /** Whether it was asked to look at all names, and has not done so since. */
    private boolean toLook;
    /** When there was something to read last; 0 if never. */
    private long readNanos;
    /** The file that had the name last. */
    private @Nullable FollowedFile latest;
    /** Whether there is a compressed file that is not whole yet. */
    private boolean unfinished;
    /** Files of which nothing was read before the agent stopped, and which have no name now. */
    private int unreadAndGone;
    /** Of which it was said that it may be repeated. */
    private @Nullable FileId edited;

    PathFollower(Path path, Shared shared) {
        this.path = path;
        this.name = FileNames.text(path);
        this.family = new FileFamily(path, shared.folders());
        this.shared = shared;
        this.late = new LateFiles(name, shared);
        this.since = shared.looks().scanned();
        this.lookedNanos = shared.looks().nanoTime();
    }

    Path path() {
        return path;
    }

    /** Whether there is nothing to follow under this name. */
    boolean isIdle() {
        return queue.isEmpty() && late.isEmpty();
    }

    FileFamily family() {
        return family;
    }

    /** The file that may be copied. */
    Optional<FollowedFile> current() {
        return Optional.ofNullable(queue.peekLast());
    }

    /** The file that has the name now, if it is the one that is read; not one that was rotated away. */
    Optional<FollowedFile> named() {
        FollowedFile last = queue.peekLast();
        return last == null
                ? Optional.empty()
                : shared.files
                        .status(path)
                        .filter(now -> now.id().equals(last.id()))
                        .map(now -> last);
    }

    /** Begins at the first start of all: what was rotated away already is not read. */
    void beginAtFirstStart() {
        since = Looks.now();
        FileFamily.Snapshot there = family.look();
        for (int i = 1; !passOver(there) && i < MAX_LOOKS; i++) {
            there = family.look(); // one was renamed meanwhile
        }
        adopt(there.base(), shared.fromEnd);
    }

    /** Begins with a name that appeared since: what was rotated away before this look is read too. */
    void begin(RecordSink sink) throws IOException, InterruptedException {
        int compressed = takeNew(sink);
        for (int missing = unreadAndGone - compressed; missing > 0; missing--) {
            sink.lost("missing-file", FileNames.shown(name), 0, 0);
        }
        unreadAndGone = 0;
    }

    private boolean passOver(FileFamily.Snapshot there) {
        boolean all = true;
        for (FileFamily.Member member : there.members()) {
            all &= member.elsewhere() || shared.hasFollower.test(member.path()) || shared.known.passOver(name, member);
        }
        return all;
    }

    /** Takes up again what was read to its end under a name of rotation and has more now, since its writer was late. */
    void takeLate(RecordSink sink) throws IOException, InterruptedException {
        if (unfinished) {
            takeNew(sink);
            return;
        }
        if (shared.positions.of(name).stream().noneMatch(FilePosition::done)) {
            return;
        }
        if (family.members().stream().anyMatch(this::isLate)) {
            takeNew(sink);
        }
    }

    private boolean isLate(FileFamily.Member member) {
        try {
            return shared.known.hasGrown(member.path(), member.status()) && !shared.hasFollower.test(member.path());
        } catch (IOException e) {
            return false; // renamed meanwhile, or not ours to read: looked at again
        }
    }

    /** Goes on with a file that was taken to have gone. */
    void goOn(FilePosition at) {
        try {
            FollowedFile file = FollowedFile.open(shared.files, path, shared.lane, at);
            if (file != null) {
                enqueue(file);
                latest = file;
            }
        } catch (IOException e) {
            // gone again: looked at again
        }
    }

    /**
     * Takes up what was followed before the agent stopped. What came since is looked for by {@link #begin}, once all
     * have taken up theirs: a new file may be the copy of another log's.
     */
    void resume(List<FilePosition> before, RecordSink sink) throws IOException, InterruptedException {
        before.forEach(shared.known::takeUp);
        since = sinceLastRun(before);
        shared.looks().takeUp(before);
        for (FilePosition at : before) {
            if (at.offset() == 0 && FamilyLook.settled(family, shared, look -> look.mayBeThere(at.id()))) {
                continue; // nothing was read of it: found again as what is new
            }
            if (at.offset() == 0) {
                unreadAndGone++; // if it was compressed, it is found as what is new
                continue;
            }
            FollowedFile found = locate(at, before, sink);
            if (found != null) {
                shared.positions.put(found.position());
                queue.add(found);
                latest = found;
                continue;
            }
            sink.lost(
                    "missing-file", FileNames.shown(at.path()), 0, 0); // whether there was more to read nobody can know
            shared.positions.put(at.finished()); // it may be found in a folder that is not known yet
            FileId.Status now = shared.files.status(path).orElse(null);
            if (now != null && shared.known.isSame(path, at.in(now.id()))) { // too little to tell a copy from a new log
                sink.repeated(FileNames.shown(at.path()), at.offset());
            }
        }
    }

    /**
     * Since when files may have come that were not seen; if the last run did not note it, since those were made that
     * were followed.
     */
    private Instant sinceLastRun(List<FilePosition> before) {
        Instant noted = shared.looks().lastRun();
        if (noted != null) {
            return noted;
        }
        Instant least = since;
        for (FilePosition at : before) {
            Instant made = at.id().isOfUnknownAge() ? since : at.id().made();
            least = made.isBefore(least) ? made : least;
        }
        return least;
    }

    /**
     * A file where it was, where it was moved to, or in the copy that was made before it was cut, which is looked for
     * once the cut is seen; then in what has its name and begins with what was
     * read, and in what was compressed, with those that were compressed after it.
     *
     * @param before where all files of this name stood
     */
    private @Nullable FollowedFile locate(FilePosition at, List<FilePosition> before, RecordSink sink)
            throws IOException, InterruptedException {
        FollowedFile found = null;
        for (FileFamily each :
                family.withOrigins()) { // what was followed under a name of rotation may be moved on at this moment
            found = found != null ? found : lookedFor(each, look -> look.find(at));
        }
        if (found == null) {
            found = lookedFor(family, look -> look.findCopy(at));
        }
        boolean ageKnown = !at.id().isOfUnknownAge();
        if (found == null && ageKnown) { // what was compressed since it was made is not mistaken for an older one
            found = unpacked(at, sink);
        }
        if (found == null) {
            found = lookedFor(family, look -> {
                boolean ofAnother = before.stream().anyMatch(other -> look.mayBeBase(other.id()));
                return ofAnother ? null : look.findReplacement(at);
            });
        }
        return found != null || ageKnown ? found : unpacked(at, sink);
    }

    /** Looks for a file; null if there is none. */
    private interface Search {
        @Nullable
        FollowedFile in(FamilyLook look) throws IOException;
    }

    private @Nullable FollowedFile lookedFor(FileFamily where, Search search) throws IOException, InterruptedException {
        return FamilyLook.settled(where, shared, look -> Optional.ofNullable(search.in(look)))
                .orElse(null);
    }

    private @Nullable FollowedFile unpacked(FilePosition at, RecordSink sink) {
        try {
            return compressed().rest(at, sink);
        } catch (IOException e) {
            return null; // no room to unpack it, or not ours to read
        }
    }

    private CompressedRest compressed() {
        return new CompressedRest(family, shared);
    }

    /**
     * Queues what came among the names of rotation, in the order of its last writing, and then what has the name now.
     * Nothing if what is followed
     * was cut: it goes on in its copy first.
     *
     * @return how many compressed files were new
     */
    private int takeNew(RecordSink sink) throws IOException, InterruptedException {
        try {
            int taken = FamilyLook.settled(family, shared, look -> mayReplace(look) ? -1 : takeNew(look, sink));
            if (taken < 0) { // positions of what was replaced are those of what was read
                sink.settle();
                taken = FamilyLook.settled(family, shared, look -> takeNew(look, sink));
            }
            lookedNanos = shared.looks().nanoTime();
            toLook = false;
            return taken;
        } catch (CutException e) {
            lookAgain();
            return 0;
        }
    }

    /** Whether a file that is open has gone from all names, while another has this one. */
    private boolean mayReplace(FamilyLook look) {
        Optional<FileId.Status> base = look.there().base();
        return base.isPresent()
                && shared.positions.file(base.get().id()) == null
                && open().stream().anyMatch(file -> file.offset() > 0 && isGone(look, file.id()));
    }

    /**
     * Whether a file has no name of the family any more; what was compressed has another file behind it, not one in
     * its place.
     */
    private boolean isGone(FamilyLook look, FileId id) {
        return !look.isThere(id) && !shared.known.isUnpacked(id);
    }

    List<FollowedFile> open() {
        List<FollowedFile> open = new ArrayList<>(late.files());
        open.addAll(queue);
        return open;
    }

    /** Where files stand that had this name and have none of the family now, the one that was read furthest first. */
    private List<FilePosition> gone(FamilyLook look) {
        return goneEver(look).stream().filter(at -> !at.id().isOfGone()).toList();
    }

    /** As {@link #gone}, with those that have been gone for some time. */
    private List<FilePosition> goneEver(FamilyLook look) {
        Map<FileId, FilePosition> all = new LinkedHashMap<>();
        shared.positions.of(name).forEach(at -> all.put(at.id(), at));
        open().forEach(file -> all.put(file.id(), file.position()));
        return all.values().stream()
                .filter(at -> isGone(look, at.id()))
                .sorted(Comparator.comparingLong(FilePosition::offset).reversed())
                .toList();
    }

    /**
     * Where to go on in a new file that has a name of rotation, if it begins with all that was read of a file that is
     * gone; null if it does not.
     */
    @Nullable
    FilePosition placeIn(Path other, FileId id, RecordSink sink) throws IOException, InterruptedException {
        List<FilePosition> gone = FamilyLook.settled(family, shared, this::gone);
        if (gone.isEmpty()) {
            return null;
        }
        sink.settle(); // positions are those of what was read
        for (FilePosition at : FamilyLook.settled(family, shared, this::gone)) {
            if (at.offset() >= FamilyLook.LEAST_REPLACED_BYTES && shared.known.isSame(other, at.in(id))) {
                return at.in(id).under(FileNames.text(other));
            }
        }
        return null;
    }

    /** What was replaced is read in what has replaced it, as far as both have the same bytes. */
    private void passOn(FollowedFile replacement, FamilyLook look, RecordSink sink) throws IOException {
        for (FollowedFile file : open()) {
            if (isGone(look, file.id()) && file.skipWhatIsIn(replacement)) {
                shared.positions.put(file.position().finished());
            }
        }
        sink.notice("a file was replaced by one that begins with the same bytes; it is read on behind them");
    }

    /** Whether it was told to {@link #lookAgain}, and is still reading what came before. */
    boolean isToLook() {
        return toLook;
    }

    /** Looks at all names once more with the next {@link #poll}, whatever the folders' times say. */
    void lookAgain() {
        toLook = true;
        lastModified = null;
        folderModified = null;
    }

    private int takeNew(FamilyLook seen, RecordSink sink) throws IOException, InterruptedException {
        FamilyLook look = learnFolders(seen) ? seen.again() : seen;
        FileFamily.Snapshot there = look.there();
        FollowedFile last = queue.peekLast();
        boolean named = last != null
                && there.base().map(now -> now.id().equals(last.id())).orElse(false);
        // if nothing of it was read, it may have been copied and cut meanwhile: it takes its place among the new ones
        boolean unread = last != null && last.offset() == 0 && (named || contains(there.members(), last.id()));
        FollowedFile base = named && !unread ? last : look.openBase(unread ? last : null, gone(look), sink);
        List<FollowedFile> opened = List.of();
        CompressedRest.Found packed;
        boolean all = false;
        try {
            List<FollowedFile> rotated = look.openNew(base, unread ? last : null, goneEver(look), since);
            opened = rotated;
            packed = compressed().openNew(since, () -> openWith(base, unread ? last : null, rotated), sink);
            all = true;
        } finally {
            if (!all) {
                opened.forEach(FollowedFile::close);
            }
            if (!all && base != null && base != last) {
                base.close();
            }
        }
        shared.known.miss(name, there, packed.there);
        boolean hole = base != last && mayHaveMissed(look, base, packed);
        if (base == last || unread) {
            queue.pollLast();
        }
        if (unread && !named && isEmpty(there.members(), last.id())) {
            late.add(last); // renamed away; its writer may not have noticed
        } else if (unread) {
            shared.positions.remove(last.id());
            last.close();
        }
        if (hole) {
            shared.events.opened(path); // said already
            sink.lost("missing-file", FileNames.shown(name), 0, 0);
        }
        packed.opened.forEach(this::enqueue);
        opened.forEach(this::enqueue);
        if (base != null && base == last) {
            queue.addLast(base);
        } else if (base != null) {
            if (base.offset() > 0 && shared.positions.file(base.id()) == null) {
                passOn(base, look, sink);
            } else if (base.offset() == 0 && !base.id().equals(edited) && wasEdited(base, look)) {
                edited = base.id();
                sink.repeated(FileNames.shown(name), base.size());
            }
            enqueue(base);
        }
        latest = base != null ? base : latest;
        unfinished = packed.unfinished;
        if (!unfinished && !hasUnread()) {
            since = newest(look, packed);
        }
        return packed.opened.size();
    }

    /** Asks where files are that were moved and are not seen. */
    private boolean learnFolders(FamilyLook look) {
        boolean learned = false;
        for (FollowedFile file : open()) {
            if (!file.isCompressed() && !look.isThere(file.id()) && file.isToBeSearched()) {
                learned |= shared.folders.learn(path, file.id());
            }
        }
        return learned;
    }

    private List<FollowedFile> openWith(
            @Nullable FollowedFile base, @Nullable FollowedFile without, List<FollowedFile> opened) {
        List<FollowedFile> open = new ArrayList<>(shared.open.apply(family));
        open().stream().filter(file -> !open.contains(file)).forEach(open::add);
        open.remove(without);
        open.addAll(opened);
        if (base != null && !open.contains(base)) {
            open.add(base);
        }
        return open;
    }

    /**
     * Whether files may have come and gone while nobody looked: the one that had the name last has no name any more,
     * and was not replaced. What is older goes first in every rotation.
     */
    private boolean mayHaveMissed(FamilyLook look, @Nullable FollowedFile base, CompressedRest.Found packed) {
        FollowedFile before = latest;
        boolean another = base != null && base.offset() == 0 || !packed.opened.isEmpty();
        return before != null
                && another
                && before.offset() > 0
                && shared.looks().since(lookedNanos).compareTo(Looks.OFTEN) > 0
                && !look.isThere(before.id())
                && !shared.known.isUnpacked(before.id())
                && !compressed().has(before.position());
    }

    /** Whether there is anything of which nothing was sealed. */
    private boolean hasUnread() throws IOException {
        for (FollowedFile file : queue) {
            FilePosition at = shared.positions.file(file.id());
            if ((at == null || at.offset() == 0) && file.size() > 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * What was written last before that was seen in a look. File systems of other machines have clocks of their own.
     */
    private static Instant newest(FamilyLook look, CompressedRest.Found packed) {
        Instant newest = packed.newest;
        FileTime base = look.there().base().map(FileId.Status::modified).orElse(null);
        if (base != null && (newest == null || base.toInstant().isAfter(newest))) {
            newest = base.toInstant();
        }
        return newest != null && newest.isBefore(look.begun()) ? newest : look.begun();
    }

    /**
     * Since when files may have come that were not seen.
     *
     * @param now when that is asked
     */
    Instant since(Instant now) throws IOException {
        boolean seen = !unfinished && queue.size() < 2 && !hasUnread() && folderIsUnchanged();
        return seen ? now : since.isBefore(now) ? since : now;
    }

    private boolean folderIsUnchanged() {
        FileTime modified = FileId.modified(DurableFiles.folderOf(path.toAbsolutePath()));
        return modified != null
                && modified.equals(folderModified)
                && family.changesElsewhere().equals(othersModified);
    }

    /** Whether much of a new file was in one that had this name and is gone: it was put in its place with changes. */
    private boolean wasEdited(FollowedFile base, FamilyLook look) throws IOException {
        for (FollowedFile file : open()) {
            if (file != base && isGone(look, file.id()) && base.hasLinesOf(file)) {
                return true;
            }
        }
        for (FilePosition at : gone(look)) {
            if (base.beginsLike(at)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether a file of which nothing was read is what comes next: had it been copied and cut meanwhile, that would
     * be its copy.
     */
    private boolean isNext(FollowedFile file) throws IOException, InterruptedException {
        try {
            return FamilyLook.settled(family, shared, look -> {
                List<FollowedFile> before = look.openNew(file, file, List.of(), since);
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
        shared.events.opened(path);
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
            FilePosition start = FilePosition.start(name, now.get().id());
            FollowedFile file = FollowedFile.open(shared.files, path, shared.lane, fromEnd ? lastLine(start) : start);
            if (file != null) {
                enqueue(file);
                latest = file;
            }
        } catch (IOException e) {
            // gone meanwhile: looked at again
        }
    }

    private FilePosition lastLine(FilePosition start) throws IOException {
        try (FileChannel channel = shared.files.open(path, start.id())) {
            return LastLine.position(channel, start);
        }
    }

    /** Reads what is new. Whether there was something. */
    boolean poll(RecordSink sink) throws IOException, InterruptedException {
        boolean some = late.poll(sink);
        FollowedFile first = queue.peekFirst();
        if (first == null) {
            if (shared.files.status(path).isPresent()) {
                takeNew(sink);
            }
            return some | !queue.isEmpty();
        }
        if (first.offset() == 0 && queue.size() == 1 && look(sink)) {
            return true;
        }
        first = queue.peekFirst();
        if (first == null) {
            return some;
        }
        if (!unpacked(first, sink)) {
            return true;
        }
        Optional<FileId.Status> now = shared.files.status(path);
        boolean named = now.isPresent() && now.get().id().equals(first.id());
        Duration unseen = shared.looks().since(lookedNanos);
        if (named && queue.size() == 1) {
            lookedNanos = shared.looks().nanoTime();
        }
        FileTime modified = now.map(FileId.Status::modified).orElse(null);
        boolean unchanged = named
                && modified != null
                && modified.equals(lastModified)
                && now.get().size() >= first.offset();
        lastModified = FileId.telling(modified);
        if (!unchanged && first.wasTruncated()) {
            truncated(first, unseen, sink);
            return true;
        }
        FollowedFile beginning = first;
        FollowedFile.Read read = first.read(shared.reader, sink, () -> !named || isNext(beginning));
        if (read == FollowedFile.Read.CUT) {
            lookAgain();
        }
        if (read == FollowedFile.Read.SOME) {
            readNanos = shared.looks().nanoTime();
        }
        if (read != FollowedFile.Read.NOTHING) {
            return true;
        }
        if (queue.size() > 1 || !named) { // it was renamed before it was read to its end, so this is the end
            queue.removeFirst();
            if (first.isCompressed()) {
                late.end(first, sink);
            } else {
                late.add(first);
            }
            if (queue.isEmpty()) {
                takeNew(sink);
            }
            return true;
        }
        return some | look(sink);
    }

    /** Unpacks what is to be read next, if it is compressed. Whether it can be read. */
    private boolean unpacked(FollowedFile file, RecordSink sink) throws IOException {
        try {
            file.unpack();
            return true;
        } catch (IOException e) {
            queue.remove(file);
            shared.positions.remove(file.id());
            shared.known.forgetUnpacked(file.id());
            FileId.Status status = file.packedStatus();
            if (e instanceof EOFException && status != null) {
                shared.known.notWhole(status);
                unfinished = true; // it may be made at this moment
            } else {
                shared.known.unpacked(file.id());
                sink.lost("unreadable-file", FileNames.shown(name), 0, file.size());
            }
            file.close();
            return false;
        }
    }

    /** Looks for what came and went, when names in the folder have changed. */
    private boolean look(RecordSink sink) throws IOException, InterruptedException {
        Path folder = DurableFiles.folderOf(path.toAbsolutePath());
        FileTime modified = FileId.modified(folder);
        List<Optional<FileTime>> others = family.changesElsewhere();
        boolean changed = modified != null && !modified.equals(folderModified)
                || others.stream().anyMatch(Optional::isEmpty)
                || !others.equals(othersModified);
        if (!changed) {
            return false;
        }
        folderModified = FileId.telling(modified);
        othersModified = others;
        takeNew(sink);
        return queue.size() > 1;
    }

    /** The file was cut after it was copied: goes on in the copy, then at its beginning. */
    private void truncated(FollowedFile file, Duration unseen, RecordSink sink)
            throws IOException, InterruptedException {
        sink.settle();
        FilePosition at = file.position();
        queue.removeFirst();
        shared.positions.remove(file.id());
        Deque<FollowedFile> later = new ArrayDeque<>(queue);
        queue.clear();
        FollowedFile copy = at.offset() > 0 ? lookedFor(family, look -> look.findCopy(at)) : null;
        if (copy == null && at.offset() > 0) {
            copy = unpacked(at, sink);
        }
        if (copy != null) {
            enqueue(copy);
        } else if (file.unread() > 0) {
            sink.lost("truncated-file", FileNames.shown(name), 1, file.unread());
        } else if (at.offset() > 0 && (unseen.compareTo(Looks.OFTEN) > 0 || isWrittenNow())) {
            // whether there was more nobody can know
            sink.lost("truncated-file", FileNames.shown(name), 0, 0);
        }
        if (copy == null && file.stillHasSomeOf(at)) {
            sink.repeated(FileNames.shown(name), file.size());
        }
        file.close();
        for (FollowedFile next : later) {
            queue.add(next);
            shared.positions.putLast(next.id()); // after a crash it is read behind the copy
        }
        takeNew(sink);
    }

    /** Whether lines came of late, so that some may have come behind the last read. */
    private boolean isWrittenNow() {
        return readNanos != 0 && shared.looks().since(readNanos).compareTo(Looks.OFTEN) < 0;
    }

    /** Hands over what waits in files that have another name by now, or none: they may be gone at the next start. */
    void stop(RecordSink sink) throws IOException, InterruptedException {
        FollowedFile named = named().orElse(null);
        for (FollowedFile file : open()) {
            if (file != named) {
                file.giveWaiting(sink);
            }
        }
    }

    /** Reads all to the end, last lines without line feed included. */
    void finish(RecordSink sink) throws IOException, InterruptedException {
        while (poll(sink)) {
            // whatever there is
        }
        late.finish(sink);
        for (FollowedFile file : queue) {
            file.finish(shared.reader, sink);
        }
        sink.settle();
    }

    @Override
    public void close() {
        late.close();
        queue.forEach(FollowedFile::close);
    }
}
