package dev.veilgate.agent.follow;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The last bytes before a place in a file, by which it is seen that a file was cut and written again: the last record whole, and a kilobyte if there is as much. Records that end alike, as JSON with
 * the same labels does, differ where they begin.
 *
 * @param bytes  at most {@link Digest#TAIL_BYTES}
 * @param record the last record, if it is longer than that
 */
@SuppressWarnings("ArrayRecordComponent")
record LastBytes(byte[] bytes, @Nullable Digest record) {
    static final LastBytes NONE = new LastBytes(new byte[0], null);

    /** What is before a place now. */
    static LastBytes before(FileChannel channel, long place) throws IOException {
        int length = (int) Math.min(place, Digest.TAIL_BYTES);
        return new LastBytes(Digest.read(channel, place - length, length), null);
    }

    /** Behind one more record. */
    LastBytes and(byte[] more) {
        if (more.length > Digest.TAIL_BYTES) {
            byte[] last = Arrays.copyOfRange(more, more.length - Digest.TAIL_BYTES, more.length);
            return new LastBytes(last, Digest.of(more, 0, more.length));
        }
        int kept = Math.min(bytes.length, Digest.TAIL_BYTES - more.length);
        byte[] last = Arrays.copyOfRange(bytes, bytes.length - kept, bytes.length + more.length);
        System.arraycopy(more, 0, last, kept, more.length);
        return new LastBytes(last, null);
    }

    Digest digest() {
        return record != null ? record : Digest.of(bytes, 0, bytes.length);
    }

    /** Whether the file has them before a place. */
    boolean areBefore(long place, FileChannel channel) throws IOException {
        return record != null
                ? record.isAt(channel, place - record.length())
                : Arrays.equals(bytes, Digest.read(channel, place - bytes.length, bytes.length));
    }
}
