package dev.veilgate.agent.follow;

import java.io.IOException;
import java.nio.channels.FileChannel;

/** Finds where the last line of a file begins, for those who want only what is new. */
final class LastLine {
    private static final int STEP = 1 << 16;

    private LastLine() {}

    static FilePosition position(FileChannel channel, FilePosition start) throws IOException {
        TextForm form = TextForm.of(channel);
        int unit = form.unit();
        long end = channel.size() / unit * unit;
        while (end > 0) {
            long from = Math.max(0, end - STEP);
            byte[] bytes = Digest.read(channel, from, (int) (end - from));
            for (int i = bytes.length / unit * unit - unit; i >= 0; i -= unit) {
                if (form.isLineFeed(bytes, i)) {
                    return at(channel, start, from + i + unit);
                }
            }
            end = from;
        }
        return start;
    }

    static FilePosition at(FileChannel channel, FilePosition start, long offset) throws IOException {
        byte[] head = Digest.read(channel, 0, (int) Math.min(offset, Digest.HEAD_BYTES));
        int tail = (int) Math.min(offset, Digest.TAIL_BYTES);
        byte[] last = Digest.read(channel, offset - tail, tail);
        return new FilePosition(
                start.path(),
                start.id(),
                offset,
                Digest.of(head, 0, head.length),
                Digest.of(last, 0, last.length),
                "",
                0,
                false);
    }
}
