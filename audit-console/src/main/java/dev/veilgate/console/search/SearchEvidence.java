package dev.veilgate.console.search;

import dev.veilgate.client.SearchEvent;
import dev.veilgate.query.BlockTarget;
import dev.veilgate.query.SearchRequest;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where a search has looked, for who signs what it found.
 *
 * @param targets   for which trapdoors were issued, in the order of the request; none if it never began
 * @param notAsked  what else the gateway has in the scopes and range of the search; empty if it does not tell
 * @param unchecked envelopes of mails that are not checked: the first of them
 * @param earlier   names of the epochs before those that it asks, since the tenant's keys were made
 */
record SearchEvidence(
        List<BlockTarget> targets,
        Optional<SearchEvent.NotAsked> notAsked,
        List<UUID> unchecked,
        List<String> earlier) {
    /** Copies. */
    SearchEvidence {
        targets = List.copyOf(targets);
        unchecked = List.copyOf(unchecked);
        earlier = List.copyOf(earlier);
    }

    static SearchEvidence of(
            @Nullable SearchRequest request,
            SearchEvent.@Nullable NotAsked notAsked,
            List<Row> unchecked,
            List<String> earlier) {
        List<BlockTarget> targets = request == null
                ? List.of()
                : request.terms().stream()
                        .flatMap(List::stream)
                        .map(BlockTarget::of)
                        .distinct()
                        .toList();
        return new SearchEvidence(
                targets,
                Optional.ofNullable(notAsked),
                unchecked.stream().map(Row::envelope).toList(),
                earlier);
    }
}
