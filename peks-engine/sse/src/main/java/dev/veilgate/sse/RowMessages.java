package dev.veilgate.sse;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import java.util.ArrayList;
import java.util.List;

/**
 * Messages of schemes that keep a row of bytes for each document: add rows, delete rows, search by some tokens. For
 * those who write a scheme.
 */
public final class RowMessages {
    static final int ADD = 0;
    static final int DELETE = 1;
    static final int SEARCH = 2;

    private static final int MAX_ROWS = 1 << 20;
    private static final int MAX_TOKENS = 1 << 10;

    private RowMessages() {}

    /**
     * The row of a document.
     *
     * @param bytes as the scheme makes them; not copied
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Row(DocumentId id, byte[] bytes) {}

    /** Asks to add rows. */
    public static byte[] add(List<Row> rows) {
        CborWriter out = new CborWriter(1 << 12).array(2).integer(ADD).array(rows.size());
        rows.forEach(row -> out.array(2).bytes(row.id().encode()).bytes(row.bytes()));
        return out.toByteArray();
    }

    /** Asks to delete the rows of documents. */
    public static byte[] delete(List<Document> documents) {
        return new CborWriter(1 << 8)
                .array(2)
                .integer(DELETE)
                .encoded(Answers.ids(documents.stream().map(Document::id).toList()))
                .toByteArray();
    }

    /** Asks to search by tokens, one or more. */
    public static byte[] search(List<byte[]> tokens) {
        CborWriter out = new CborWriter(1 << 8).array(2).integer(SEARCH).array(tokens.size());
        tokens.forEach(out::bytes);
        return out.toByteArray();
    }

    static List<Row> readRows(CborReader in, int maxBytes) throws MalformedEncodingException {
        int count = in.array("rows", MAX_ROWS);
        List<Row> rows = new ArrayList<>(Math.min(count, 1 << 10));
        for (int i = 0; i < count; i++) {
            begin(in, "row", 2);
            DocumentId id = DocumentId.decode(in.fixedBytes("row.id", DocumentId.BYTES));
            rows.add(new Row(id, in.bytes("row.bytes", maxBytes)));
        }
        return rows;
    }

    static List<byte[]> readTokens(CborReader in, int maxBytes) throws MalformedEncodingException {
        int count = in.array("tokens", MAX_TOKENS);
        if (count == 0) {
            throw in.malformed("tokens", "must be at least one");
        }
        List<byte[]> tokens = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            tokens.add(in.bytes("token", maxBytes));
        }
        return tokens;
    }

    /** Reads the head of an array of that many items. */
    public static void begin(CborReader in, String field, int items) throws MalformedEncodingException {
        if (in.array(field, items) != items) {
            throw in.malformed(field, "must have " + items + " items");
        }
    }
}
