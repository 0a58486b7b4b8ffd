package dev.veilgate.gateway.route;

import dev.veilgate.envelope.Envelope;
import dev.veilgate.gateway.store.Arrival;
import dev.veilgate.peks.IndexScheme;
import dev.veilgate.peks.PreparedTrapdoor;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.peks.SlotMatch;
import dev.veilgate.peks.StoredBlock;
import dev.veilgate.query.BlockTarget;
import dev.veilgate.query.Digest;
import dev.veilgate.query.PreparedSearch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * All routes, arranged by the blocks that they have to be tested against: each block of an arrival is loaded once for all of them, and a trapdoor that several routes
 * share is tested once. Immutable.
 */
final class RouteTable {
    static final RouteTable EMPTY = new RouteTable(List.of());

    /** Records of an envelope that a route finds. */
    record Match(Route route, RecordSet records) {}

    /** Who asked for a trapdoor. */
    private record Use(int route, int term) {}

    /** @param uses for each of the trapdoors */
    private record Tests(IndexScheme scheme, List<PreparedTrapdoor> trapdoors, List<List<Use>> uses) {}

    /** A tenant is in no target: two could have the same key. */
    private record Target(String tenant, BlockTarget blocks) {}

    private final List<Route> routes;
    private final Map<Target, Tests> tests = new HashMap<>();

    RouteTable(Collection<Route> installed) {
        routes = List.copyOf(installed);
        Map<Target, Map<Digest, List<Use>>> uses = new HashMap<>();
        Map<Digest, PreparedTrapdoor> ready = new HashMap<>();
        Map<Target, IndexScheme> schemes = new HashMap<>();
        for (int i = 0; i < routes.size(); i++) {
            Route route = routes.get(i);
            for (Map.Entry<BlockTarget, List<PreparedSearch.Prepared>> each :
                    route.search().byTarget().entrySet()) {
                Target target = new Target(route.tenant(), each.getKey());
                schemes.computeIfAbsent(target, t -> route.search().scheme(each.getKey()));
                for (PreparedSearch.Prepared prepared : each.getValue()) {
                    ready.putIfAbsent(prepared.key(), prepared.trapdoor());
                    uses.computeIfAbsent(target, t -> new LinkedHashMap<>())
                            .computeIfAbsent(prepared.key(), key -> new ArrayList<>())
                            .add(new Use(i, prepared.term()));
                }
            }
        }
        uses.forEach((target, byTrapdoor) -> tests.put(
                target,
                new Tests(
                        Objects.requireNonNull(schemes.get(target)), // which has the same keys
                        byTrapdoor.keySet().stream().map(ready::get).toList(),
                        byTrapdoor.values().stream().map(List::copyOf).toList())));
    }

    Collection<Route> routes() {
        return routes;
    }

    /** What the routes find in an arrival. */
    List<Match> match(Arrival arrival) {
        Envelope envelope = arrival.envelope();
        Map<Integer, RecordSet[]> found = new TreeMap<>();
        for (int i = 0; i < envelope.index().size(); i++) {
            Optional<StoredBlock> block = arrival.blocks().get(i);
            Tests applying = block.isEmpty()
                    ? null
                    : tests.get(new Target(
                            envelope.tenant(), BlockTarget.of(envelope.index().get(i))));
            if (applying != null) {
                test(applying, block.get(), found);
            }
        }
        List<Match> matches = new ArrayList<>();
        found.forEach((index, terms) -> {
            Route route = routes.get(index);
            if (arrival.arrived().isBefore(route.expires())
                    && route.search().request().filter().admits(envelope)) {
                RecordSet records = route.search().evaluate(term -> terms[term], envelope.recordCount());
                if (!records.isEmpty()) {
                    matches.add(new Match(route, records));
                }
            }
        });
        return matches;
    }

    private void test(Tests applying, StoredBlock block, Map<Integer, RecordSet[]> found) {
        List<List<SlotMatch>> answers = applying.scheme.matchTrapdoors(applying.trapdoors, block);
        for (int i = 0; i < answers.size(); i++) {
            if (answers.get(i).isEmpty()) {
                continue;
            }
            RecordSet records =
                    answers.get(i).stream().map(SlotMatch::records).reduce(RecordSet.of(), RecordSet::union);
            for (Use use : applying.uses.get(i)) {
                RecordSet[] terms = found.computeIfAbsent(use.route, this::noTermYet);
                terms[use.term] = terms[use.term].union(records);
            }
        }
    }

    private RecordSet[] noTermYet(int route) {
        RecordSet[] terms =
                new RecordSet[routes.get(route).search().request().terms().size()];
        Arrays.fill(terms, RecordSet.of());
        return terms;
    }
}
