package dev.veilgate.sse.vasst16;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.sse.Answers;
import dev.veilgate.sse.CellStore;
import dev.veilgate.sse.CellStore.Cells;
import dev.veilgate.sse.DocumentId;
import dev.veilgate.sse.Hits;
import dev.veilgate.sse.RowServer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The server's side: a row is the entries (tag, tf) of a document, and the table {@code entries} has the tf by tag
 * and id, so that a search reads the entries of its tags only.
 */
final class Vasst16Server extends RowServer {
    private static final String ENTRIES = "entries";
    private static final int TF_BYTES = 4;

    private final int tagBytes;

    Vasst16Server(CellStore store, int tagBytes) {
        super(store);
        this.tagBytes = tagBytes;
    }

    /** tag || tf of each entry, ascending by tag. */
    static byte[] row(SortedMap<byte[], Integer> entries) {
        int bytes =
                entries.keySet().stream().mapToInt(tag -> tag.length + TF_BYTES).sum();
        ByteBuffer row = ByteBuffer.allocate(bytes);
        entries.forEach((tag, tf) -> row.put(tag).putInt(tf));
        return row.array();
    }

    @Override
    protected void check(byte[] row) throws MalformedEncodingException {
        if (row.length % (tagBytes + TF_BYTES) != 0) {
            throw new MalformedEncodingException("row.bytes", "must have " + (tagBytes + TF_BYTES) + " bytes an entry");
        }
    }

    @Override
    protected void checkToken(byte[] token) throws MalformedEncodingException {
        if (token.length != tagBytes && token.length != Integer.BYTES) {
            throw new MalformedEncodingException("token", "must have " + tagBytes + " bytes");
        }
    }

    @Override
    protected void add(Cells cells, byte[] id, byte[] row) {
        delete(cells, id);
        super.add(cells, id, row);
        for (int at = 0; at < row.length; at += tagBytes + TF_BYTES) {
            byte[] tf = Arrays.copyOfRange(row, at + tagBytes, at + tagBytes + TF_BYTES);
            cells.put(ENTRIES, entry(row, at, id), tf);
        }
    }

    @Override
    protected void delete(Cells cells, byte[] id) {
        byte[] row = cells.get(ROWS, id);
        if (row != null) {
            for (int at = 0; at < row.length; at += tagBytes + TF_BYTES) {
                cells.remove(ENTRIES, entry(row, at, id));
            }
            super.delete(cells, id);
        }
    }

    private byte[] entry(byte[] row, int at, byte[] id) {
        byte[] key = Arrays.copyOf(Arrays.copyOfRange(row, at, at + tagBytes), tagBytes + id.length);
        System.arraycopy(id, 0, key, tagBytes, id.length);
        return key;
    }

    /** The first token says how many documents are wanted, the best ones; 0 for all, without scores. */
    @Override
    protected byte[] search(Cells cells, List<byte[]> tokens) {
        byte[] head = tokens.getFirst();
        int most = head.length == Integer.BYTES ? ByteBuffer.wrap(head).getInt() : 0;
        List<byte[]> tags =
                tokens.stream().filter(token -> token.length == tagBytes).toList();
        if (most <= 0) {
            SortedSet<DocumentId> all = new TreeSet<>();
            tags.forEach(tag -> all.addAll(entries(cells, tag).keySet()));
            return Answers.ids(all);
        }
        long documents = cells.count(ROWS);
        Map<DocumentId, Double> scores = new HashMap<>();
        for (byte[] tag : tags) {
            Map<DocumentId, Integer> entries = entries(cells, tag);
            entries.forEach((id, tf) -> scores.merge(id, Vasst16.score(tf, documents, entries.size()), Double::sum));
        }
        List<Hits.Hit> best = new ArrayList<>();
        scores.forEach((id, score) -> best.add(new Hits.Hit(id, score)));
        best.sort(Comparator.comparingDouble(Hits.Hit::score).reversed().thenComparing(Hits.Hit::id));
        return Vasst16Scheme.ranking(best.subList(0, Math.min(most, best.size())));
    }

    private Map<DocumentId, Integer> entries(Cells cells, byte[] tag) {
        Map<DocumentId, Integer> entries = new HashMap<>();
        cells.scan(
                ENTRIES,
                tag,
                (key, tf) -> entries.put(
                        DocumentId.decode(Arrays.copyOfRange(key, tagBytes, key.length)),
                        ByteBuffer.wrap(tf).getInt()));
        return entries;
    }
}
