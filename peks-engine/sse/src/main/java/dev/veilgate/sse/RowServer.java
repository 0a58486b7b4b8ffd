package dev.veilgate.sse;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.sse.CellStore.Cells;
import java.io.IOException;
import java.util.List;

/**
 * The server's side of schemes that keep a row of bytes for each document, and look at all rows to search. For those
 * who write a scheme.
 */
public abstract class RowServer implements SseServer {
    /** The table of rows by id. */
    protected static final String ROWS = "rows";

    private static final int MAX_TOKEN_BYTES = 1 << 12;

    private final CellStore store;

    /** @param store the server's cells */
    protected RowServer(CellStore store) {
        this.store = store;
    }

    /**
     * Checks a row that comes from anywhere.
     *
     * @throws MalformedEncodingException if it is none of this scheme
     */
    protected abstract void check(byte[] row) throws MalformedEncodingException;

    /**
     * Checks a token that comes from anywhere.
     *
     * @throws MalformedEncodingException if it is none of this scheme
     */
    protected abstract void checkToken(byte[] token) throws MalformedEncodingException;

    /** Keeps a row, in place of an earlier one of this document. */
    protected void add(Cells cells, byte[] id, byte[] row) {
        cells.put(ROWS, id, row);
    }

    /** Drops the row of a document, if there is one. */
    protected void delete(Cells cells, byte[] id) {
        cells.remove(ROWS, id);
    }

    /** The answer to a search. */
    protected abstract byte[] search(Cells cells, List<byte[]> tokens);

    @Override
    public final void answer(Message message, MessageSink out) throws IOException, MalformedEncodingException {
        CborReader in = new CborReader("message", message.toBytes());
        RowMessages.begin(in, "message", 2);
        byte[] answer = switch (in.uint("kind", RowMessages.SEARCH)) {
            case RowMessages.ADD -> {
                List<RowMessages.Row> rows = RowMessages.readRows(in, CellStore.MAX_VALUE_BYTES);
                in.end();
                for (RowMessages.Row row : rows) {
                    check(row.bytes());
                }
                yield store.transact(cells -> {
                    rows.forEach(row -> add(cells, row.id().encode(), row.bytes()));
                    return Answers.done();
                });
            }
            case RowMessages.DELETE -> {
                List<DocumentId> ids = Answers.readIds(in.rawItem("ids"));
                in.end();
                yield store.transact(cells -> {
                    ids.forEach(id -> delete(cells, id.encode()));
                    return Answers.done();
                });
            }
            default -> {
                List<byte[]> tokens = RowMessages.readTokens(in, MAX_TOKEN_BYTES);
                in.end();
                for (byte[] token : tokens) {
                    checkToken(token);
                }
                yield store.transact(cells -> search(cells, tokens));
            }
        };
        out.send(Message.of(answer));
    }
}
