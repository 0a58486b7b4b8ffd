package dev.veilgate.agent.follow;

import dev.veilgate.agent.paths.FileNames;
import dev.veilgate.agent.paths.GuardedFiles;
import dev.veilgate.agent.paths.LinkRule;
import dev.veilgate.files.DurableFiles;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Follows all files that match patterns, those included that appear later. */
public final class FileSource implements Source {
    /**
     * What is followed and how.
     *
     * @param patterns       absolute paths, with {@code *}, {@code **}, {@code ?}, {@code [...]} and <code>{...}</code>
     * @param exclude        patterns of names or paths that are not followed
     * @param fromEnd        files that are there at the first start are followed from their last line on
     * @param maxRecordBytes a longer line becomes several records
     * @param linger         how long a file that was renamed away is looked at
     * @param maxFiles       most files at a time
     * @param rule           which files are never read, and which links are followed
     */
    public record Options(
            List<String> patterns,
            List<String> exclude,
            boolean fromEnd,
            int maxRecordBytes,
            Duration linger,
            int maxFiles,
            LinkRule rule) {}

    private static final long SCAN_NANOS = 200_000_000;
    private static final int MOST_MISSING_SAID = 16;
    private static final long FIRST_SCAN = Long.MIN_VALUE;

    private final List<Glob> globs;
    private final List<PathMatcher> excluded = new ArrayList<>();
    private final Options options;
    private final LongSupplier nanoTime;
    private final Positions positions;
    private final PathFollower.Shared shared;
    private final Map<Path, PathFollower> followers = new LinkedHashMap<>();
    private final FolderEvents events = new FolderEvents();
    private final Families families = new Families();
    private final FollowedCopies copies;
    /** Of the last run, still to be taken up. */
    private final Map<Path, List<FilePosition>> unfinished = new LinkedHashMap<>();

    /** Not followed since they were empty, as a copy that is being made is. */
    private final Set<Path> empty = new LinkedHashSet<>();

    private final boolean firstStart;
    private long nextScan = FIRST_SCAN;
    private int waiting;
    private boolean overflowSaid;
    /** When names may be looked for again, at the earliest. */
    private long mayScan;

    /** Files that came and went, since names were looked for last. */
    private final Map<Path, Integer> vanished = new LinkedHashMap<>();

    /** @param positions where files were sealed up to; kept by the caller */
    public FileSource(Lane lane, Options options, Positions positions) {
        this(lane, options, positions, System::nanoTime, System::nanoTime);
    }

    /**
     * Follows and joins lines that are the parts of one.
     *
     * @param mostJoinedBytes asked again and again: of a record that is made of several lines; 0 while each line is one
     */
    public FileSource(Lane lane, Options options, Positions positions, IntSupplier mostJoinedBytes) {
        this(lane, options, positions, System::nanoTime, System::nanoTime, mostJoinedBytes);
    }

    /**
     * Follows with clocks of its own.
     *
     * @param nanoTime   what says when names are looked for again, as {@link System#nanoTime} does
     * @param lookedTime what says for how long nobody looked
     */
    FileSource(Lane lane, Options options, Positions positions, LongSupplier nanoTime, LongSupplier lookedTime) {
        this(lane, options, positions, nanoTime, lookedTime, () -> 0);
    }

    FileSource(
            Lane lane,
            Options options,
            Positions positions,
            LongSupplier nanoTime,
            LongSupplier lookedTime,
            IntSupplier mostJoinedBytes) {
        this.options = options;
        this.nanoTime = nanoTime;
        this.globs = options.patterns().stream().map(Glob::new).toList();
        for (String pattern : options.exclude()) {
            String syntax = pattern.contains("/") ? pattern : "**/" + pattern;
            excluded.add(FileSystems.getDefault().getPathMatcher("glob:" + syntax));
        }
        this.positions = positions;
        this.firstStart = !positions.filesBegun();
        positions.beginLooks(this);
        LogFiles files = new LogFiles(new GuardedFiles(options.rule()));
        this.copies = new FollowedCopies(files, families, options.linger().toNanos());
        this.shared = new PathFollower.Shared(
                lane,
                files,
                new LineReader(options.maxRecordBytes(), new Joining(mostJoinedBytes, nanoTime)),
                positions,
                new KnownFiles(positions, files),
                new LeftOutFiles(positions, options.linger().toNanos()),
                new RotationFolders(files),
                new Looks(positions.lookedLastRun(), lookedTime),
                events,
                this::isOurs,
                this::openOf,
                this::placeOfNew,
                options.linger(),
                options.fromEnd());
    }

    @Override
    public void open(RecordSink sink) throws IOException, InterruptedException {
        scanIfDue(sink);
        shared.files().report(sink);
    }

    @Override
    public boolean poll(RecordSink sink) throws IOException, InterruptedException {
        events.vanished(this::isOurs).forEach((path, files) -> {
            vanished.merge(path, files, Integer::sum);
            lookFor(path);
        });
        if (events.hasNews() && nextScan != FIRST_SCAN) {
            nextScan = Math.min(nextScan, mayScan);
        }
        boolean scanned = scanIfDue(sink);
        boolean some = false;
        for (PathFollower follower : List.copyOf(followers.values())) {
            some |= follower.poll(sink);
        }
        if (scanned) { // what has another name by now is found
            sayMissing(sink);
            copies.report(followers, nanoTime.getAsLong(), sink);
        }
        sayEvents(sink);
        shared.leftOut().report(sink);
        shared.files().report(sink);
        return some;
    }

    /** A file that came and went may have another name by now. */
    private void lookFor(Path path) {
        PathFollower follower = followers.get(path);
        if (follower != null) {
            follower.lookAgain();
        } else {
            empty.add(path);
        }
    }

    private void sayMissing(RecordSink sink) {
        int unsaid = 0;
        int said = 0;
        for (Map.Entry<Path, Integer> entry : List.copyOf(vanished.entrySet())) {
            Path path = entry.getKey();
            PathFollower follower = followers.get(path);
            if (follower != null && follower.isToLook()) {
                continue;
            }
            vanished.remove(path);
            // a copy of another log: what is lost of that is seen when it is cut
            int missing = families.of(path).isEmpty() ? events.missing(path, entry.getValue()) : 0;
            if (missing > 0 && said++ < MOST_MISSING_SAID) {
                sink.lost("missing-file", FileNames.shown(path), 0, 0);
            } else {
                unsaid += missing;
            }
        }
        if (unsaid > 0) {
            sink.lost("missing-file", unsaid + " more files that came and went", 0, 0);
        }
    }

    private void sayEvents(RecordSink sink) {
        if (events.overflowed() && !overflowSaid) {
            overflowSaid = true;
            sink.notice("more files came and went than the system told of; names are looked at, and of files that were"
                    + " there between two looks nobody knows");
        }
        String problem = events.problem();
        if (!problem.isEmpty()) {
            sink.notice(problem + ": a file that comes and goes between two looks, 200 ms apart, is not reported");
        }
    }

    private boolean scanIfDue(RecordSink sink) throws IOException, InterruptedException {
        long now = nanoTime.getAsLong();
        if (nextScan == FIRST_SCAN || now - nextScan >= 0) {
            boolean first = nextScan == FIRST_SCAN;
            scan(first, sink);
            long after = nanoTime.getAsLong();
            long took = after - now;
            mayScan = after + 20 * took; // at most a twentieth of the time
            nextScan = Math.max(after + SCAN_NANOS, mayScan);
            return true;
        }
        return false;
    }

    private void scan(boolean first, RecordSink sink) throws IOException, InterruptedException {
        Instant begun = Looks.now();
        shared.folders().newScan();
        Set<Path> found = new LinkedHashSet<>();
        for (Glob glob : globs) {
            glob.find(new Glob.Found() {
                @Override
                public void take(Path path, boolean regular) {
                    if (isExcluded(path)) {
                        return;
                    }
                    if (regular) {
                        found.add(path);
                    } else {
                        shared.files().isNoFile(path);
                    }
                }

                @Override
                public boolean mayEnter(Path link) {
                    return !isExcluded(link) && shared.files().mayEnter(link);
                }
            });
        }
        watch(found);
        if (first) {
            findUnfinished(found);
        }
        resume(sink);
        waiting = 0;
        for (Path path : found) {
            if (!followers.containsKey(path)) {
                follow(path, first, sink);
            }
        }
        followRenamed(found, sink);
        for (PathFollower follower : followers.values()) {
            follower.takeLate(sink);
        }
        dropGone(found);
        shared.known().forgetMissing(found);
        positions.beginFiles();
        shared.looks().scanned(begun);
        if (positions.changed() && unfinished.isEmpty()) {
            Instant seen = begun;
            for (PathFollower follower : followers.values()) {
                seen = follower.since(seen);
            }
            positions.look(this, seen);
        }
    }

    private void watch(Set<Path> found) {
        Set<Path> folders = new LinkedHashSet<>();
        globs.forEach(glob -> folders.add(glob.folder()));
        found.forEach(path -> folders.add(DurableFiles.folderOf(path)));
        events.watch(folders);
    }

    private boolean isExcluded(Path path) {
        return excluded.stream().anyMatch(matcher -> matcher.matches(path));
    }

    /** Whether the patterns of this source ask for a path, be there a file or not. */
    private boolean isOurs(Path path) {
        return globs.stream().anyMatch(glob -> glob.matches(path)) && !isExcluded(path);
    }

    private List<FollowedFile> openOf(FileFamily family) {
        List<FollowedFile> open = new ArrayList<>();
        families.relatedTo(family).forEach(follower -> open.addAll(follower.open()));
        return open;
    }

    private void follow(Path path, boolean first, RecordSink sink) throws IOException, InterruptedException {
        @Nullable FilePosition at = null;
        try {
            FileId.Status status = shared.files().status(path).orElse(null);
            if (status == null) {
                return; // gone, or refused
            }
            if (shared.known().isKnown(path, status)) {
                at = shared.known().toGoOn(path, status);
                if (at == null || isCopy(path, status)) { // a copy may have the inode of a file that is gone
                    return; // a name to which a rotation moved what is followed
                }
            }
            if (!shared.files().mayRead(path, status)) {
                return;
            }
            if (followers.size() >= options.maxFiles()) {
                waiting++;
                return;
            }
            if (at == null) {
                FilePosition place = placeOfNew(path, status, sink);
                if (place == null) {
                    return; // a copy, which is read where it was copied from
                }
                at = place.offset() > 0 ? place : null;
            }
        } catch (IOException e) {
            return; // renamed meanwhile, or not ours to read: looked at again in the next scan
        }
        PathFollower follower = new PathFollower(path, shared);
        if (at != null) {
            follower.goOn(at);
        } else if (first && firstStart) {
            follower.beginAtFirstStart();
        } else {
            follower.begin(sink);
        }
        if (at == null) {
            copies.isNew(path, nanoTime.getAsLong());
        }
        followers.put(path, follower);
        families.add(follower);
    }

    /**
     * What was empty and has another name by now may have been filled before: it is looked for among the names to
     * which a rotation moves it.
     */
    private void followRenamed(Set<Path> found, RecordSink sink) throws IOException, InterruptedException {
        for (Path path : List.copyOf(empty)) {
            PathFollower follower = followers.get(path);
            if (found.contains(path)) {
                if (follower != null && !follower.isIdle()) {
                    empty.remove(path);
                }
                continue;
            }
            empty.remove(path);
            if (follower == null && followers.size() < options.maxFiles()) {
                follower = new PathFollower(path, shared);
                followers.put(path, follower);
                families.add(follower);
            }
            if (follower != null) {
                follower.begin(sink);
            }
        }
    }

    /**
     * Whether a file looks like the copy that is made before a log is cut: its lines are already read under the log's
     * name, or will be once that
     * is cut. Looked at again in each scan, so an error heals when either file grows.
     */
    private boolean isCopy(Path path, FileId.Status status) throws IOException {
        for (PathFollower other : families.of(path)) {
            FollowedFile file = other.current().orElse(null);
            if (file != null && file.looksLike(shared.files(), path, status)) {
                shared.leftOut().add(status, LeftOut.COPY);
                return true;
            }
        }
        return false;
    }

    private @Nullable FilePosition placeOfNew(Path path, FileId.Status status, RecordSink sink)
            throws IOException, InterruptedException {
        List<PathFollower> others = families.of(path);
        boolean mayBecomeCopy =
                !others.isEmpty() && shared.files().dataEnd(path, status, 0) == 0; // and has nothing to read anyway
        if (mayBecomeCopy) {
            empty.add(path);
            return null;
        }
        if (isCopy(path, status)) {
            return null;
        }
        for (PathFollower other : others) {
            FilePosition at = other.placeIn(path, status.id(), sink);
            if (at != null) {
                return at;
            }
        }
        return FilePosition.start(FileNames.text(path), status.id());
    }

    private void findUnfinished(Set<Path> found) {
        Map<Long, List<FileFamily.Member>> byInode = new HashMap<>();
        for (Path path : found) {
            shared.files()
                    .status(path)
                    .ifPresent(status -> byInode.computeIfAbsent(status.id().inode(), inode -> new ArrayList<>(1))
                            .add(new FileFamily.Member(path, status, false)));
        }
        for (FilePosition position : positions.files().values()) {
            Path path = FileNames.path(position.path());
            boolean ours = found.contains(path) || globs.stream().anyMatch(glob -> glob.matches(path));
            if (!position.done() && ours) {
                FilePosition now =
                        renamed(position, byInode.getOrDefault(position.id().inode(), List.of()));
                if (now != position) {
                    positions.remove(position.id());
                    positions.put(now);
                }
                shared.known().expect(now);
                unfinished
                        .computeIfAbsent(FileNames.path(now.path()), p -> new ArrayList<>())
                        .add(now);
            }
        }
    }

    /**
     * The position of a file under the name that it has now, if that is one that is followed and none to which a
     * rotation moves the former: so of one that was followed under a name of rotation, and
     * was rotated further.
     */
    private FilePosition renamed(FilePosition position, List<FileFamily.Member> withInode) {
        Path former = FileNames.path(position.path());
        FileFamily family = new FileFamily(former, shared.folders());
        List<FileFamily.Member> candidates = withInode.stream()
                .filter(file -> file.status().id().mayBe(position.id()))
                .toList();
        if (candidates.stream().anyMatch(file -> file.path().equals(former) || family.isMember(file.path()))) {
            return position;
        }
        for (FileFamily.Member file : candidates) {
            FilePosition now = position.in(file.status().id());
            if (shared.known().isSame(file.path(), now)) {
                return now.under(FileNames.text(file.path()));
            }
        }
        return position;
    }

    /** Those of a folder that is not there, which may be mounted later, wait for it. */
    private void resume(RecordSink sink) throws IOException, InterruptedException {
        List<PathFollower> resumed = new ArrayList<>();
        for (Map.Entry<Path, List<FilePosition>> entry : List.copyOf(unfinished.entrySet())) {
            if (Files.isDirectory(DurableFiles.folderOf(entry.getKey().toAbsolutePath()))) {
                unfinished.remove(entry.getKey());
                PathFollower follower = new PathFollower(entry.getKey(), shared);
                followers.put(entry.getKey(), follower);
                families.add(follower);
                follower.resume(entry.getValue(), sink);
                resumed.add(follower);
            }
        }
        for (PathFollower follower : resumed) {
            follower.begin(sink);
        }
    }

    private void dropGone(Set<Path> found) {
        for (Iterator<PathFollower> i = followers.values().iterator(); i.hasNext(); ) {
            PathFollower follower = i.next();
            if (follower.isIdle() && !found.contains(follower.path())) {
                shared.known()
                        .miss(FileNames.text(follower.path()), follower.family().look(), Set.of());
                families.remove(follower);
                i.remove();
            }
        }
    }

    @Override
    public void finish(RecordSink sink) throws IOException, InterruptedException {
        if (nextScan == FIRST_SCAN) {
            scan(true, sink);
            nextScan = nanoTime.getAsLong() + SCAN_NANOS;
        }
        for (PathFollower follower : List.copyOf(followers.values())) {
            follower.finish(sink);
        }
        shared.files().report(sink);
    }

    @Override
    public void stop(RecordSink sink) throws IOException, InterruptedException {
        for (PathFollower follower : followers.values()) {
            follower.stop(sink);
        }
    }

    /** Files that match and are not followed, since there are too many. */
    public int waiting() {
        return waiting;
    }

    @Override
    public String describe() {
        int refused = shared.files().refused();
        return followers.size() + " files" + (refused == 0 ? "" : ", " + refused + " refused")
                + (copies.found() == 0 ? "" : ", " + copies.found() + " begin as others do") + events.describe()
                + (waiting == 0 ? "" : ", " + waiting + " wait: raise max-files");
    }

    @Override
    public void close() {
        events.close();
        positions.endLooks(this);
        followers.values().forEach(PathFollower::close);
    }
}
