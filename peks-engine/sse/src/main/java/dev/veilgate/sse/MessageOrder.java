package dev.veilgate.sse;

import dev.veilgate.encoding.CborWriter;
import dev.veilgate.sse.CellStore.Cells;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Numbers the messages by which an owner with a state of her own changes an archive, so that a server tells a message
 * that comes again from an owner whose state was restored from a copy, and who would repeat what must not be repeated.
 * For those who write a scheme.
 *
 * <p>It protects from accidents. A server that lies can hide them, and a state that was restored before any message was
 * sent since is not told from the real one.
 */
public final class MessageOrder {
    private static final String TABLE = "order";
    private static final byte[] LAST = {0};
    private static final int CARRIED_OUT = 0;
    private static final int OUTDATED = 1;

    private MessageOrder() {}

    /** The owner's next number, from 1, which is saved with the transaction. */
    public static long next(Cells ownerCells) {
        long number = last(ownerCells) + 1;
        ownerCells.put(
                TABLE, LAST, ByteBuffer.allocate(Long.BYTES).putLong(number).array());
        return number;
    }

    /** The owner's last number, or the last that a server took; 0 if there is none. */
    public static long last(Cells cells) {
        byte[] value = cells.get(TABLE, LAST);
        return value == null ? 0 : ByteBuffer.wrap(value).getLong();
    }

    /**
     * Whether a server may carry out a message: it is newer than all before, or is the last one again.
     *
     * @return false if the owner's state is older than what the server has seen of it; nothing is changed then
     */
    public static boolean accept(Cells serverCells, long number, byte[] message) {
        byte[] value = serverCells.get(TABLE, LAST);
        byte[] digest = digest(message);
        if (value != null) {
            long last = ByteBuffer.wrap(value).getLong();
            if (number < last) {
                return false;
            }
            if (number == last) {
                return Arrays.equals(value, Long.BYTES, value.length, digest, 0, digest.length);
            }
        }
        serverCells.put(
                TABLE,
                LAST,
                ByteBuffer.allocate(Long.BYTES + digest.length)
                        .putLong(number)
                        .put(digest)
                        .array());
        return true;
    }

    /** The answer to a message that was carried out. */
    public static byte[] done() {
        return new CborWriter(2).array(1).integer(CARRIED_OUT).toByteArray();
    }

    /** The answer to a message that is not accepted. */
    public static byte[] outdated() {
        return new CborWriter(2).array(1).integer(OUTDATED).toByteArray();
    }

    /** @throws OutdatedStateException if an answer says that the server has seen a newer state of the owner */
    public static void requireAccepted(byte[] answer) throws OutdatedStateException {
        if (!Arrays.equals(answer, outdated())) {
            return;
        }
        throw new OutdatedStateException(
                "the server has seen a newer state of this archive's owner: her cells were restored"
                        + " from a copy, or a second device has one. Going on would show it what it must not see");
    }

    private static byte[] digest(byte[] message) {
        return new Sha256().add(message).finish();
    }
}
