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
import dev.veilgate.secret.Exercises;
import dev.veilgate.secret.Power;
import dev.veilgate.secret.Secret;
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
@Secret
public final class PendingRequest {
    /** One trapdoor that is to be made. */
    private record Step(int term, TrapdoorSource source, KeywordDomain domain, Keyword keyword) {}

    /** A trapdoor, and what it finds. */
    public record Issued(Keyword keyword, ScopedTrapdoor trapdoor) {
        @Override
        public String toString() {
            return "Issued[hidden]";
        }
    }

    private final String tenant;
    private final Expression expression;
    private final SearchReach reach;
    private final List<Step> steps;
    private final List<List<ScopedTrapdoor>> terms = new ArrayList<>();
    private final Set<Digest> known = new HashSet<>();
    private int done;

    /**
     * As {@link TenantKeys#pending} says.
     *
     * @param sources of each index key; they make trapdoors for the epochs that they are for
     * @param reach   what they leave out
     * @throws IllegalArgumentException if there are none for any epoch
     */
    PendingRequest(
            String tenant,
            String scope,
            List<String> epochNames,
            List<List<Keyword>> wanted,
            Expression expression,
            List<? extends TrapdoorSource> sources,
            SearchReach reach) {
        this.reach = reach;
        this.tenant = tenant;
        this.expression = expression;
        List<Place> places = places(tenant, scope, epochNames, sources);
        if (places.isEmpty()) {
            throw new IllegalArgumentException("there is no key to search these epochs with");
        }
        long trapdoors = wanted.stream().mapToLong(List::size).sum() * places.size();
        if (trapdoors > SearchRequest.MAX_TRAPDOORS) {
            throw new IllegalArgumentException("the search takes " + trapdoors + " trapdoors, and at most "
                    + SearchRequest.MAX_TRAPDOORS + " are allowed: ask for fewer epochs or a shorter range");
        }
        expression.requireUsable(wanted.size());
        steps = new ArrayList<>(Math.toIntExact(trapdoors));
        for (int term = 0; term < wanted.size(); term++) {
            terms.add(new ArrayList<>());
            for (Place place : places) {
                for (Keyword keyword : wanted.get(term)) {
                    steps.add(new Step(term, place.source(), place.domain(), keyword));
                }
            }
        }
    }

    /** Where trapdoors are made: under one index key, for one epoch. */
    private record Place(TrapdoorSource source, KeywordDomain domain) {}

    private static List<Place> places(
            String tenant, String scope, List<String> epochNames, List<? extends TrapdoorSource> sources) {
        List<KeywordDomain> domains = epochNames.stream()
                .map(epoch -> new KeywordDomain(tenant, scope, epoch))
                .toList();
        List<Place> places = new ArrayList<>();
        for (TrapdoorSource source : sources) {
            for (KeywordDomain domain : domains) {
                if (source.isFor(domain.epoch())) {
                    places.add(new Place(source, domain));
                }
            }
        }
        return places;
    }

    /** What it does not search, of what there are index keys for. */
    public SearchReach reach() {
        return reach;
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
    @Exercises(Power.ISSUE_TRAPDOORS)
    public Optional<Issued> next(TrapdoorStore store) throws IOException, MalformedEncodingException {
        if (isComplete()) {
            throw new IllegalStateException("all trapdoors have been issued");
        }
        Step step = steps.get(done);
        ScopedTrapdoor trapdoor = step.source().issue(step.domain(), step.keyword(), store);
        terms.get(step.term()).add(trapdoor);
        done++;
        return known.add(Digest.of(trapdoor)) ? Optional.of(new Issued(step.keyword(), trapdoor)) : Optional.empty();
    }

    /**
     * Issues all that are left, and gives the search.
     *
     * @throws IOException if the store fails
     */
    @Exercises(Power.ISSUE_TRAPDOORS)
    public SearchRequest requestWith(TrapdoorStore store) throws IOException, MalformedEncodingException {
        while (!isComplete()) {
            next(store);
        }
        return request();
    }

    /**
     * The search. No filter and no grant yet.
     *
     * @throws IllegalStateException if trapdoors are missing
     */
    @Exercises(Power.ISSUE_TRAPDOORS)
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
