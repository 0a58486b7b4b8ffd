package dev.veilgate.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * Every byte of an export's ZIP that is not a file's: headers, descriptors, the directory and the end, one behind the
 * other from the first byte to the last. The console writes them in one way only (deflated files, sizes behind them,
 * no comments, no extra fields but those that sizes above 4 GB take), so they are made again here from the names,
 * sizes, check sums and times of the directory, and compared. What else is in the file would be seen by nobody who
 * unpacks it, or by some programs only.
 */
final class ExportLayout {
    private static final int LOCAL_HEADER = 0x04034b50;
    private static final int DESCRIPTOR = 0x08074b50;
    private static final int DIRECTORY_ENTRY = 0x02014b50;
    private static final int END_64 = 0x06064b50;
    private static final int LOCATOR_64 = 0x07064b50;
    private static final int END = 0x06054b50;

    private static final int END_BYTES = 22;

    private static final short VERSION = 20;
    private static final short VERSION_64 = 45;
    /** Sizes behind the content, names in UTF-8. */
    private static final short FLAGS = 0x0808;

    private static final short EXTRA_64 = 1;
    /** Stands for a number that is elsewhere, in 64 bits. */
    private static final long ELSEWHERE = 0xffff_ffffL;

    /** Bytes that must be at a place. */
    private record Piece(String file, String what, long at, ByteBuffer bytes) {
        long end() {
            return at + bytes.remaining();
        }
    }

    /** A place where a file is not as the console writes it. */
    record Difference(String file, String detail) {}

    private final ZipFile zip;
    private final List<Piece> pieces = new ArrayList<>();

    private ExportLayout(ZipFile zip) {
        this.zip = zip;
    }

    /** The first difference between a file and the archive that the console would have written of its directory. */
    static Optional<Difference> difference(Path path, ZipFile zip) throws IOException {
        return new ExportLayout(zip).difference(path);
    }

    private Optional<Difference> difference(Path path) throws IOException {
        List<? extends ZipEntry> entries = zip.stream().toList();
        Difference strange = strange(entries);
        if (strange != null) {
            return Optional.of(strange);
        }
        long end = lay(entries);
        try (FileChannel file = FileChannel.open(path)) {
            Piece first = firstWrong(file, 0);
            long more = file.size() - end;
            if (first == null) {
                return more == 0
                        ? Optional.empty()
                        : Optional.of(new Difference("-", count(more) + " behind the end of the archive"));
            }
            if (more > 0 && firstWrong(file, more) == null) {
                return Optional.of(new Difference("-", count(more) + " before the first file"));
            }
            return Optional.of(new Difference(
                    first.file, first.what + " is not as the console writes it, at byte " + wrongByte(file, first)));
        }
    }

    /**
     * How much stands behind the end of an archive that has so much there that none finds its end, which is looked for
     * in the last 64 KB.
     *
     * @return empty if there is no end either, or only one of an archive above 4 GB
     */
    static Optional<Difference> muchBehindTheEnd(Path path) throws IOException {
        try (FileChannel file = FileChannel.open(path)) {
            ByteBuffer part = buffer(1 << 16);
            for (long from = 0; from + END_BYTES <= file.size(); from += part.capacity() - END_BYTES + 1) {
                fill(file, part.clear(), from);
                part.flip();
                for (int at = 0; at + END_BYTES <= part.limit(); at++) {
                    if (part.getInt(at) == END && isEnd(file, part, at, from + at)) {
                        long more = file.size() - from - at - END_BYTES;
                        return Optional.of(new Difference("-", count(more) + " behind the end of the archive"));
                    }
                }
            }
            return Optional.empty();
        }
    }

    /** Whether a directory ends there, and no comment begins. */
    private static boolean isEnd(FileChannel file, ByteBuffer part, int at, long place) throws IOException {
        long bytes = Integer.toUnsignedLong(part.getInt(at + 12));
        long directory = Integer.toUnsignedLong(part.getInt(at + 16));
        if (part.getShort(at + 20) != 0 || bytes < Integer.BYTES || directory + bytes != place) {
            return false;
        }
        ByteBuffer first = buffer(Integer.BYTES);
        fill(file, first, directory);
        return first.getInt(0) == DIRECTORY_ENTRY;
    }

    /** Reads as much as there is. */
    private static void fill(FileChannel file, ByteBuffer into, long from) throws IOException {
        while (into.hasRemaining() && file.read(into, from + into.position()) >= 0) {
            // a read may give less than was asked for
        }
    }

    private static String count(long bytes) {
        return bytes == 1 ? "1 byte stands" : bytes + " bytes stand";
    }

    private @Nullable Difference strange(List<? extends ZipEntry> entries) {
        if (zip.getComment() != null) {
            return new Difference("-", "the archive has a comment");
        }
        for (ZipEntry entry : entries) {
            if (entry.getComment() != null) {
                return new Difference(entry.getName(), "has a comment");
            }
            if (entry.getMethod() != ZipEntry.DEFLATED) {
                return new Difference(entry.getName(), "is not deflated");
            }
            if (dosTime(entry) < 0) {
                return new Difference(entry.getName(), "has a time that is none");
            }
        }
        return null;
    }

    /** Lays all pieces one behind the other; where they end. */
    private long lay(List<? extends ZipEntry> entries) {
        long at = 0;
        List<Long> starts = new ArrayList<>();
        for (ZipEntry entry : entries) {
            starts.add(at);
            at = add(entry.getName(), "its header", at, header(entry)) + entry.getCompressedSize();
            at = add(entry.getName(), "what stands behind its content", at, descriptor(entry));
        }
        long directory = at;
        for (int i = 0; i < entries.size(); i++) {
            ZipEntry entry = entries.get(i);
            at = add(entry.getName(), "its entry in the directory", at, directoryEntry(entry, starts.get(i)));
        }
        return add("-", "the end of the archive", at, end(entries.size(), directory, at));
    }

    private long add(String file, String what, long at, ByteBuffer bytes) {
        Piece piece = new Piece(file, what, at, bytes.flip());
        pieces.add(piece);
        return piece.end();
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static byte[] name(ZipEntry entry) {
        return entry.getName().getBytes(StandardCharsets.UTF_8);
    }

    private static ByteBuffer header(ZipEntry entry) {
        byte[] name = name(entry);
        return buffer(30 + name.length)
                .putInt(LOCAL_HEADER)
                .putShort(VERSION)
                .putShort(FLAGS)
                .putShort((short) ZipEntry.DEFLATED)
                .putInt((int) dosTime(entry))
                .putInt(0)
                .putInt(0)
                .putInt(0)
                .putShort((short) name.length)
                .putShort((short) 0)
                .put(name);
    }

    private static ByteBuffer descriptor(ZipEntry entry) {
        ByteBuffer out = buffer(24).putInt(DESCRIPTOR).putInt((int) entry.getCrc());
        return entry.getCompressedSize() >= ELSEWHERE || entry.getSize() >= ELSEWHERE
                ? out.putLong(entry.getCompressedSize()).putLong(entry.getSize())
                : out.putInt((int) entry.getCompressedSize()).putInt((int) entry.getSize());
    }

    private static ByteBuffer directoryEntry(ZipEntry entry, long start) {
        byte[] name = name(entry);
        List<Long> large = new ArrayList<>();
        for (long number : new long[] {entry.getSize(), entry.getCompressedSize(), start}) {
            if (number >= ELSEWHERE) {
                large.add(number);
            }
        }
        int extra = large.isEmpty() ? 0 : 4 + 8 * large.size();
        short version = large.isEmpty() ? VERSION : VERSION_64;
        ByteBuffer out = buffer(46 + name.length + extra)
                .putInt(DIRECTORY_ENTRY)
                .putShort(version)
                .putShort(version)
                .putShort(FLAGS)
                .putShort((short) ZipEntry.DEFLATED)
                .putInt((int) dosTime(entry))
                .putInt((int) entry.getCrc())
                .putInt(low(entry.getCompressedSize()))
                .putInt(low(entry.getSize()))
                .putShort((short) name.length)
                .putShort((short) extra)
                .putShort((short) 0) // comment
                .putShort((short) 0) // disk
                .putShort((short) 0) // attributes
                .putInt(0)
                .putInt(low(start))
                .put(name);
        if (!large.isEmpty()) {
            out.putShort(EXTRA_64).putShort((short) (8 * large.size()));
            large.forEach(out::putLong);
        }
        return out;
    }

    private static ByteBuffer end(int files, long directory, long end) {
        ByteBuffer out = buffer(56 + 20 + 22);
        long bytes = end - directory;
        if (directory >= ELSEWHERE || bytes >= ELSEWHERE) {
            out.putInt(END_64)
                    .putLong(44)
                    .putShort(VERSION_64)
                    .putShort(VERSION_64)
                    .putInt(0)
                    .putInt(0)
                    .putLong(files)
                    .putLong(files)
                    .putLong(bytes)
                    .putLong(directory)
                    .putInt(LOCATOR_64)
                    .putInt(0)
                    .putLong(end)
                    .putInt(1);
        }
        return out.putInt(END)
                .putShort((short) 0)
                .putShort((short) 0)
                .putShort((short) files)
                .putShort((short) files)
                .putInt(low(bytes))
                .putInt(low(directory))
                .putShort((short) 0);
    }

    private static int low(long number) {
        return (int) Math.min(number, ELSEWHERE);
    }

    /** The time of an entry as a ZIP has it, in 32 bits; -1 if it is none. */
    private static long dosTime(ZipEntry entry) {
        try {
            LocalDateTime time = entry.getTimeLocal();
            return (time.getYear() - 1980L) << 25
                    | (long) time.getMonthValue() << 21
                    | (long) time.getDayOfMonth() << 16
                    | (long) time.getHour() << 11
                    | (long) time.getMinute() << 5
                    | time.getSecond() >> 1;
        } catch (DateTimeException e) {
            return -1;
        }
    }

    private @Nullable Piece firstWrong(FileChannel file, long shift) throws IOException {
        for (Piece piece : pieces) {
            if (mismatch(file, piece, shift) >= 0) {
                return piece;
            }
        }
        return null;
    }

    private static long wrongByte(FileChannel file, Piece piece) throws IOException {
        return piece.at + mismatch(file, piece, 0);
    }

    /** Index of the first byte of a piece that the file does not have, or has otherwise; -1 if it has all. */
    private static int mismatch(FileChannel file, Piece piece, long shift) throws IOException {
        ByteBuffer there = ByteBuffer.allocate(piece.bytes.remaining());
        fill(file, there, piece.at + shift);
        return there.flip().mismatch(piece.bytes);
    }
}
