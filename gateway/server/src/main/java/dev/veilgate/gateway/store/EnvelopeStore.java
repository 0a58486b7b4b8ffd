package dev.veilgate.gateway.store;

import dev.veilgate.files.DurableFiles;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.query.PreparedSearch;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.apache.lucene.store.FSDirectory;
import org.jspecify.annotations.Nullable;

/**
 * Keeps envelopes and searches them. Written to by one thread, in the journal's order; read by many.
 *
 * <p>Durability is the journal's until {@link #commit}: after a crash the store says by {@link #position} from where it must be given
 * everything again, exactly that, and then holds each envelope once.
 */
public interface EnvelopeStore extends AutoCloseable {
    /**
     * The embedded store: in this process, on this machine's disk.
     *
     * @param folder        of its own; made if it is not there
     * @param answerBytes   of memory for what searches found out
     * @param searchThreads that run Test, for all searches together
     */
    static EnvelopeStore embedded(Path folder, IndexSchemes schemes, long answerBytes, int searchThreads)
            throws IOException {
        DurableFiles.createFolder(folder);
        return new LuceneEnvelopeStore(FSDirectory.open(folder), schemes, answerBytes, searchThreads);
    }

    /** Journal position up to which everything is durable here: what is at it and after it must be given again after a start. */
    long position();

    /**
     * Adds envelopes whose ids are not stored yet; one whose id is stored is passed over.
     *
     * @param next the journal position after the last of them
     */
    void add(List<Arrival> arrivals, long next) throws IOException;

    /** Makes durable what was added, and {@link #position} with it. */
    void commit() throws IOException;

    /** Makes visible to searches what was added. */
    void refresh() throws IOException;

    /** SHA-256 of a stored envelope, visible to searches or not: what makes ingestion idempotent. */
    Optional<byte[]> digest(String tenant, UUID id) throws IOException;

    /** A stored envelope, byte for byte as it came, and its content; empty if it is not there or was deleted. */
    Optional<StoredEnvelope> find(String tenant, UUID id) throws IOException;

    /**
     * Runs Test over everything visible at the beginning.
     *
     * @param sink      called by the searching threads, one at a time
     * @param cancelled asked often; true ends the search early
     * @return the last progress
     */
    SearchProgress search(PreparedSearch search, SearchSink sink, BooleanSupplier cancelled) throws IOException;

    /**
     * Envelopes of a tenant that arrived before {@code before} and all of whose scopes satisfy the predicate; those without a scope
     * are asked with the empty name. At most {@code limit}, oldest first.
     */
    List<Expired> expired(String tenant, Instant before, Predicate<String> scope, int limit) throws IOException;

    /** What is left to say of an envelope when it is deleted: who sealed it, as which of its envelopes, and SHA-256 of its bytes. */
    @SuppressWarnings("ArrayRecordComponent")
    record Expired(UUID id, String sender, long sequence, byte[] digest) {}

    /**
     * Envelopes of a sender on one side of a place in its chain, nearest first. One that was added and is not visible to searches yet is not among them.
     *
     * @param sequence the place; not itself among them
     * @param later    behind the place, not before it
     * @param scope    satisfied by at least one scope of each; those without a scope are asked with the empty name
     */
    List<Placed> beside(String tenant, String sender, long sequence, boolean later, Predicate<String> scope, int limit)
            throws IOException;

    /** An envelope and its place in its sender's chain. */
    record Placed(UUID id, long sequence) {}

    /**
     * The ids of a tenant's envelopes that are visible to searches, in an order that arrivals do not change.
     *
     * @param after only those behind this one; null for the first
     */
    List<UUID> ids(String tenant, @Nullable UUID after, int limit) throws IOException;

    /** Deletes; durable with the next {@link #commit}. */
    void delete(String tenant, List<UUID> ids) throws IOException;

    /** What is stored, by tenant. */
    Map<String, Holdings> holdings() throws IOException;

    /** What is stored of a tenant. */
    record Holdings(long envelopes, long records, long blocks) {}

    @Override
    void close() throws IOException;
}
