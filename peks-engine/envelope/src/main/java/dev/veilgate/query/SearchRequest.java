package dev.veilgate.query;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.ScopedTrapdoor;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A search without its words. A term holds the trapdoors of one keyword, or of the intervals of a range, under every key and for every epoch
 * asked for: a record satisfies it if any of them matches. The expression says which terms a record must satisfy.
 *
 * <pre>{@code
 * search     = [ "veilgate-search", 1, tenant: tstr, terms, expression, filter, grant: bstr ]   an empty grant is none
 * terms      = [ + [ + trapdoor: bstr ] ]                                                       ScopedTrapdoor.encode()
 * expression = index: uint / [ 1, 2*1000 expression ] / [ 2, 2*1000 expression ] / [ 3, expression ]   AND, OR, NOT
 * filter     = { ? 1: from: int (ms), ? 2: to: int (ms), ? 3: [ + sender: tstr ] }              senders ascending
 * }</pre>
 *
 * <p>Its media type is {@link #MEDIA_TYPE}. Who holds it can search for those keywords in those scopes and epochs and check guesses of them: it is for
 * the gateway only, and never printed.
 *
 * @param tenant     whose envelopes
 * @param terms      1 to {@link #MAX_TERMS} lists of together 1 to {@link #MAX_TRAPDOORS} trapdoors, none empty
 * @param expression of these terms, each used; no {@link Expression.Not}
 * @param filter     on clear metadata
 * @param grant      that the authority permits it; who runs the search says whether one is needed
 */
public record SearchRequest(
        String tenant, List<List<ScopedTrapdoor>> terms, Expression expression, Filter filter, Optional<Grant> grant) {
    /** Of an encoded request. */
    public static final String MEDIA_TYPE = "application/vnd.veilgate.search+cbor";

    /** Most terms. */
    public static final int MAX_TERMS = 1024;

    /** Most trapdoors of a request. */
    public static final int MAX_TRAPDOORS = 8192;

    /** Most bytes of an encoded request. */
    public static final int MAX_BYTES = 64 << 20;

    /** @throws IllegalArgumentException naming what is wrong */
    public SearchRequest {
        new KeywordDomain(tenant, "scope", "epoch"); // checks the tenant's name
        terms = terms.stream().map(List::copyOf).toList();
        check(!terms.isEmpty() && terms.size() <= MAX_TERMS, "a search has 1 to " + MAX_TERMS + " terms");
        check(terms.stream().noneMatch(List::isEmpty), "a search's terms must not be empty");
        check(
                terms.stream().mapToInt(List::size).sum() <= MAX_TRAPDOORS,
                "a search has at most " + MAX_TRAPDOORS + " trapdoors: ask for fewer epochs or a shorter range");
        expression.requireUsable(terms.size());
    }

    /**
     * Whether the search looks into an envelope: one of its tenant, times and senders, indexed for the scope and the epoch of one of its trapdoors. Who may search one
     * scope must not be answered with another one's; an envelope that nobody signed says itself what it is indexed for.
     */
    public boolean admits(Envelope envelope) {
        return tenant.equals(envelope.tenant())
                && filter.admits(envelope)
                && envelope.index().stream().anyMatch(this::hasTrapdoorFor);
    }

    private boolean hasTrapdoorFor(IndexBlock block) {
        return terms.stream()
                .flatMap(List::stream)
                .anyMatch(trapdoor -> trapdoor.scope().equals(block.scope())
                        && trapdoor.epoch().equals(block.epoch()));
    }

    /** A search for records that satisfy all of the terms, with neither filter nor grant. */
    public static SearchRequest allOf(String tenant, List<List<ScopedTrapdoor>> terms) {
        check(!terms.isEmpty() && terms.size() <= MAX_TERMS, "a search has 1 to " + MAX_TERMS + " terms");
        return new SearchRequest(tenant, terms, Expression.allOf(terms.size()), Filter.NONE, Optional.empty());
    }

    /** The same search of other metadata. */
    public SearchRequest with(Filter other) {
        return new SearchRequest(tenant, terms, expression, other, grant);
    }

    /** The same search with a grant. */
    public SearchRequest with(Grant permission) {
        return new SearchRequest(tenant, terms, expression, filter, Optional.of(permission));
    }

    /** Digests of its trapdoors. */
    public Set<Digest> digests() {
        return terms.stream().flatMap(List::stream).map(Digest::of).collect(Collectors.toUnmodifiableSet());
    }

    /** Deterministic CBOR. */
    public byte[] encode() {
        return SearchCodec.encode(this);
    }

    /** The inverse of {@link #encode}; trapdoors are looked into by {@link PreparedSearch}. */
    public static SearchRequest decode(byte[] bytes) throws MalformedEncodingException {
        return SearchCodec.decode(bytes);
    }

    @Override
    public String toString() {
        return "SearchRequest[" + tenant + ", " + terms.size() + " terms, hidden]";
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
