package dev.veilgate.gateway.store;

import dev.veilgate.envelope.Envelope;
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
import java.util.random.RandomGenerator;
import org.apache.lucene.store.FSDirectory;
import org.jspecify.annotations.Nullable;

/**
 * Keeps envelopes and searches them. Written to by one thread, in the journal's order; read by many.
 *
 * <p>Durability is the journal's until {@link #commit}: after a crash the store says by {@link #position} from where it must be given
 * everything again, exactly that, and then holds each envelope once.
 */
public interface EnvelopeStore extends NamedEnvelopes, AutoCloseable {
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
     * Adds envelopes that are not stored yet; one that is stored, byte for byte, is passed over.
     *
     * @param next the journal position after the last of them
     */
    void add(List<Arrival> arrivals, long next) throws IOException;

    /** Makes durable what was added, and {@link #position} with it. */
    void commit() throws IOException;

    /** Makes visible to searches what was added. */
    void refresh() throws IOException;

    /**
     * Names of the envelopes of an id that a sender signed, visible to searches or not: what makes ingestion idempotent. More than one only if it repeated its id.
     *
     * @param sender registered
     */
    List<EnvelopeName> signed(String tenant, String sender, UUID id) throws IOException;

    /** Whether an envelope is stored, visible to searches or not. */
    boolean contains(String tenant, EnvelopeName name) throws IOException;

    /** Whether several envelopes of this id are stored. */
    boolean isShared(String tenant, UUID id) throws IOException;

    /** A stored envelope, byte for byte as it came, and its content; empty if it is not there or was deleted. */
    Optional<StoredEnvelope> find(String tenant, EnvelopeName name) throws IOException;

    /** The envelope that an id alone means, as {@link #named} says. */
    default Optional<StoredEnvelope> find(String tenant, UUID id) throws IOException {
        Optional<EnvelopeName> named = named(tenant, id);
        return named.isPresent() ? find(tenant, named.get()) : Optional.empty();
    }

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
     *
     * @param kept names of those that are left out
     */
    List<Expired> expired(
            String tenant, Instant before, Predicate<String> scope, Predicate<EnvelopeName> kept, int limit)
            throws IOException;

    /** What is left to say of an envelope when it is deleted: who sealed it, and as which of its envelopes. */
    record Expired(EnvelopeName name, String sender, long sequence) {}

    /**
     * Envelopes of a sender on one side of a place in its chain, nearest first. One that was added and is not visible to searches yet is not among them.
     *
     * @param sequence the place; not itself among them
     * @param later    behind the place, not before it
     * @param scope    satisfied by at least one scope of each; those without a scope are asked with the empty name
     */
    List<Placed> beside(String tenant, String sender, long sequence, boolean later, Predicate<String> scope, int limit)
            throws IOException;

    /**
     * Envelopes of a sender, drawn evenly from all of them that are visible to searches, none twice, in no order.
     *
     * @param sender the empty name is that of whoever has no chain, as mail
     * @param scope  as of {@link #beside}
     * @param most   how many; fewer if there are not so many
     */
    List<Placed> drawn(String tenant, String sender, Predicate<String> scope, int most, RandomGenerator random)
            throws IOException;

    /**
     * An envelope and its place in its sender's chain.
     *
     * @param digest as in {@link EnvelopeName}
     */
    record Placed(UUID id, String digest, long sequence) {}

    /**
     * Names of a tenant's envelopes that are visible to searches, in an order that arrivals do not change: by id, and those of one id one behind another.
     *
     * @param after the end of the page before; null for the first
     */
    Page names(String tenant, byte @Nullable [] after, int limit) throws IOException;

    /**
     * Some names.
     *
     * @param names none if there are no more
     * @param end   where the next page goes on
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Page(List<EnvelopeName> names, byte[] end) {}

    /** Deletes; durable with the next {@link #commit}. */
    void delete(String tenant, List<EnvelopeName> names) throws IOException;

    /**
     * When the newest envelope that satisfies a predicate arrived; empty if none does. Of all tenants, and of what is visible to searches. Envelopes are read one by one, from the newest
     * back in each segment, until one satisfies it, so that asking for what is rare reads all that is stored.
     *
     * @param before only those that arrived before this time
     */
    Optional<Instant> newest(Instant before, Predicate<Envelope> which) throws IOException;

    /** The time of the newest arrival of all that is visible to searches; empty if nothing is stored. Reads nothing of envelopes. */
    Optional<Instant> newestArrival() throws IOException;

    /** What is stored, by tenant. */
    Map<String, Holdings> holdings() throws IOException;

    /** What is stored of a tenant. */
    record Holdings(long envelopes, long records, long blocks) {}

    @Override
    void close() throws IOException;
}
