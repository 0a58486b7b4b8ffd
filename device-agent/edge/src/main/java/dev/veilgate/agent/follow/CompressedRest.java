package dev.veilgate.agent.follow;

import dev.veilgate.agent.paths.FileNames;
import dev.veilgate.agent.paths.RefusedFileException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds in the compressed files of a log what was not read of it: the rest of a file that was compressed before it
 * was read to its end, and files that came and were compressed while nobody looked. Files
 * are known by what is in them, whatever compressed them.
 */
final class CompressedRest {
    /** Each is an open file until it is read. */
    private static final int MOST_OPEN = 200;
    /** Each is opened, and its beginning is unpacked. */
    private static final int MOST_COMPARED = 2000;
    /** In which the file is looked for whose end is in none. */
    private static final int MOST_SEARCHED = 64;

    /**
     * As a rotation that counts calls them: the larger number is the older file. With a date it is the other way
     * round in some.
     */
    private static final Pattern COUNTED = Pattern.compile("((?:(?![0-9]{4}).)*[^0-9])([0-9]{1,3})([^0-9]*)");

    private record Archive(Path path, FileId.Status status) {
        FileTime modified() {
            return status.modified();
        }
    }

    /** Findings of one look at the compressed files of a log. */
    static final class Found {
        /** Those that nobody has read, the oldest first. */
        final List<FollowedFile> opened = new ArrayList<>();
        /** All that were written last after the look before. */
        final Set<FileId> there = new LinkedHashSet<>();
        /** When they were written last. */
        @Nullable
        Instant newest;
        /** Tells if a compressed file is still being made, so that the next look has to ask again. */
        boolean unfinished;
    }

    private final FileFamily family;
    private final PathFollower.Shared shared;
    private final Set<FileId> archiveIds = new HashSet<>();

    CompressedRest(FileFamily family, PathFollower.Shared shared) {
        this.family = family;
        this.shared = shared;
    }

    /**
     * Opens the compressed file that has what a position speaks of, at the place of the position.
     *
     * @return null if there is none, or nothing was read of the file, so that there is nothing to know it by
     */
    @Nullable
    FollowedFile rest(FilePosition at, RecordSink sink) throws IOException {
        if (at.offset() == 0) {
            return null;
        }
        List<Archive> archives = archives(family.withOrigins());
        archives.removeIf(archive -> known().isUnpacked(archive.status.id()));
        List<Archive> own = new ArrayList<>();
        List<Archive> since = new ArrayList<>();
        List<Archive> older = new ArrayList<>();
        for (Archive archive : archives.reversed()) {
            boolean same = archive.status.id().mayBe(at.id());
            (same ? own : at.id().mayBeWrittenAt(archive.modified()) ? since : older).add(archive);
        }
        if (at.id().isOfUnknownAge()) {
            since = since.reversed();
        }
        List<Archive> candidates = new ArrayList<>(own);
        candidates.addAll(since);
        if (at.offset() > Digest.HEAD_BYTES) { // so much is in no other file
            candidates.addAll(older);
        }
        for (Archive archive : candidates) {
            FollowedFile file = openAt(archive, at);
            if (file != null) {
                sayIfAmbiguous(at, archive, candidates, sink);
                known().unpacked(archive.status.id());
                return file;
            }
        }
        return null;
    }

    private @Nullable FollowedFile openAt(Archive archive, FilePosition at) throws IOException {
        try (PackedFile packed = PackedFile.open(shared.files(), archive.path, archive.status.id())) {
            FilePosition there = at.in(archive.status.id());
            FileChannel rest = packed.unpack(there);
            return rest == null ? null : FollowedFile.unpacked(rest, shared.lane(), there);
        } catch (EOFException | RefusedFileException e) {
            return null; // damaged, not whole, or as good as not there
        }
    }

    /**
     * A second file may be the rest of the log if both begin with all that was read, which was no more than the names
     * of columns or a line or two.
     */
    private void sayIfAmbiguous(FilePosition at, Archive found, List<Archive> candidates, RecordSink sink)
            throws IOException {
        boolean another = false;
        for (Archive other : candidates) {
            boolean few = at.offset() <= Digest.HEAD_BYTES && other != found;
            another |= few && compare(other, at) != PackedFile.Rest.NONE;
        }
        if (another && at.id().isOfUnknownAge()) {
            sink.lost(
                    "missing-file",
                    FileNames.shown(at.path()),
                    0,
                    0); // an older one may be the file, with what is between them
        } else if (another && isOfLogBefore(found, at.id())) {
            sink.repeated(FileNames.shown(found.path), found.status.size());
        }
    }

    /**
     * If the last run did not note when it looked, the file that was written last when the log had just been made may
     * have been read before.
     */
    private void sayIfOfLogBefore(Archive archive, RecordSink sink) {
        boolean noted = shared.looks().lastRun() != null;
        for (FilePosition at : noted ? List.<FilePosition>of() : shared.looks().takenUp()) {
            if (family.base().equals(FileNames.path(at.path())) && isOfLogBefore(archive, at.id())) {
                sink.repeated(FileNames.shown(archive.path), archive.status.size());
            }
        }
    }

    /**
     * Whether a compressed file was written last when a log had just been made, as the end of the log before it may
     * have been.
     */
    private boolean isOfLogBefore(Archive archive, FileId log) {
        Duration late = shared.linger();
        return !log.mayBeWrittenAt(FileTime.from(archive.modified().toInstant().minus(late)));
    }

    private PackedFile.Rest compare(Archive archive, FilePosition at) throws IOException {
        try (PackedFile packed = PackedFile.open(shared.files(), archive.path, archive.status.id())) {
            return packed.restOf(at);
        } catch (EOFException | RefusedFileException e) {
            return PackedFile.Rest.NONE;
        }
    }

    /** Tells if a compressed file of the log begins with the bytes of a file that was read to a position. */
    boolean has(FilePosition at) {
        try {
            List<Archive> archives = archives(List.of(family));
            for (Archive archive : archives.subList(0, Math.min(MOST_SEARCHED, archives.size()))) {
                byte[] head = head(archive);
                int length = at.head().length();
                if (length > 0
                        && head.length >= length
                        && Digest.of(head, 0, length).equals(at.head())) {
                    return true;
                }
            }
        } catch (IOException e) {
            // renamed meanwhile, or not ours to read
        }
        return false;
    }

    private byte[] head(Archive archive) throws IOException {
        try (PackedFile packed = PackedFile.open(shared.files(), archive.path, archive.status.id())) {
            return packed.head();
        } catch (EOFException | RefusedFileException e) {
            return new byte[0];
        }
    }

    /**
     * Opens what nobody has read of the files that were written last, or compressed, since a time.
     *
     * @param open asked, if there are any, for what is open of the log: what was compressed of it is read there
     * @throws CutException if one of these was cut meanwhile
     */
    Found openNew(Instant time, Supplier<List<FollowedFile>> open, RecordSink sink) throws IOException {
        Found found = new Found();
        boolean all = false;
        try {
            List<Archive> archives = ownArchives();
            archives.forEach(archive -> archiveIds.add(archive.status.id()));
            List<Archive> since = new ArrayList<>(archives.reversed());
            since.removeIf(archive -> archive.modified().toInstant().isBefore(time)
                    || shared.hasFollower().test(archive.path));
            if (since.size() > MOST_COMPARED) {
                sayTooMany(since, sink);
                since.subList(0, since.size() - MOST_COMPARED).clear();
            }
            for (Archive archive : since) {
                Instant modified = archive.modified().toInstant();
                found.there.add(archive.status.id());
                found.newest = modified; // the last one is the newest
                openIfNew(archive, open, found, sink);
            }
            all = true;
            return found;
        } finally {
            if (!all) {
                found.opened.forEach(file -> known().forgetUnpacked(file.id()));
                found.opened.forEach(FollowedFile::close);
            }
        }
    }

    private List<Archive> ownArchives() {
        try {
            return archives(List.of(family));
        } catch (IOException e) {
            return List.of(); // not there, or not ours to read: looked at again
        }
    }

    /** The newest are compared; of the others it is said once that they are not. */
    private void sayTooMany(List<Archive> since, RecordSink sink) {
        FileId.Status newest = since.getLast().status;
        if (!known().isTooManySaid(newest.id())) {
            sink.lost("missing-file", FileNames.shown(family.base()), 0, 0);
        }
    }

    private void openIfNew(Archive archive, Supplier<List<FollowedFile>> open, Found found, RecordSink sink)
            throws IOException {
        FileId id = archive.status.id();
        if (known().isUnpacked(id) || known().isSettled(archive.status)) {
            return;
        }
        if (known().isNotWhole(archive.status)) {
            found.unfinished |= !known().isGivenUp(archive.path, archive.status, sink);
            return;
        }
        PackedFile packed = null;
        boolean kept = false;
        try {
            packed = PackedFile.open(shared.files(), archive.path, id);
            FilePosition from = whereToRead(archive, packed, open.get(), sink);
            if (from == null) {
                known().settle(archive.status);
            } else if (found.opened.size() >= MOST_OPEN) {
                known().settle(archive.status);
                sink.lost("missing-file", FileNames.shown(archive.path), 0, archive.status.size());
            } else {
                FollowedFile file = from.offset() == 0
                        ? FollowedFile.packed(packed, archive.status, shared.lane(), from)
                        : openAt(archive, from);
                kept = from.offset() == 0;
                if (file != null) {
                    known().unpacked(id);
                    found.opened.add(file);
                    sayIfOfLogBefore(archive, sink);
                }
            }
        } catch (CutException e) {
            throw e;
        } catch (EOFException e) {
            known().notWhole(archive.status);
            found.unfinished |= !known().isGivenUp(archive.path, archive.status, sink);
        } catch (RefusedFileException e) {
            found.there.remove(id); // as if it were not there
        } catch (IOException e) { // renamed meanwhile, or not ours to read
            found.unfinished |= !known().isGivenUp(archive.path, archive.status, sink);
        } finally {
            if (!kept && packed != null) {
                packed.close();
            }
        }
    }

    /** From where on a compressed file is to be read; null if it is not, since it was read, or is by an open file. */
    private @Nullable FilePosition whereToRead(
            Archive archive, PackedFile packed, List<FollowedFile> open, RecordSink sink) throws IOException {
        byte[] head = packed.head();
        if (head.length == 0) {
            return null;
        }
        for (FollowedFile file : open) {
            if (file.hasAll(packed, head)) {
                return null;
            }
        }
        FilePosition best = null;
        boolean ambiguous = false;
        FileId id = archive.status.id();
        Map<Integer, Digest> beginnings = new HashMap<>();
        Set<FileId> here = new HashSet<>();
        open.forEach(file -> here.add(file.id()));
        for (FilePosition at : shared.positions().files().values()) {
            if (here.contains(at.id()) || !beginsLike(head, at, beginnings) || isOfAnotherArchive(at, id)) {
                continue;
            }
            PackedFile.Rest rest = packed.restOf(at);
            boolean telling = at.offset() > Digest.HEAD_BYTES;
            if (rest == PackedFile.Rest.ENDS || rest == PackedFile.Rest.GOES_ON && !at.done() && telling) {
                known().compressed(at, id);
                return null; // what is not done is open for another name
            }
            if (rest == PackedFile.Rest.GOES_ON && at.done() && (best == null || best.offset() < at.offset())) {
                best = at;
            }
            // a file of which the compressed one is the beginning, or another that begins alike
            ambiguous |= rest == PackedFile.Rest.GOES_ON && !at.done()
                    || rest == PackedFile.Rest.NONE && telling && packed.isShorterThan(at.offset());
        }
        if (best != null) {
            return best.in(id).under(FileNames.text(family.base()));
        }
        if (ambiguous) {
            sink.repeated(FileNames.shown(archive.path), archive.status.size());
        }
        return FilePosition.start(FileNames.text(family.base()), id);
    }

    /** @param beginnings of the file, by their lengths: those of thousands of positions have the same */
    private boolean beginsLike(byte[] head, FilePosition at, Map<Integer, Digest> beginnings) {
        int length = at.head().length();
        return at.offset() > 0
                && length <= head.length
                && beginnings
                        .computeIfAbsent(length, bytes -> Digest.of(head, 0, bytes))
                        .equals(at.head())
                && family.isRelated(FileNames.path(at.path()));
    }

    /** Tells if a position is in another compressed file that is still there. */
    private boolean isOfAnotherArchive(FilePosition at, FileId id) {
        return !at.id().equals(id) && archiveIds.contains(at.id());
    }

    private KnownFiles known() {
        return shared.known();
    }

    /**
     * The compressed files of families, those that were written last at the beginning; of two with one time that with
     * the smaller number.
     */
    private static List<Archive> archives(List<FileFamily> families) throws IOException {
        Map<Path, Archive> found = new LinkedHashMap<>();
        for (FileFamily family : families) {
            for (FileFamily.Member member : family.compressed()) {
                found.putIfAbsent(member.path(), new Archive(member.path(), member.status()));
            }
        }
        List<Archive> archives = new ArrayList<>(found.values());
        archives.sort(Comparator.comparing(Archive::modified).reversed().thenComparingLong(CompressedRest::number));
        return archives;
    }

    /**
     * The number in the name of a compressed file, as 2 of app.log.2.gz, or 0. Of two with equal modification times
     * the one with the larger number is the older.
     */
    private static int number(Archive archive) {
        Matcher name = COUNTED.matcher(FileNames.lastName(archive.path));
        return name.matches() ? Integer.parseInt(name.group(2)) : 0;
    }
}
