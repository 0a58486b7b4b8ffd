package dev.veilgate.authority;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.TrapdoorStore;
import dev.veilgate.query.Digest;
import dev.veilgate.query.Expression;
import dev.veilgate.query.Filter;
import dev.veilgate.query.SearchRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A search whose trapdoors are issued one by one, for who shares the keys with others and must not have them for as long as all of them take. It is of the keys that there were when it began;
 * they must be open whenever it goes on. For one thread at a time.
 */
public final class PendingRequest {
    /** One trapdoor that is to be made. */
    private record Step(int term, IndexKeyEntry key, KeywordDomain domain, Keyword keyword) {}

    /** A trapdoor, and what it finds. */
    public record Issued(Keyword keyword, ScopedTrapdoor trapdoor) {
        @Override
        public String toString() {
            return "Issued[hidden]";
        }
    }

    private final String tenant;
    private final Expression expression;
    private final List<Step> steps;
    private final List<List<ScopedTrapdoor>> terms = new ArrayList<>();
    private final Set<Digest> known = new HashSet<>();
    private int done;

    /** As {@link TenantKeys#pending} says. */
    PendingRequest(
            String tenant,
            String scope,
            List<String> epochNames,
            List<List<Keyword>> wanted,
            Expression expression,
            List<IndexKeyEntry> keys) {
        this.tenant = tenant;
        this.expression = expression;
        long trapdoors = wanted.stream().mapToLong(List::size).sum() * epochNames.size() * keys.size();
        if (trapdoors > SearchRequest.MAX_TRAPDOORS) {
            throw new IllegalArgumentException("the search takes " + trapdoors + " trapdoors, and at most "
                    + SearchRequest.MAX_TRAPDOORS + " are allowed: ask for fewer epochs or a shorter range");
        }
        expression.requireUsable(wanted.size());
        List<KeywordDomain> domains = epochNames.stream()
                .map(epoch -> new KeywordDomain(tenant, scope, epoch))
                .toList();
        steps = new ArrayList<>(Math.toIntExact(trapdoors));
        for (int term = 0; term < wanted.size(); term++) {
            terms.add(new ArrayList<>());
            for (IndexKeyEntry key : keys) {
                for (KeywordDomain domain : domains) {
                    for (Keyword keyword : wanted.get(term)) {
                        steps.add(new Step(term, key, domain, keyword));
                    }
                }
            }
        }
    }

    /** How many trapdoors it takes. */
    public int total() {
        return steps.size();
    }

    /** How many of them there are. */
    public int done() {
        return done;
    }

    /** Whether there are all. */
    public boolean isComplete() {
        return done == steps.size();
    }

    /**
     * Issues the next one.
     *
     * @param store that of these keys
     * @return nothing if the request had it already, for another term
     * @throws IOException           if the store fails; it is not issued then
     * @throws IllegalStateException if there are all
     */
    public Optional<Issued> next(TrapdoorStore store) throws IOException, MalformedEncodingException {
        if (isComplete()) {
            throw new IllegalStateException("all trapdoors have been issued");
        }
        Step step = steps.get(done);
        ScopedTrapdoor trapdoor = step.key().issuer().issue(step.domain(), step.keyword(), store);
        terms.get(step.term()).add(trapdoor);
        done++;
        return known.add(Digest.of(trapdoor)) ? Optional.of(new Issued(step.keyword(), trapdoor)) : Optional.empty();
    }

    /**
     * The search. No filter and no grant yet.
     *
     * @throws IllegalStateException if trapdoors are missing
     */
    public SearchRequest request() {
        if (!isComplete()) {
            throw new IllegalStateException((total() - done) + " trapdoors have not been issued");
        }
        return new SearchRequest(tenant, terms, expression, Filter.NONE, Optional.empty());
    }

    @Override
    public String toString() {
        return "PendingRequest[" + done + " of " + total() + ", hidden]";
    }
}
