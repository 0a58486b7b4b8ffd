package dev.veilgate.sse;

import dev.veilgate.sse.CellStore.Cells;

/**
 * The ids of all documents that an owner ever added: for schemes in which a pair of word and document must not come a
 * second time. For those who write a scheme.
 */
public final class UsedIds {
    private static final String TABLE = "documents";
    private static final byte[] LIVE = {1};
    private static final byte[] DELETED = {2};

    private UsedIds() {}

    /**
     * Takes an id, with the transaction.
     *
     * @return whether it is new; if not, the document was added before, and is passed over
     * @throws RefusedException if the document was deleted
     */
    public static boolean add(Cells cells, DocumentId id) throws RefusedException {
        byte[] known = cells.get(TABLE, id.encode());
        if (known == null) {
            cells.put(TABLE, id.encode(), LIVE);
            return true;
        }
        if (known[0] == DELETED[0]) {
            throw new RefusedException("the document " + id + " was deleted; ids are used once");
        }
        return false;
    }

    /** Marks a document as deleted, with the transaction. Returns whether it lived. */
    public static boolean delete(Cells cells, DocumentId id) {
        if (!isLive(cells, id)) {
            return false;
        }
        cells.put(TABLE, id.encode(), DELETED);
        return true;
    }

    /** Whether a document was added and not deleted. */
    public static boolean isLive(Cells cells, DocumentId id) {
        byte[] known = cells.get(TABLE, id.encode());
        return known != null && known[0] == LIVE[0];
    }
}
