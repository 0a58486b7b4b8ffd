package dev.veilgate.sse;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.secret.Secret;
import dev.veilgate.sse.CellStore.Cells;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The message that an owner saved, with all changes that belong to it, before sending it, until it is answered. Only
 * one at a time. For those who write a scheme.
 *
 * @param search  from which a search goes on after a crash, at most 255 bytes; empty for any other message
 * @param message as it is sent
 */
@Secret
@SuppressWarnings("ArrayRecordComponent")
public record OpenMessage(byte[] search, byte[] message) {
    private static final String TABLE = "open";
    private static final byte[] FIRST = {0};
    private static final int PIECE_BYTES = 1 << 24;

    /** A message that needs nothing after a crash but to be sent again. */
    public static OpenMessage of(byte[] message) {
        return new OpenMessage(new byte[0], message);
    }

    /** The one that is open. */
    public static Optional<OpenMessage> read(Cells cells) {
        ByteArrayOutputStream pieces = new ByteArrayOutputStream();
        cells.scan(TABLE, new byte[0], (_, piece) -> pieces.writeBytes(piece));
        byte[] value = pieces.toByteArray();
        if (value.length == 0) {
            return Optional.empty();
        }
        int search = 1 + (value[0] & 0xff);
        return Optional.of(
                new OpenMessage(Arrays.copyOfRange(value, 1, search), Arrays.copyOfRange(value, search, value.length)));
    }

    /** Refuses to begin anything while a message is open. */
    public static void requireNone(Cells cells) throws SseException {
        if (cells.get(TABLE, FIRST) != null) {
            throw new SseException("an operation was begun and not ended; it is to be gone on with first");
        }
    }

    /**
     * Saves it in place of the one that is open, in as many cells as it takes: an owner who could not save what ends a
     * search could do nothing any more.
     *
     * @throws RefusedException if it is longer than a message may be
     */
    public void save(Cells cells) throws RefusedException {
        if (message.length > Message.MAX_WHOLE_BYTES) {
            throw new RefusedException("a message would have " + message.length + " bytes and may have "
                    + Message.MAX_WHOLE_BYTES + ": give fewer documents at a time");
        }
        clear(cells);
        byte[] value = ByteBuffer.allocate(1 + search.length + message.length)
                .put((byte) search.length)
                .put(search)
                .put(message)
                .array();
        for (int from = 0; from < value.length; from += PIECE_BYTES) {
            int to = Math.min(value.length, from + PIECE_BYTES);
            cells.put(TABLE, key(from / PIECE_BYTES), Arrays.copyOfRange(value, from, to));
        }
    }

    private static byte[] key(int piece) {
        return new byte[] {(byte) piece};
    }

    /**
     * The first message of a search.
     *
     * @param message as it is sent
     * @param saved   whether it is open until it is answered: a search that changes nothing is not
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Begun(byte[] message, boolean saved) {}

    /** The first message of a search, which is saved if the search changes something. */
    @FunctionalInterface
    public interface SearchMaking {
        /** Makes it, with the transaction. */
        byte[] make(Cells cells) throws SseException;
    }

    /**
     * Begins a search, or goes on with it if a crash left it open.
     *
     * @param search from which it goes on after a crash
     */
    public static Begun begin(CellStore state, byte[] search, SearchMaking making) throws SseException {
        return state.<Begun, SseException>transact(cells -> {
            Optional<OpenMessage> open = read(cells).filter(of -> Arrays.equals(of.search, search));
            if (open.isPresent()) {
                return new Begun(open.get().message, true);
            }
            requireNone(cells);
            return new Begun(making.make(cells), read(cells).isPresent());
        });
    }

    /** Refuses the answer to a search that is not open. */
    public static void requireOpen(Cells cells, byte[] search) throws SseException {
        if (read(cells).filter(of -> Arrays.equals(of.search, search)).isEmpty()) {
            throw new SseException("this search was ended already");
        }
    }

    /** Makes a message and saves it, or says that there is nothing to send. */
    @FunctionalInterface
    public interface Making {
        /** Makes it. */
        Optional<byte[]> make() throws SseException;
    }

    /** An operation of one saved message that is closed by its answer. */
    public static Exchange<Done> sending(CellStore state, Making making) {
        return new Exchange<>() {
            @Override
            public Turn<Done> begin() throws SseException {
                return making.make()
                        .map(message -> Turn.<Done>ask(Message.of(message)))
                        .orElse(Turn.end(Done.DONE));
            }

            @Override
            public Turn<Done> next(List<Message> answers) throws SseException {
                return closed(state, answers, Done.DONE);
            }
        };
    }

    /** The end of an operation whose saved message was carried out. */
    public static <R> Turn<R> closed(CellStore state, List<Message> answers, R result) throws SseException {
        return SingleTurn.readOne(answers, answer -> {
            MessageOrder.requireAccepted(answer);
            requireDone(answer);
            state.transact(cells -> {
                clear(cells);
                return result;
            });
            return Turn.end(result);
        });
    }

    private static void requireDone(byte[] answer) throws MalformedEncodingException {
        if (!Arrays.equals(answer, MessageOrder.done())) {
            throw new MalformedEncodingException("answer", "must say that the message was carried out");
        }
    }

    /** Closes the one that is open, with the transaction. */
    public static void clear(Cells cells) {
        for (int piece = 0; cells.get(TABLE, key(piece)) != null; piece++) {
            cells.remove(TABLE, key(piece));
        }
    }

    /** Shows nothing. */
    @Override
    public String toString() {
        return "OpenMessage[hidden]";
    }
}
