package dev.veilgate.sse.aura;

import dev.veilgate.secret.Secret;
import dev.veilgate.sse.CellStore.Cells;
import dev.veilgate.sse.SseException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * The message that an owner saved before sending it, until it is answered. Only one at a time.
 *
 * @param kind    of {@link AuraMessages}
 * @param word    the keys' W of a search; else nothing
 * @param message as it is sent
 */
@Secret
@SuppressWarnings("ArrayRecordComponent")
record OpenOperation(int kind, byte[] word, byte[] message) {
    private static final String TABLE = "open";
    private static final byte[] ONLY = {0};
    private static final int WORD_BYTES = 32;

    static Optional<OpenOperation> of(Cells cells) {
        byte[] value = cells.get(TABLE, ONLY);
        if (value == null) {
            return Optional.empty();
        }
        int word = value[0] == AuraMessages.SEARCH ? WORD_BYTES : 0;
        return Optional.of(new OpenOperation(
                value[0], Arrays.copyOfRange(value, 1, 1 + word), Arrays.copyOfRange(value, 1 + word, value.length)));
    }

    /** Refuses to begin anything while another operation is open. */
    static void requireNone(Cells cells) throws SseException {
        if (cells.get(TABLE, ONLY) != null) {
            throw new SseException("an operation was begun and not ended; it is to be gone on with first");
        }
    }

    void save(Cells cells) {
        cells.put(
                TABLE,
                ONLY,
                ByteBuffer.allocate(1 + word.length + message.length)
                        .put((byte) kind)
                        .put(word)
                        .put(message)
                        .array());
    }

    static void clear(Cells cells) {
        cells.remove(TABLE, ONLY);
    }

    @Override
    public String toString() {
        return "OpenOperation[hidden]";
    }
}
