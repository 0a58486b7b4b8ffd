package dev.veilgate.sse.sdd;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.sse.CellStore;
import dev.veilgate.sse.CellStore.Cells;
import dev.veilgate.sse.Message;
import dev.veilgate.sse.MessageSink;
import dev.veilgate.sse.SseServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The server of both schemes: looks for labels, and counts updates. Table {@code pairs} has values by
 * level, generation and label, {@code head} the number of updates and the mark of the last message.
 */
abstract class LevelServer implements SseServer {
    static final String PAIRS = "pairs";
    private static final String HEAD = "head";
    private static final byte[] NOTHING = {};
    private static final byte[] NO_MARK = new byte[LevelMessages.MARK_BYTES];
    private static final int MOST_ITEMS = 1 << 8;
    private static final int MOST_TOKENS = 1 << 7;
    private static final int LARGEST_STEP = 1 << 12;

    private final CellStore store;
    private final int capacity;

    LevelServer(CellStore store, int capacity) {
        this.store = store;
        this.capacity = capacity;
    }

    /**
     * State that the server knows in clear.
     *
     * @param count number of updates
     * @param mark  of the message that brought the last ones
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Head(int count, byte[] mark) {
        private byte[] encode() {
            return ByteBuffer.allocate(Integer.BYTES + mark.length)
                    .putInt(count)
                    .put(mark)
                    .array();
        }
    }

    /** A message that was read, to be carried out. */
    @FunctionalInterface
    interface Request {
        /** Does it, and gives the answer. */
        byte[] answer(Cells cells, Head head);
    }

    /**
     * Reads a message of the scheme's own.
     *
     * @param count number of updates before it, at most the capacity
     * @param items how many are left of it
     */
    abstract Request read(int kind, int count, int items, CborReader in) throws MalformedEncodingException;

    @Override
    public final void answer(Message message, MessageSink out) throws IOException, MalformedEncodingException {
        CborReader in = new CborReader("message", message.toBytes());
        int items = in.array("items", MOST_ITEMS);
        int kind = in.uint("kind", LevelMessages.READ);
        int count = in.uint("count", capacity);
        Request request = kind == LevelMessages.SEARCH ? search(in) : read(kind, count, items - 2, in);
        in.end();
        byte[] answer = store.transact(cells -> request.answer(cells, head(cells)));
        out.send(Message.of(answer));
    }

    private static Head head(Cells cells) {
        byte[] head = cells.get(HEAD, NOTHING);
        return head == null
                ? new Head(0, NO_MARK)
                : new Head(ByteBuffer.wrap(head).getInt(), Arrays.copyOfRange(head, Integer.BYTES, head.length));
    }

    static void putHead(Cells cells, Head head) {
        cells.put(HEAD, NOTHING, head.encode());
    }

    private static Request search(CborReader in) throws MalformedEncodingException {
        byte[] tokens = in.bytes("tokens", MOST_TOKENS * LevelMessages.TOKEN_BYTES);
        if (tokens.length % LevelMessages.TOKEN_BYTES != 0) {
            throw in.malformed("tokens", "must have " + LevelMessages.TOKEN_BYTES + " bytes each");
        }
        requireDifferentParts(tokens, in);
        return (cells, head) -> {
            List<byte[]> values = new ArrayList<>();
            Blocks blocks = new Blocks();
            for (int at = 0; at < tokens.length; at += LevelMessages.TOKEN_BYTES) {
                int key = at + Part.BYTES;
                values.add(search(
                        cells,
                        blocks,
                        Arrays.copyOfRange(tokens, at, key),
                        Arrays.copyOfRange(tokens, key, key + Blocks.BYTES)));
            }
            return LevelMessages.write(List.of(head.count()), values);
        };
    }

    /** A short message would else ask for all of a word, which may be most of the archive, many times. */
    private static void requireDifferentParts(byte[] tokens, CborReader in) throws MalformedEncodingException {
        Set<Part> parts = new HashSet<>();
        ByteBuffer each = ByteBuffer.wrap(tokens);
        for (int at = 0; at < tokens.length; at += LevelMessages.TOKEN_BYTES) {
            if (!parts.add(new Part(each.getInt(at), each.getInt(at + Integer.BYTES)))) {
                throw in.malformed("tokens", "must be of different parts");
            }
        }
    }

    /** The values of labels AES(kl, 0), AES(kl, 1), ... until one is missing. */
    private static byte[] search(Cells cells, Blocks blocks, byte[] part, byte[] labelKey) {
        ByteArrayOutputStream values = new ByteArrayOutputStream();
        byte[] key = Arrays.copyOf(part, Part.BYTES + Blocks.BYTES);
        int step = 4;
        for (int from = 0; ; from += step, step = Math.min(2 * step, LARGEST_STEP)) {
            ByteBuffer counters = ByteBuffer.allocate(step * Blocks.BYTES);
            for (int c = from; c < from + step; c++) {
                counters.putLong(0).putLong(c);
            }
            byte[] labels = blocks.encrypt(labelKey, counters.array());
            for (int at = 0; at < labels.length; at += Blocks.BYTES) {
                System.arraycopy(labels, at, key, Part.BYTES, Blocks.BYTES);
                byte[] value = cells.get(PAIRS, key);
                if (value == null) {
                    return values.toByteArray();
                }
                values.write(value, 0, value.length);
            }
        }
    }

    /** Keeps labels and values of a part. */
    static void putPairs(Cells cells, Part part, byte[] pairs, int from, int to) {
        for (int at = from; at < to; at += LevelKeys.PAIR_BYTES) {
            int value = at + Blocks.BYTES;
            cells.put(
                    PAIRS, part.with(pairs, at, Blocks.BYTES), Arrays.copyOfRange(pairs, value, value + Blocks.BYTES));
        }
    }
}
