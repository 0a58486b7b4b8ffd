package dev.veilgate.archive;

import dev.veilgate.archive.DocumentTable.Addition;
import dev.veilgate.archive.DocumentTable.Change;
import dev.veilgate.archive.store.MvStoreCells;
import dev.veilgate.archive.words.ArchiveQuery;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.files.DurableFiles;
import dev.veilgate.secret.Secret;
import dev.veilgate.sse.ArchiveKey;
import dev.veilgate.sse.Capabilities;
import dev.veilgate.sse.Channel;
import dev.veilgate.sse.ConflictException;
import dev.veilgate.sse.Document;
import dev.veilgate.sse.DocumentId;
import dev.veilgate.sse.Exchange;
import dev.veilgate.sse.Hits;
import dev.veilgate.sse.Parameters;
import dev.veilgate.sse.RefusedException;
import dev.veilgate.sse.SseException;
import dev.veilgate.sse.SseExpression;
import dev.veilgate.sse.SseOwner;
import dev.veilgate.sse.SseScheme;
import dev.veilgate.sse.SseSchemes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * An archive with both sides in one folder: {@code archive.json}, {@code archive.key}, {@code owner.mv},
 * {@code server.mv}. The last one is all that a server would have: its cells are those of the scheme and nothing else.
 * Names and words of documents are in {@code owner.mv}, sealed under the key.
 *
 * <p>What a method did is durable when it returns. What a killed process had begun is done by {@link #open}. One
 * process has the folder at a time; for one thread.
 */
@Secret
public final class ArchiveFolder implements Archive {
    private static final String OWNER = "owner.mv";
    private static final String SERVER = "server.mv";
    private static final int ATTEMPTS = 3;
    private static final int USUAL_BATCH = 100;

    private final SseScheme scheme;
    private final Parameters parameters;
    private final ArchiveKey key;
    private final MvStoreCells ownerCells;
    private final MvStoreCells serverCells;
    private final DocumentTable documents;
    private final SseOwner owner;
    private final Traffic traffic;
    private final Resumed resumed;

    private ArchiveFolder(
            SseScheme scheme,
            Parameters parameters,
            ArchiveKey key,
            MvStoreCells ownerCells,
            MvStoreCells serverCells,
            SecureRandom random)
            throws IOException {
        this.scheme = scheme;
        this.parameters = parameters;
        this.key = key;
        this.ownerCells = ownerCells;
        this.serverCells = serverCells;
        this.documents = new DocumentTable(ownerCells, key, random);
        documents.requireKey();
        this.owner = scheme.owner(key, ownerCells, parameters, random);
        this.traffic = new Traffic(Channel.to(scheme.server(serverCells, parameters)));
        this.resumed = resume();
    }

    /**
     * Makes an archive.
     *
     * @param folder is made if it is not there, and must be empty if it is
     */
    public static void create(Path folder, SseScheme scheme, Parameters parameters, SecureRandom random)
            throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> content = Files.list(folder)) { // says so if it is a file
                if (content.findAny().isPresent()) {
                    throw new UnusableArchiveException(folder + " is not empty: an archive has a folder of its own");
                }
            }
        }
        DurableFiles.createFolder(folder);
        try (ArchiveKey key = ArchiveKey.random(random);
                MvStoreCells cells = MvStoreCells.create(folder.resolve(OWNER))) {
            ArchiveKeyFile.write(folder, ArchiveKeyFile.FILE, key);
            new DocumentTable(cells, key, random).create();
        }
        MvStoreCells.create(folder.resolve(SERVER)).close();
        new ArchiveDescription(scheme.id(), parameters.values(), ArchiveKeyFile.FILE).write(folder);
    }

    /**
     * Opens an archive, and does what an earlier process left undone.
     *
     * @throws NoSuchFileException if there is no such folder
     * @throws UnusableArchiveException if it is no archive, or damaged
     * @throws UnusableKeyException if the key is missing or not this archive's
     * @throws dev.veilgate.archive.store.StoreInUseException if another process has it
     */
    public static ArchiveFolder open(Path folder, SecureRandom random) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new NoSuchFileException(folder.toString());
        }
        ArchiveDescription description = ArchiveDescription.read(folder);
        SseScheme scheme;
        Parameters parameters;
        try {
            scheme = SseSchemes.of(description.scheme());
            parameters = Parameters.of(scheme, description.parameters());
        } catch (RefusedException e) {
            throw new UnusableArchiveException(folder + " is an archive that cannot be used: " + e.getMessage(), e);
        }
        List<AutoCloseable> open = new ArrayList<>();
        try {
            ArchiveKey key = ArchiveKeyFile.read(folder.resolve(description.keyFile()));
            open.add(key);
            MvStoreCells ownerCells = MvStoreCells.open(folder.resolve(OWNER));
            open.add(ownerCells);
            MvStoreCells serverCells = MvStoreCells.open(folder.resolve(SERVER));
            open.add(serverCells);
            ArchiveFolder archive = new ArchiveFolder(scheme, parameters, key, ownerCells, serverCells, random);
            open.clear();
            return archive;
        } finally {
            for (AutoCloseable each : open) {
                close(each);
            }
        }
    }

    private static void close(AutoCloseable each) throws IOException {
        try {
            each.close();
        } catch (RuntimeException | IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    private Resumed resume() throws IOException {
        int exchanges = 0;
        for (Exchange<?> exchange : owner.unfinished()) {
            traffic.run(exchange);
            exchanges++;
        }
        int added = documents.pending(Change.ADDED).size();
        int deleted = documents.pending(Change.DELETED).size();
        try {
            finish();
            return new Resumed(exchanges, added, deleted);
        } catch (RefusedException e) { // it was taken back, as it would have been then
            return new Resumed(exchanges, 0, 0);
        }
    }

    @Override
    public Resumed resumed() {
        return resumed;
    }

    @Override
    public String schemeName() {
        return scheme.id();
    }

    @Override
    public boolean answersRanges() {
        return false;
    }

    @Override
    public int usualBatch() {
        return USUAL_BATCH;
    }

    @Override
    public boolean[] same(List<NewDocument> asked) throws IOException {
        boolean[] same = new boolean[asked.size()];
        for (int i = 0; i < same.length; i++) {
            Optional<StoredDocument> former = documents.named(asked.get(i).name());
            same[i] = former.isPresent()
                    && Arrays.equals(former.get().digest(), asked.get(i).digest());
        }
        return same;
    }

    /** The scheme. */
    public SseScheme scheme() {
        return scheme;
    }

    /** Abilities of the scheme as this archive was set up with it. */
    public Capabilities capabilities() {
        return scheme.capabilities(parameters);
    }

    /** The document of a name. */
    public Optional<StoredDocument> named(String name) throws IOException {
        return documents.named(name);
    }

    /** The document of an id. */
    public Optional<StoredDocument> withId(DocumentId id) throws IOException {
        return documents.withId(id);
    }

    @Override
    public boolean has(String name) throws IOException {
        return documents.named(name).isPresent();
    }

    @Override
    public List<String> present(List<String> names) throws IOException {
        List<String> present = new ArrayList<>();
        for (String name : names) {
            if (has(name)) {
                present.add(name);
            }
        }
        return present;
    }

    @Override
    public int deleteNamed(Collection<String> names) throws IOException {
        Set<DocumentId> ids = new LinkedHashSet<>();
        for (String name : names) {
            documents.named(name).ifPresent(document -> ids.add(document.id()));
        }
        if (!ids.isEmpty()) {
            delete(ids);
        }
        return ids.size();
    }

    /** {@inheritDoc} Some between may never have been added, as they could not be read. */
    @Override
    public long deletePartsAbove(String file, long parts, BooleanSupplier asRead) throws IOException {
        List<DocumentId> gone = new ArrayList<>();
        long known = documents.parts(file);
        for (long part = parts + 1; ; part++) {
            Optional<StoredDocument> former = documents.named(Archive.partName(file, part));
            if (former.isEmpty() && part >= known) {
                break;
            }
            former.ifPresent(document -> gone.add(document.id()));
        }
        if (!asRead.getAsBoolean()) {
            return 0;
        }
        if (!gone.isEmpty()) {
            delete(gone);
        }
        if (known != parts) {
            documents.noteParts(file, parts);
        }
        return gone.size();
    }

    @Override
    public Added add(List<ReadDocument> added) throws IOException {
        List<Addition> additions = new ArrayList<>();
        int replaced = 0;
        for (ReadDocument each : added) {
            if (each.rules() != ExtractorProfile.RULES) {
                throw new RefusedException("archives of the scheme " + scheme.id() + " do not say by which rules words"
                        + " were made, so that they have those of rules 1 alone");
            }
            boolean isThere = documents.named(each.name()).isPresent();
            replaced += isThere ? 1 : 0;
            if (isThere && capabilities().deletion() == Capabilities.Deletion.NONE) {
                throw new RefusedException(
                        "it has changed, and the scheme " + scheme.id() + " cannot delete what was added before");
            }
            additions.add(new Addition(each.name(), each.digest(), each.words().toMap()));
        }
        documents.beginAdding(additions);
        finishAdding();
        try {
            finishDeleting();
        } catch (RefusedException e) { // as any other, it would say that nothing was changed
            throw new SseException(
                    "documents were added, and older forms of them are found too, for these cannot be deleted: "
                            + e.getMessage(),
                    e);
        }
        return new Added(added.size(), replaced, 0);
    }

    /**
     * Deletes documents; ids that it has not are passed over.
     *
     * @throws RefusedException if the scheme cannot, or has no room for it: then some may be deleted and others not
     */
    public void delete(Collection<DocumentId> ids) throws IOException {
        if (capabilities().deletion() == Capabilities.Deletion.NONE) {
            throw new RefusedException("the scheme " + scheme.id() + " cannot delete");
        }
        documents.beginDeleting(ids);
        finish();
    }

    /** Makes at the server what is noted, additions first: of a document that changed one form or both are found. */
    private void finish() throws IOException {
        finishAdding();
        finishDeleting();
    }

    /** @throws RefusedException if the scheme has no room for it; then nothing is noted any more */
    private void finishAdding() throws IOException {
        List<Document> added = documents.pending(Change.ADDED);
        if (added.isEmpty()) {
            return;
        }
        try {
            run(() -> owner.add(added));
        } catch (RefusedException e) {
            documents.takeBackAdding();
            throw e;
        }
        documents.made(Change.ADDED, added);
    }

    /** @throws RefusedException if the scheme cannot delete what is left; then it is found as before */
    private void finishDeleting() throws IOException {
        try {
            delete(documents.pending(Change.DELETED));
        } catch (RefusedException e) {
            documents.takeBackDeleting();
            throw e;
        }
    }

    /** Deletes at the server, in halves if a scheme refuses so many at a time. */
    private void delete(List<Document> deleted) throws IOException {
        if (deleted.isEmpty()) {
            return;
        }
        try {
            run(() -> owner.delete(deleted));
        } catch (RefusedException e) {
            if (deleted.size() == 1) {
                throw e;
            }
            int half = deleted.size() / 2;
            delete(deleted.subList(0, half));
            delete(deleted.subList(half, deleted.size()));
            return;
        }
        documents.made(Change.DELETED, deleted);
    }

    @Override
    public Answer search(String query, int most, boolean best) throws IOException {
        Answer answer = search(
                best
                        ? ArchiveQuery.best(query, most)
                        : ArchiveQuery.parse(query, capabilities().ask()));
        List<Answer.Found> found = answer.documents();
        return new Answer(
                answer.count(), found.subList(0, Math.min(most, found.size())), answer.findings(), answer.traffic());
    }

    /** Nothing: schemes do that by themselves. */
    @Override
    public void maintain() {}

    /** Searches. */
    public Answer search(SseExpression question) throws IOException {
        traffic.take();
        Hits hits = run(() -> owner.search(question));
        List<Answer.Found> found = new ArrayList<>();
        List<String> findings = new ArrayList<>(hits.findings());
        int unknown = 0;
        for (Hits.Hit hit : hits.documents()) {
            Optional<StoredDocument> document = documents.withId(hit.id());
            if (document.isPresent()) {
                found.add(new Answer.Found(Optional.of(hit.id()), document.get().name(), 0, hit.score()));
            } else {
                unknown++;
            }
        }
        if (unknown > 0) {
            findings.add(unknown + " of the results are no documents of this archive");
        }
        return new Answer(found.size(), found, findings, traffic.take());
    }

    /** An operation, which is begun anew if state has changed meanwhile. */
    @FunctionalInterface
    private interface Operation<R> {
        Exchange<R> make() throws SseException;
    }

    private <R> R run(Operation<R> operation) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                return traffic.run(operation.make());
            } catch (ConflictException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /** Sizes. */
    public ArchiveStatistics statistics() {
        return new ArchiveStatistics(
                documents.count(),
                new ArchiveStatistics.Side(ownerCells.cells(), ownerCells.bytes()),
                new ArchiveStatistics.Side(serverCells.cells(), serverCells.bytes()));
    }

    @Override
    public void close() {
        owner.close();
        key.close();
        try {
            ownerCells.close();
        } finally {
            serverCells.close();
        }
    }
}
