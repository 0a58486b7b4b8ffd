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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/** Unpacks the rest of a log that gzip compressed while the agent did not run, before it was read to its end. */
final class CompressedRest {
    private static final int BUFFER_BYTES = 1 << 16;

    private record Archive(Path path, FileId.Status status) {
        FileTime modified() {
            return status.modified();
        }
    }

    private CompressedRest() {}

    /**
     * The file of a position, unpacked from the position on, and behind it those that were compressed later: nobody has read those.
     *
     * @return oldest first; empty if it is in none of the family's compressed files
     */
    static List<FollowedFile> open(FileFamily family, Lane lane, FilePosition at) throws IOException {
        List<Archive> archives = new ArrayList<>();
        for (Path path : family.compressed()) {
            FileId.status(path).ifPresent(status -> archives.add(new Archive(path, status)));
        }
        archives.sort(Comparator.comparing(Archive::modified).reversed());
        List<FollowedFile> opened = new ArrayList<>();
        boolean found = false;
        try {
            List<Archive> newer = new ArrayList<>();
            for (Archive archive : archives) {
                // known by the archive from now on: another file may have its inode
                FollowedFile file = unpack(archive.path, lane, at.in(archive.status.id()));
                if (file != null) {
                    opened.add(file);
                    found = true;
                    break;
                }
                newer.add(archive);
            }
            for (Archive archive : found ? newer.reversed() : List.<Archive>of()) {
                FilePosition start = FilePosition.start(at.path(), archive.status.id());
                FollowedFile file = unpack(archive.path, lane, start);
                if (file != null) {
                    opened.add(file);
                }
            }
            return opened;
        } catch (IOException e) {
            opened.forEach(FollowedFile::close);
            throw e;
        }
    }

    /** Null if it is another file's, or not whole. */
    private static @Nullable FollowedFile unpack(Path archive, Lane lane, FilePosition at) throws IOException {
        Path unpacked = Files.createTempFile("veilgate-rest", ""); // its owner's alone
        FileChannel channel = FileChannel.open(
                unpacked, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
        boolean is = false;
        try (InputStream in =
                new GZIPInputStream(new BufferedInputStream(Files.newInputStream(archive)), BUFFER_BYTES)) {
            byte[] head = in.readNBytes((int) Math.min(at.offset(), Digest.HEAD_BYTES));
            boolean begins = at.head().length() <= head.length
                    && Digest.of(head, 0, at.head().length()).equals(at.head());
            if (begins) {
                channel.write(ByteBuffer.wrap(head), 0);
                is = copyFromTail(in, channel, at, head);
            }
            return is ? FollowedFile.unpacked(channel, lane, at) : null;
        } catch (ZipException | EOFException e) {
            return null;
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
