package dev.veilgate.archive;

import dev.veilgate.peks.Keyword;
import dev.veilgate.secret.Secret;
import dev.veilgate.sse.Document;
import dev.veilgate.sse.DocumentId;
import dev.veilgate.sse.RefusedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/**
 * Adds documents in batches, and passes over those that the archive has as they are. What was in a batch that is done
 * stays, whatever comes after it.
 */
@Secret
public final class DocumentAdder {
    /** Words in one batch, so that a message stays of a moderate size. */
    private static final int MOST_WORDS = 200_000;

    private final ArchiveFolder archive;
    private final int batchSize;
    private final Listener listener;
    private final List<NewDocument> batch = new ArrayList<>();
    private final Set<String> names = new HashSet<>();
    private int words;
    private long added;
    private long replaced;
    private long unchanged;
    private long removed;

    /** Hears how far it is. */
    public interface Listener {
        /** A batch is durable; so many documents were added up to now. */
        void committed(long documents);

        /** A document was not added; the others of its batch were. */
        void refused(String name, String why);
    }

    /** @param batchSize most documents of a batch */
    public DocumentAdder(ArchiveFolder archive, int batchSize, Listener listener) {
        this.archive = archive;
        this.batchSize = batchSize;
        this.listener = listener;
    }

    /** Documents that were added, those among them that took another's place. */
    public long added() {
        return added;
    }

    /** Documents that took the place of one with the same name and another content. */
    public long replaced() {
        return replaced;
    }

    /** Documents that were passed over, as the archive has them. */
    public long unchanged() {
        return unchanged;
    }

    /** Parts of files that the files have no more. */
    public long removed() {
        return removed;
    }

    /**
     * Takes a document, and adds the batch if it is full.
     *
     * @throws IOException if the document cannot be read, or the archive fails; then nothing more is to be done with it
     */
    public void add(NewDocument document) throws IOException {
        if (names.contains(document.name())) {
            flush();
        }
        Optional<StoredDocument> former = archive.named(document.name());
        if (former.isPresent() && Arrays.equals(former.get().digest(), document.digest())) {
            unchanged++;
            return;
        }
        SortedMap<Keyword, Integer> read = document.words().read();
        if (read.size() > Document.MAX_WORDS) {
            listener.refused(document.name(), "it has more than " + Document.MAX_WORDS + " words");
            return;
        }
        batch.add(new NewDocument(document.name(), document.digest(), () -> read));
        names.add(document.name());
        words += read.size();
        if (batch.size() >= batchSize || words >= MOST_WORDS) {
            flush();
        }
    }

    /** Adds what was taken and is not added yet. */
    public void flush() throws IOException {
        if (batch.isEmpty()) {
            return;
        }
        try {
            add(batch);
        } catch (RefusedException e) { // perhaps for one of them
            for (NewDocument each : batch) {
                try {
                    add(List.of(each));
                } catch (RefusedException why) {
                    listener.refused(each.name(), String.valueOf(why.getMessage()));
                }
            }
        }
        batch.clear();
        names.clear();
        words = 0;
        listener.committed(added);
    }

    private void add(List<NewDocument> documents) throws IOException {
        long others = 0;
        for (NewDocument each : documents) {
            others += archive.named(each.name()).isPresent() ? 1 : 0;
        }
        archive.add(documents);
        added += documents.size();
        replaced += others;
    }

    /**
     * Deletes the parts that a file had before and has no more: those numbered above what it has now. Some between may
     * never have been added, as they could not be read.
     *
     * @param file its name, behind which parts have a number sign and their number
     */
    public void endOfFile(String file, long parts) throws IOException {
        flush();
        List<DocumentId> gone = new ArrayList<>();
        long known = archive.parts(file);
        for (long part = parts + 1; ; part++) {
            Optional<StoredDocument> former = archive.named(partName(file, part));
            if (former.isEmpty() && part >= known) {
                break;
            }
            former.ifPresent(document -> gone.add(document.id()));
        }
        try {
            if (!gone.isEmpty()) {
                archive.delete(gone);
                removed += gone.size();
            }
            archive.noteParts(file, parts);
        } catch (RefusedException e) {
            listener.refused(file, String.valueOf(e.getMessage()));
        }
    }

    /** The name of a part of a file, such as a row. */
    public static String partName(String file, long part) {
        return file + "#" + part;
    }
}
