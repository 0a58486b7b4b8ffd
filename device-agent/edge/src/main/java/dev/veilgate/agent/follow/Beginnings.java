package dev.veilgate.agent.follow;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Comparison of the first bytes and lines of two files. */
final class Beginnings {
    private static final int COMPARED_BYTES = 1 << 16;
    private static final int FEW_LINES = 4;

    private Beginnings() {}

    /**
     * Whether a file and another one, which was before it, have much in common: at least four lines, and half of those
     * in the first 64 KiB of the shorter; half of the other's if it has fewer.
     */
    static boolean haveLinesInCommon(FileChannel file, FileChannel other) throws IOException {
        Set<String> lines = new HashSet<>(firstLines(other));
        List<String> own = firstLines(file);
        long common = own.stream().filter(lines::contains).count();
        return lines.size() < FEW_LINES
                ? common > 0 && 2 * common >= lines.size()
                : common >= FEW_LINES && 2 * common >= Math.min(own.size(), lines.size());
    }

    private static List<String> firstLines(FileChannel of) throws IOException {
        String text = new String(Digest.read(of, 0, COMPARED_BYTES), StandardCharsets.ISO_8859_1);
        return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    }

    /**
     * Whether two files begin with the same bytes: a kilobyte at least, or all of the shorter one, and more than one
     * line, since many a log begins with the names of its columns.
     *
     * @param size   bytes of the file
     * @param length bytes of the other
     */
    static boolean areAlike(FileChannel file, long size, FileChannel other, long length) throws IOException {
        byte[] own = Digest.read(file, 0, (int) Math.min(size, COMPARED_BYTES));
        byte[] others = Digest.read(other, 0, (int) Math.min(length, COMPARED_BYTES));
        int mismatch = Arrays.mismatch(own, others);
        int same = mismatch < 0 ? own.length : mismatch;
        int lines = 0;
        for (int i = 0; i < same; i++) {
            lines += own[i] == '\n' ? 1 : 0;
        }
        return same >= Math.min(Digest.HEAD_BYTES, Math.min(own.length, others.length)) && lines > 1;
    }

    /** Whether two files have the same bytes from a place to another. */
    static boolean areSame(FileChannel file, FileChannel other, long from, long to) throws IOException {
        for (long at = from; at < to; ) {
            int length = (int) Math.min(COMPARED_BYTES, to - at);
            byte[] bytes = Digest.read(file, at, length);
            if (bytes.length < length || !Arrays.equals(bytes, Digest.read(other, at, length))) {
                return false;
            }
            at += length;
        }
        return true;
    }
}
