package dev.veilgate.agent.follow;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/** Unpacks the rest of a log that gzip compressed while the agent did not run, before it was read to its end. */
final class CompressedRest {
    private static final int BUFFER_BYTES = 1 << 16;
    /** Each is an open file, and takes its room on the disk for temporary files until it is read. */
    private static final int MOST_OPEN = 200;

    /** As a rotation that counts calls them: the larger number is the older file. With a date it is the other way round in some. */
    private static final Pattern COUNTED = Pattern.compile("((?:(?![0-9]{4}).)*[^0-9])([0-9]{1,3})([^0-9]*)");

    /** @param changed when its name or content changed last */
    private record Archive(Path path, FileId.Status status, FileTime changed) {
        FileTime modified() {
            return status.modified();
        }
    }

    private final FileFamily family;
    private final Lane lane;
    private final KnownFiles known;
    private final Duration late;

    /** @param late how long after a rotation a writer may still write to the file that was renamed */
    CompressedRest(FileFamily family, Lane lane, KnownFiles known, Duration late) {
        this.family = family;
        this.lane = lane;
        this.known = known;
        this.late = late;
    }

    /**
     * The file of a position, unpacked from the position on, and behind it those that were compressed later: nobody has read those. One that has not changed since that of the position got its name
     * may have been compressed before the agent stopped, and read before that: it is read, and said to be perhaps repeated. So is the first one, if it was written last when the file had just been
     * made, as the end of the log before it may have been.
     *
     * @param at if nothing was read of the file, all are taken that were written last after it was made
     * @return oldest first; empty if it is in none of the family's compressed files
     */
    List<FollowedFile> open(FilePosition at, RecordSink sink) throws IOException {
        List<FollowedFile> opened = new ArrayList<>();
        boolean all = false;
        try {
            List<Archive> archives = writtenSince(at.id());
            if (at.offset() > 0) {
                openFrom(at, archives, opened, sink);
            } else if (!at.id().isOfUnknownAge()) {
                archives.removeIf(archive -> !family.hasCompressed(archive.path) || isOfAnotherPosition(archive, at));
                openWhole(archives, at, opened, sink);
                sayIfOfLogBefore(at, archives, sink);
            }
            all = true;
            opened.forEach(file -> known.unpacked(file.id()));
            return opened;
        } finally {
            if (!all) {
                opened.forEach(FollowedFile::close);
            }
        }
    }

    /** Whether a compressed file that was written last after the file of a position was made is or was read in this run. */
    boolean isUnpackedSince(FilePosition at) {
        try {
            return !at.id().isOfUnknownAge()
                    && writtenSince(at.id()).stream()
                            .anyMatch(archive -> family.hasCompressed(archive.path) && isUnpacked(archive));
        } catch (IOException e) {
            return false; // renamed meanwhile, or not ours to read
        }
    }

    /** Opens the file of a position, and all that are newer. */
    private void openFrom(FilePosition at, List<Archive> archives, List<FollowedFile> opened, RecordSink sink)
            throws IOException {
        Archive found = find(at, archives, opened);
        if (found == null) {
            return;
        }
        if (isAmbiguous(archives, found, at)) {
            if (at.id().isOfUnknownAge()) {
                sink.lost("missing-file", at.path(), 0, 0); // an older one may be the file, with what is between them
            } else {
                sayIfOfLogBefore(at, List.of(found), sink);
            }
        }
        List<Archive> newer = new ArrayList<>(archives.subList(0, archives.indexOf(found)));
        newer.removeIf(other -> !family.isSameLog(other.path, found.path)
                || isCountedAsOlder(other, found)
                || isOfAnotherPosition(other, at));
        for (Archive later : openWhole(newer, at, opened, sink)) {
            if (later.changed.compareTo(found.changed) < 0) {
                sink.repeated(later.path.toString(), later.status.size());
            }
        }
    }

    /** Opens the compressed file of a position: of those that begin alike the first one since the file was made, or, if nobody knows when that was, the last. */
    private @Nullable Archive find(FilePosition at, List<Archive> archives, List<FollowedFile> opened)
            throws IOException {
        boolean fromOldest = !at.id().isOfUnknownAge();
        for (Archive archive : fromOldest ? archives.reversed() : archives) {
            FollowedFile file = isUnpacked(archive) ? null : unpack(archive.path, at.in(archive.status.id()));
            if (file != null) {
                opened.add(file);
                return archive;
            }
        }
        return null;
    }

    /**
     * Opens files at their beginning.
     *
     * @param archives the last written first
     * @return those that could be opened
     */
    private List<Archive> openWhole(
            List<Archive> archives, FilePosition at, List<FollowedFile> opened, RecordSink sink) {
        List<Archive> done = new ArrayList<>();
        for (Archive archive : archives.reversed()) {
            FollowedFile file = opened.size() < MOST_OPEN ? unpackWhole(archive, at.path()) : null;
            if (file != null) {
                opened.add(file);
                done.add(archive);
            } else {
                sink.lost("missing-file", archive.path.toString(), 0, 0);
            }
        }
        return done;
    }

    private void sayIfOfLogBefore(FilePosition at, List<Archive> archives, RecordSink sink) {
        if (archives.isEmpty()) {
            return;
        }
        Archive first = archives.getLast();
        FileTime before = FileTime.from(first.modified().toInstant().minus(late));
        if (!at.id().mayBeWrittenAt(before)) {
            sink.repeated(first.path.toString(), first.status.size());
        }
    }

    /** Those of the family that were written last after a file was made, the last written first; all if nobody knows when it was made. */
    private List<Archive> writtenSince(FileId made) throws IOException {
        List<Archive> archives = new ArrayList<>();
        for (Path path : family.compressed()) {
            FileId.Status status = FileId.status(path).orElse(null);
            if (status != null && made.mayBeWrittenAt(status.modified())) {
                archives.add(new Archive(path, status, (FileTime) Files.getAttribute(path, "unix:ctime")));
            }
        }
        archives.sort(Comparator.comparing(Archive::modified).reversed().thenComparingLong(CompressedRest::number));
        return archives;
    }

    /** Null if it is damaged, or there is no room for it; the others are read nevertheless. */
    private @Nullable FollowedFile unpackWhole(Archive archive, String path) {
        try {
            return unpack(archive.path, FilePosition.start(path, archive.status.id()));
        } catch (IOException e) {
            return null;
        }
    }

    private boolean isUnpacked(Archive archive) {
        return known.isUnpacked(archive.status.id());
    }

    /** Whether a compressed file is one that was followed when the agent stopped, under whatever name: it is read for that name, or was read to its end. */
    private boolean isOfAnotherPosition(Archive archive, FilePosition at) {
        if (isUnpacked(archive)) {
            return true;
        }
        for (FilePosition other : known.lastRun()) {
            boolean mayBe = other.offset() > 0
                    && !other.id().equals(at.id())
                    && other.id().mayBeWrittenAt(archive.modified())
                    && family.isRelated(Path.of(other.path()));
            if (mayBe) {
                try (FollowedFile file = unpack(archive.path, other.in(archive.status.id()))) {
                    if (file != null) {
                        return true;
                    }
                } catch (IOException e) {
                    return false; // opened again, where that counts
                }
            }
        }
        return false;
    }

    /** The number in the name of a compressed file, as 2 of app.log.2.gz, or 0. Of two with equal modification times the one with the larger number is the older. */
    private static int number(Archive archive) {
        Matcher name = COUNTED.matcher(archive.path.getFileName().toString());
        return name.matches() ? Integer.parseInt(name.group(2)) : 0;
    }

    private static boolean isCountedAsOlder(Archive archive, Archive than) {
        Matcher name = COUNTED.matcher(archive.path.getFileName().toString());
        Matcher other = COUNTED.matcher(than.path.getFileName().toString());
        return name.matches()
                && other.matches()
                && name.group(1).equals(other.group(1))
                && name.group(3).equals(other.group(3))
                && Integer.parseInt(name.group(2)) > Integer.parseInt(other.group(2));
    }

    /**
     * Whether a second compressed file may be the rest of the log, so that nobody can know which one is: it begins with all that was read, which was no more than the names of columns or a line or two.
     */
    private boolean isAmbiguous(List<Archive> archives, Archive found, FilePosition at) throws IOException {
        if (at.offset() > Digest.HEAD_BYTES) {
            return false;
        }
        for (Archive other : archives) {
            if (other != found && !isUnpacked(other) && beginsWith(other.path, at)) {
                return true;
            }
        }
        return false;
    }

    private static boolean beginsWith(Path archive, FilePosition at) throws IOException {
        try (InputStream in = new GZIPInputStream(new BufferedInputStream(Files.newInputStream(archive)))) {
            byte[] head = in.readNBytes(at.head().length());
            return Digest.of(head, 0, head.length).equals(at.head());
        } catch (ZipException | EOFException e) {
            return false;
        }
    }

    /** Null if it is another file's, or not whole. */
    private @Nullable FollowedFile unpack(Path archive, FilePosition at) throws IOException {
        try (InputStream in =
                new GZIPInputStream(new BufferedInputStream(Files.newInputStream(archive)), BUFFER_BYTES)) {
            byte[] head = in.readNBytes((int) Math.min(at.offset(), Digest.HEAD_BYTES));
            boolean begins = at.head().length() <= head.length
                    && Digest.of(head, 0, at.head().length()).equals(at.head());
            return begins ? unpack(in, head, at) : null;
        } catch (ZipException | EOFException e) {
            return null;
        }
    }

    private @Nullable FollowedFile unpack(InputStream in, byte[] head, FilePosition at) throws IOException {
        Path unpacked = Files.createTempFile("veilgate-rest", ""); // its owner's alone
        FileChannel channel = FileChannel.open(
                unpacked, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
        boolean is = false;
        try {
            channel.write(ByteBuffer.wrap(head), 0);
            is = copyFromTail(in, channel, at, head);
            return is ? FollowedFile.unpacked(channel, lane, at) : null;
        } finally {
            if (!is) {
                channel.close();
            }
        }
    }

    private static boolean copyFromTail(InputStream in, FileChannel channel, FilePosition at, byte[] head)
            throws IOException {
        long from = Math.max(head.length, at.offset() - at.tail().length() - Digest.TAIL_BYTES);
        in.skipNBytes(from - head.length);
        byte[] before = in.readNBytes((int) (at.offset() - from));
        if (before.length < at.offset() - from) {
            return false;
        }
        channel.write(ByteBuffer.wrap(before), from);
        if (!at.tail().isAt(channel, at.offset() - at.tail().length())) {
            return false;
        }
        byte[] buffer = new byte[BUFFER_BYTES];
        long place = at.offset();
        for (int n = in.read(buffer); n > 0; n = in.read(buffer)) {
            ByteBuffer bytes = ByteBuffer.wrap(buffer, 0, n);
            while (bytes.hasRemaining()) {
                place += channel.write(bytes, place);
            }
        }
        return true;
    }
}
