package dev.veilgate.archive;

import dev.veilgate.archive.words.DocumentWords;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.secret.Secret;
import dev.veilgate.sse.Document;
import dev.veilgate.sse.RefusedException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Adds documents in batches, and passes over those that the archive has as they are. While documents of a batch are
 * read, another thread prepares the batch before, and a third one merges what was added. What was in a batch that is
 * done stays, whatever comes after it.
 */
@Secret
public final class DocumentAdder implements AutoCloseable {
    /** Words in one batch for each document that it may have. */
    private static final int WORDS_A_DOCUMENT = 2_000;

    private static final int MOST_WORDS = 1_500_000;

    /** Bytes of all words of a batch, of which there may be two; preparing one takes some four times as many. */
    private static final long MOST_WORD_BYTES = 48 << 20;

    /** Documents that are looked up at a time, and bytes of them. */
    private static final int MOST_ASKED = 1 << 15;

    private static final long MOST_BYTES_ASKED = 16 << 20;

    private static final int MOST_ENDED = 1_000;

    /** Batches that are added while a merge is made: so many segments more a search may have to read meanwhile. */
    private static final int MOST_BATCHES_BESIDE = 64;

    private static final Duration LONGEST_BATCH = Duration.ofSeconds(10);

    private final Archive archive;
    private final int batchSize;
    private final Listener listener;
    private final List<NewDocument> asked = new ArrayList<>();
    private final List<ReadDocument> batch = new ArrayList<>();
    private final DocumentWords gathered;
    private final Set<String> askedNames = new HashSet<>();
    private Set<String> batchNames = new HashSet<>();
    private @Nullable Prepared pending;
    private @Nullable PreparationThread upkeep;
    private int batchesBeside;
    private boolean upkeepFails;
    private final Map<String, Ended> ended = new LinkedHashMap<>();
    private final Map<String, BooleanSupplier> gone = new LinkedHashMap<>();
    private long batchBegan = System.nanoTime();
    private long bytesAsked;
    private long bytes;
    private int words;
    private long wordBytes;
    private long added;
    private long replaced;
    private long unchanged;
    private long removed;

    /** A file that was read, with the number of its parts. */
    private record Ended(long parts, BooleanSupplier asRead) {}

    /** A batch that another thread prepares. */
    private record Prepared(List<ReadDocument> batch, Set<String> names, PreparationThread thread) {}

    /** Hears how far it is. */
    public interface Listener {
        /** Documents up to now that were looked at, and their bytes; not all of them are durable. */
        default void read(long documents, long bytes) {}

        /** A document was not added; the others of its batch were. */
        void refused(String name, String why);
    }

    /** @param batchSize most documents of a batch */
    public DocumentAdder(Archive archive, int batchSize, Listener listener) {
        this(archive, batchSize, listener, ExtractorProfile.RULES);
    }

    /**
     * An adder of documents whose words are made by other rules.
     *
     * @param rules of {@link ExtractorProfile}; other than 1 only for an archive of segments, which say theirs
     */
    DocumentAdder(Archive archive, int batchSize, Listener listener, int rules) {
        this.archive = archive;
        this.batchSize = batchSize;
        this.listener = listener;
        this.gathered = new DocumentWords(archive.answersRanges(), rules);
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
        String name = document.name();
        if (askedNames.contains(name)
                || batchNames.contains(name)
                || gone.containsKey(name)
                || pending != null && pending.names.contains(name)) {
            flush();
        }
        askedNames.add(name);
        asked.add(document);
        bytesAsked += document.bytes();
        if (asked.size() >= MOST_ASKED || bytesAsked >= MOST_BYTES_ASKED) {
            read();
        }
    }

    /** Reads those that were taken and are not there as they are. */
    private void read() throws IOException {
        boolean[] same = archive.same(asked);
        for (int i = 0; i < same.length; i++) {
            NewDocument document = asked.get(i);
            bytes += document.bytes();
            if (same[i]) {
                unchanged++;
            } else {
                read(document);
            }
            int waiting = batch.size() + (pending == null ? 0 : pending.batch.size());
            listener.read(added + waiting + unchanged, bytes);
        }
        asked.clear();
        bytesAsked = 0;
        askedNames.clear();
    }

    private void read(NewDocument document) throws IOException {
        ReadDocument read = ReadDocument.of(document, gathered);
        if (read.words().size() > Document.MAX_WORDS) {
            listener.refused(document.name(), "it has more than " + Document.MAX_WORDS + " words");
            return;
        }
        batch.add(read);
        batchNames.add(document.name());
        words += read.words().size();
        wordBytes += read.words().bytes();
        if (batch.size() >= batchSize
                || wordBytes >= MOST_WORD_BYTES
                || words >= Math.min(MOST_WORDS, (long) WORDS_A_DOCUMENT * batchSize)
                || System.nanoTime() - batchBegan > LONGEST_BATCH.toNanos()) {
            addBatch();
        }
    }

    /** Adds what was taken and is not added yet. */
    public void flush() throws IOException {
        read();
        addBatch();
        finishPending();
        deleteGone();
        endFiles();
        finishUpkeep();
    }

    /** Adds the batch before, and has this one prepared while the next is read. */
    private void addBatch() throws IOException {
        if (batch.isEmpty()) {
            return;
        }
        finishPending();
        List<ReadDocument> documents = List.copyOf(batch);
        Archive.Preparation preparation = archive.preparation(documents);
        pending = new Prepared(documents, batchNames, PreparationThread.start("archive-preparation", preparation));
        keepUp();
        batch.clear();
        batchNames = new HashSet<>();
        words = 0;
        wordBytes = 0;
        batchBegan = System.nanoTime();
    }

    private void finishPending() throws IOException {
        Prepared before = pending;
        pending = null;
        if (before != null) {
            finish(before);
        }
    }

    private void finish(Prepared prepared) throws IOException {
        try {
            count(prepared.thread.commit());
        } catch (RefusedException e) {
            addHalves(prepared.batch, e);
        }
        batchBegan = System.nanoTime();
    }

    /** Puts a merge in place that is made, or for which too many batches were added, and has the next one made. */
    private void keepUp() throws IOException {
        PreparationThread before = upkeep;
        if (before != null) {
            batchesBeside++;
            if (!before.isDone() && batchesBeside < MOST_BATCHES_BESIDE) {
                return;
            }
            finishUpkeep();
        }
        if (upkeepFails) {
            return;
        }
        archive.upkeep().ifPresent(next -> {
            upkeep = PreparationThread.start("archive-upkeep", next);
            batchesBeside = 0;
        });
    }

    private void finishUpkeep() throws IOException {
        PreparationThread before = upkeep;
        upkeep = null;
        if (before != null) {
            try {
                before.commit();
            } catch (IOException e) {
                upkeepFails = true; // it is tried again when all is added, and that fails if this was no chance
            }
        }
    }

    /** Adds documents, and those that can be if some are refused: by halves, for each addition is a commit. */
    private void add(List<ReadDocument> documents) throws IOException {
        try {
            count(archive.add(documents));
        } catch (RefusedException e) {
            addHalves(documents, e);
        }
    }

    private void count(Archive.Added result) {
        added += result.added();
        replaced += result.replaced();
        unchanged += result.same();
    }

    private void addHalves(List<ReadDocument> documents, RefusedException refusal) throws IOException {
        if (documents.size() == 1) {
            listener.refused(documents.getFirst().name(), String.valueOf(refusal.getMessage()));
            return;
        }
        int half = documents.size() / 2;
        add(documents.subList(0, half));
        add(documents.subList(half, documents.size()));
    }

    /** Ends: what was taken and not {@link #flush}ed is not added. */
    @Override
    public void close() throws IOException {
        Prepared left = pending;
        PreparationThread unfinished = upkeep;
        pending = null;
        upkeep = null;
        try {
            if (left != null) {
                left.thread.close();
            }
        } finally {
            if (unfinished != null) {
                unfinished.close();
            }
        }
    }

    /**
     * Deletes the parts that a file had before and has no more, now or with a later batch: those numbered above what it
     * has now.
     *
     * @param file   its name, behind which parts have a number sign and their number
     * @param asRead tells if it still is as it was read: else somebody may have added more of it
     */
    public void endOfFile(String file, long parts, BooleanSupplier asRead) throws IOException {
        ended.put(file, new Ended(parts, asRead));
        if (ended.size() >= MOST_ENDED) {
            endFiles();
        }
    }

    /**
     * Deletes what the file has no more at its place, now or with a later batch: an empty line, for example.
     *
     * @param asRead tells if the file still is as it was read
     */
    public void gone(String name, BooleanSupplier asRead) throws IOException {
        gone.put(name, asRead);
        if (gone.size() >= MOST_ASKED) {
            flush(); // what was there before may still be in a batch
        }
    }

    private void deleteGone() throws IOException {
        List<String> there = archive.present(List.copyOf(gone.keySet()));
        Map<BooleanSupplier, Boolean> answers = new HashMap<>(); // once a file, when it is known what is there
        List<String> deleted = there.stream()
                .filter(name -> answers.computeIfAbsent(gone.get(name), BooleanSupplier::getAsBoolean))
                .toList();
        try {
            removed += archive.deleteNamed(deleted);
        } catch (RefusedException e) {
            listener.refused(deleted.getFirst(), String.valueOf(e.getMessage()));
        }
        gone.clear();
    }

    private void endFiles() throws IOException {
        for (Map.Entry<String, Ended> each : ended.entrySet()) {
            Ended file = each.getValue();
            try {
                removed += archive.deletePartsAbove(each.getKey(), file.parts, file.asRead);
            } catch (RefusedException e) {
                listener.refused(each.getKey(), String.valueOf(e.getMessage()));
            }
        }
        ended.clear();
    }
}
