package dev.veilgate.agent.follow;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Bytes by which an open file is known again: its first ones, and the last that were read.
 */
final class RememberedBytes {
    private static final byte[] NO_BYTES = {};

    /** The first bytes of what was read, until as many are sealed; then their digest is kept. */
    private byte[] head;

    private @Nullable Digest longHead;
    private LastBytes read;
    /** The last bytes before the place at which the file was taken up again; null once more was read. */
    private @Nullable Digest resumedTail;

    private RememberedBytes(FilePosition at, byte[] head, LastBytes last) {
        this.head = at.head().length() == Digest.HEAD_BYTES ? NO_BYTES : head;
        this.read = last;
        this.longHead = at.head().length() == Digest.HEAD_BYTES ? at.head() : null;
        this.resumedTail = at.tail();
    }

    /** Bytes of a file that is taken up at a position. */
    static RememberedBytes of(FileChannel channel, FilePosition at) throws IOException {
        byte[] head = Digest.read(channel, 0, (int) Math.min(at.offset(), Digest.HEAD_BYTES));
        return new RememberedBytes(at, head, LastBytes.before(channel, at.offset()));
    }

    /** No bytes, of a file of which nothing was read. */
    static RememberedBytes ofNone(FilePosition start) {
        return new RememberedBytes(start, NO_BYTES, LastBytes.NONE);
    }

    /** Adds what was read behind them. */
    void add(byte[] all) {
        if (longHead == null && head.length < Digest.HEAD_BYTES) {
            int more = Math.min(Digest.HEAD_BYTES - head.length, all.length);
            byte[] longer = Arrays.copyOf(head, head.length + more);
            System.arraycopy(all, 0, longer, head.length, more);
            head = longer;
        }
        read = read.and(all);
        resumedTail = null;
    }

    /** Goes to a place, up to which all is taken to be sealed. */
    void skipTo(FileChannel channel, long place) throws IOException {
        if (longHead == null) {
            head = Digest.read(channel, 0, (int) Math.min(place, Digest.HEAD_BYTES));
        }
        read = LastBytes.before(channel, place);
        resumedTail = null;
    }

    /** Notes up to where all is sealed. */
    void seal(long place) {
        if (longHead == null && place >= Digest.HEAD_BYTES) {
            longHead = Digest.of(head, 0, Digest.HEAD_BYTES);
            head = NO_BYTES;
        }
    }

    LastBytes read() {
        return read;
    }

    /** Digest of the last bytes that were read. */
    Digest tail() {
        Digest resumed = resumedTail;
        return resumed != null ? resumed : read.digest();
    }

    /** Digest of the first bytes, of those before a place. */
    Digest head(long place) {
        return longHead != null ? longHead : Digest.of(head, 0, (int) Math.min(place, head.length));
    }

    /** Whether a file has these bytes still, at its beginning and before a place. */
    boolean areIn(FileChannel channel, long place) throws IOException {
        Digest resumed = resumedTail;
        return (resumed == null || resumed.isAt(channel, place - resumed.length()))
                && read.areBefore(place, channel)
                && isHeadOf(channel);
    }

    private boolean isHeadOf(FileChannel channel) throws IOException {
        return longHead != null ? longHead.isAt(channel, 0) : Arrays.equals(head, Digest.read(channel, 0, head.length));
    }
}
