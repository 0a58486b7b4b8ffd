package dev.veilgate.archive;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.Keyword;
import dev.veilgate.secret.Secret;
import dev.veilgate.sse.ArchiveKey;
import dev.veilgate.sse.CellStore;
import dev.veilgate.sse.CellStore.Cells;
import dev.veilgate.sse.Document;
import dev.veilgate.sse.DocumentId;
import dev.veilgate.sse.Done;
import dev.veilgate.sse.Prf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The documents of an archive in the owner's cells: names and words, sealed, and what is being done with them.
 *
 * <p>A change is first noted as pending, then made at the server, then noted as made. So after a crash the pending
 * ones, and no others, are to be repeated.
 */
@Secret
final class DocumentTable {
    /** Begins with a word and a point, as no table of a scheme does. */
    private static final String DOCUMENTS = "archive.documents";

    private static final String WORDS = "archive.words";
    private static final String NAMES = "archive.names";
    private static final String PENDING = "archive.pending";
    private static final String PARTS = "archive.parts";
    private static final String CHECK = "archive.check";
    private static final byte[] CHECKED = {1};

    /** A pending change of a document. */
    enum Change {
        /** The server may not have it yet. */
        ADDED,
        /** The server may still have it. */
        DELETED
    }

    /** Words of a document that is to be added under a name. */
    record Addition(String name, byte[] digest, SortedMap<Keyword, Integer> words) {}

    private final CellStore store;
    private final SealedCells sealed;
    private final Prf names;
    private final SecureRandom random;

    DocumentTable(CellStore store, ArchiveKey key, SecureRandom random) {
        this.store = store;
        this.sealed = new SealedCells(key, random);
        this.names = key.prf("archive/names");
        this.random = random;
    }

    /** Notes which key the archive has. */
    void create() {
        store.<Done, RuntimeException>transact(cells -> {
            cells.put(CHECK, CHECKED, sealed.seal(CHECK, CHECKED, new byte[0]));
            return Done.DONE;
        });
    }

    /** @throws UnusableKeyException if the archive has another key */
    void requireKey() throws IOException {
        store.<Done, IOException>transact(cells -> {
            byte[] noted = cells.get(CHECK, CHECKED);
            if (noted == null || sealed.open(CHECK, CHECKED, noted).length != 0) {
                throw new UnusableArchiveException("the owner's side of the archive is damaged: it names no key");
            }
            return Done.DONE;
        });
    }

    private byte[] nameKey(String name) {
        return names.apply(name.getBytes(StandardCharsets.UTF_8));
    }

    /** The document of a name, if there is one that is not being deleted. */
    Optional<StoredDocument> named(String name) throws IOException {
        return store.<Optional<StoredDocument>, IOException>transact(cells -> {
            byte[] id = cells.get(NAMES, nameKey(name));
            return id == null ? Optional.empty() : document(cells, id);
        });
    }

    /** The document of an id, if it is neither being added nor being deleted. */
    Optional<StoredDocument> withId(DocumentId id) throws IOException {
        return store.<Optional<StoredDocument>, IOException>transact(
                cells -> cells.get(PENDING, id.encode()) != null ? Optional.empty() : document(cells, id.encode()));
    }

    private Optional<StoredDocument> document(Cells cells, byte[] id) throws IOException {
        byte[] value = cells.get(DOCUMENTS, id);
        if (value == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(StoredDocument.decode(DocumentId.decode(id), sealed.open(DOCUMENTS, id, value)));
        } catch (MalformedEncodingException e) {
            throw new UnusableArchiveException("the names of documents are damaged: " + e.getMessage(), e);
        }
    }

    /** The number of parts, such as rows, that a file had when it was read last; 0 if that is not known. */
    long parts(String file) throws IOException {
        byte[] key = nameKey(file);
        return store.<Long, IOException>transact(cells -> {
            byte[] noted = cells.get(PARTS, key);
            return noted == null
                    ? 0L
                    : ByteBuffer.wrap(sealed.open(PARTS, key, noted)).getLong();
        });
    }

    /** Notes how many parts a file has. */
    void noteParts(String file, long parts) {
        byte[] key = nameKey(file);
        byte[] number = ByteBuffer.allocate(Long.BYTES).putLong(parts).array();
        store.<Done, RuntimeException>transact(cells -> {
            cells.put(PARTS, key, sealed.seal(PARTS, key, number));
            return Done.DONE;
        });
    }

    /** The number of documents of the archive, those that are being added or deleted among them. */
    long count() {
        return store.<Long, RuntimeException>transact(cells -> cells.count(DOCUMENTS));
    }

    /** Notes that documents are to be added, each in place of the one that has its name. */
    void beginAdding(List<Addition> additions) throws IOException {
        store.<Done, IOException>transact(cells -> {
            for (Addition addition : additions) {
                byte[] nameKey = nameKey(addition.name());
                byte[] former = cells.get(NAMES, nameKey);
                if (former != null) {
                    note(cells, former, Change.DELETED);
                }
                byte[] id = freshId(cells);
                StoredDocument document = new StoredDocument(DocumentId.decode(id), addition.name(), addition.digest());
                cells.put(DOCUMENTS, id, sealed.seal(DOCUMENTS, id, document.encode()));
                cells.put(WORDS, id, sealed.seal(WORDS, id, StoredDocument.encodeWords(addition.words())));
                cells.put(NAMES, nameKey, id);
                note(cells, id, Change.ADDED);
            }
            return Done.DONE;
        });
    }

    private byte[] freshId(Cells cells) {
        while (true) {
            byte[] id = new DocumentId(random.nextLong()).encode();
            if (cells.get(DOCUMENTS, id) == null) {
                return id;
            }
        }
    }

    /** Notes that documents are to be deleted; their names are free at once. */
    void beginDeleting(Collection<DocumentId> ids) throws IOException {
        store.<Done, IOException>transact(cells -> {
            for (DocumentId id : ids) {
                Optional<StoredDocument> document = document(cells, id.encode());
                if (document.isPresent()) {
                    byte[] nameKey = nameKey(document.get().name());
                    if (Arrays.equals(cells.get(NAMES, nameKey), id.encode())) { // an older form has none
                        cells.remove(NAMES, nameKey);
                    }
                    note(cells, id.encode(), Change.DELETED);
                }
            }
            return Done.DONE;
        });
    }

    private static void note(Cells cells, byte[] id, Change change) {
        cells.put(PENDING, id, new byte[] {(byte) change.ordinal()});
    }

    private static boolean isPending(Change change, byte @Nullable [] noted) {
        return noted != null && noted.length == 1 && noted[0] == change.ordinal();
    }

    private static List<byte[]> pendingIds(Cells cells, Change change) {
        List<byte[]> ids = new ArrayList<>();
        cells.scan(PENDING, new byte[0], (id, noted) -> {
            if (isPending(change, noted)) {
                ids.add(id);
            }
        });
        return ids;
    }

    /** The documents of which a change is pending, with their words. */
    List<Document> pending(Change change) throws IOException {
        return store.<List<Document>, IOException>transact(cells -> {
            List<Document> documents = new ArrayList<>();
            for (byte[] id : pendingIds(cells, change)) {
                byte[] value = cells.get(WORDS, id);
                if (value == null) {
                    throw new UnusableArchiveException("the words of a document are missing");
                }
                try {
                    documents.add(new Document(
                            DocumentId.decode(id), StoredDocument.decodeWords(sealed.open(WORDS, id, value))));
                } catch (MalformedEncodingException e) {
                    throw new UnusableArchiveException("the words of documents are damaged: " + e.getMessage(), e);
                }
            }
            return documents;
        });
    }

    /** Notes that the server has made pending changes of a kind. */
    void made(Change change, List<Document> changed) {
        store.<Done, RuntimeException>transact(cells -> {
            for (Document document : changed) {
                byte[] id = document.id().encode();
                cells.remove(PENDING, id);
                if (change == Change.DELETED) {
                    cells.remove(DOCUMENTS, id);
                    cells.remove(WORDS, id);
                }
            }
            return Done.DONE;
        });
    }

    /** Takes back what {@link #beginAdding} noted, for additions that were refused before anything was sent. */
    void takeBackAdding() throws IOException {
        store.<Done, IOException>transact(cells -> {
            for (byte[] id : pendingIds(cells, Change.ADDED)) {
                Optional<StoredDocument> document = document(cells, id);
                if (document.isPresent()) {
                    cells.remove(NAMES, nameKey(document.get().name()));
                }
                cells.remove(PENDING, id);
                cells.remove(DOCUMENTS, id);
                cells.remove(WORDS, id);
            }
            takeBackDeleting(cells);
            return Done.DONE;
        });
    }

    /** Takes back deletions that were noted and refused; the name of one is given back if no other document has it. */
    void takeBackDeleting() throws IOException {
        store.<Done, IOException>transact(cells -> {
            takeBackDeleting(cells);
            return Done.DONE;
        });
    }

    private void takeBackDeleting(Cells cells) throws IOException {
        for (byte[] id : pendingIds(cells, Change.DELETED)) {
            Optional<StoredDocument> document = document(cells, id);
            if (document.isPresent()) {
                byte[] nameKey = nameKey(document.get().name());
                if (cells.get(NAMES, nameKey) == null) {
                    cells.put(NAMES, nameKey, id);
                }
            }
            cells.remove(PENDING, id);
        }
    }
}
