package dev.veilgate.agent.follow;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The last bytes before a place in a file, by which it is seen that a file was cut and written again: the last record
 * whole, and a kilobyte if there is as much. Records that end alike, as JSON with the same labels does, differ where
 * they begin.
 *
 * <p>Put together when they are asked for, which is once a read or a commit, not once a line. For one thread.
 */
final class LastBytes {
    static final LastBytes NONE = new LastBytes(new byte[0]);

    /** Records in a row that are not put together yet: as long as they are not, none of them can be forgotten. */
    private static final int MOST_LATER = 64;

    /** At most {@link Digest#TAIL_BYTES}; null if they are not put together yet. */
    private byte @Nullable [] bytes;
    /** The last record, if it is longer than these. */
    private @Nullable Digest record;
    /** To be put together: the last record, behind others. */
    private byte @Nullable [] last;

    private @Nullable LastBytes before;
    private int later;

    private LastBytes(byte[] bytes) {
        this.bytes = bytes;
    }

    private LastBytes(LastBytes before, byte[] last) {
        this.before = before;
        this.last = last;
        this.later = before.later + 1;
    }

    /** The ones that are before a place now. */
    static LastBytes before(FileChannel channel, long place) throws IOException {
        int length = (int) Math.min(place, Digest.TAIL_BYTES);
        return new LastBytes(Digest.read(channel, place - length, length));
    }

    /** Behind one more record. */
    LastBytes and(byte[] more) {
        LastBytes all = new LastBytes(this, more);
        if (all.later > MOST_LATER || more.length > Digest.TAIL_BYTES) {
            all.bytes();
        }
        return all;
    }

    private byte[] bytes() {
        byte[] known = bytes;
        if (known != null) {
            return known;
        }
        byte[] all = new byte[Digest.TAIL_BYTES];
        int from = all.length;
        for (LastBytes at = this; at != null && from > 0; at = at.before) {
            byte[] piece = at.bytes != null ? at.bytes : Objects.requireNonNull(at.last);
            int length = Math.min(piece.length, from);
            from -= length;
            System.arraycopy(piece, piece.length - length, all, from, length);
            if (at.bytes != null) {
                break; // what is before is in it
            }
        }
        byte[] whole = Objects.requireNonNull(last);
        record = whole.length > Digest.TAIL_BYTES ? Digest.of(whole, 0, whole.length) : null;
        known = from == 0 ? all : Arrays.copyOfRange(all, from, all.length);
        bytes = known;
        last = null;
        before = null;
        later = 0;
        return known;
    }

    Digest digest() {
        byte[] all = bytes();
        return record != null ? record : Digest.of(all, 0, all.length);
    }

    /** Whether the file has them before a place. */
    boolean areBefore(long place, FileChannel channel) throws IOException {
        byte[] all = bytes();
        return record != null
                ? record.isAt(channel, place - record.length())
                : Arrays.equals(all, Digest.read(channel, place - all.length, all.length));
    }
}
