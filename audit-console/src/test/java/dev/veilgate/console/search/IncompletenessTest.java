package dev.veilgate.console.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.client.SearchEvent;
import dev.veilgate.console.search.Incompleteness.Reason;
import dev.veilgate.query.Filter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Each way in which a result is not all that was asked for is a reason, and a result without one is complete. */
class IncompletenessTest {
    private static final String KEY = "0123456789abcdef0123456789abcdef";
    private final ExportSample sample = new ExportSample(new JsonMapper());

    IncompletenessTest() {
        sample.unreadable = 0;
    }

    private List<Reason> reasons() {
        return Objects.requireNonNull(sample.state().incomplete());
    }

    private void has(Reason... expected) {
        assertThat(reasons()).containsExactly(expected);
    }

    @Test
    void aSearchThatSawAllHasNone() {
        has();
    }

    @Test
    void theEndThatWasNotItsOwnIsOne() {
        sample.state = SearchJob.STOPPED;
        has(new Reason("stopped", List.of(), 0));
        sample.state = SearchJob.LIMITED;
        sample.envelopes = 100;
        has(new Reason("limited", List.of(), 0), new Reason("envelopes-not-seen", List.of(), 30));
        sample.state = SearchJob.FAILED;
        sample.problem = "the gateway: no answer";
        has(
                new Reason("failed", List.of("the gateway: no answer"), 0),
                new Reason("envelopes-not-seen", List.of(), 30));
    }

    @Test
    void envelopesThatWereNotSeenAreOneThoughTheGatewayCallsItComplete() {
        sample.envelopes = 71;
        has(new Reason("envelopes-not-seen", List.of(), 1));
    }

    @Test
    void whatTheUserCouldNotReachOrReadIsNamedOrCounted() {
        sample.notSearched = List.of("what is sealed in 2026-11 under the index key 1");
        sample.unreadable = 3;
        UUID mail = new UUID(0, 7);
        sample.unchecked = List.of(mail);
        sample.uncheckedMails = 5;
        has(
                new Reason("index-keys-not-reached", sample.notSearched, 0),
                new Reason("unreadable", List.of(), 3),
                new Reason("not-checked", List.of(mail.toString()), 4));
    }

    @Test
    void rowsThatAreNotInTheFirstFileAreCounted() {
        sample.uncheckedMails = 1;
        assertThat(Incompleteness.ofRows(reasons(), 5, 2))
                .containsExactly(
                        new Reason("not-checked", List.of(), 1),
                        new Reason("left-out", List.of(), 3),
                        new Reason("deleted", List.of(), 2));
    }

    @Test
    void olderEpochsAreOneIfTheSearchNamesNoBeginning() {
        sample.earlier = List.of("2026-09", "2026-10");
        has(new Reason("older-epochs-not-asked", List.of("2026-10", "2026-09"), 0));
        sample.filter = new Filter(Optional.of(Instant.parse("2026-11-01T00:00:00Z")), Optional.empty(), Set.of());
        has();
    }

    @Test
    void whatTheGatewayHasInTheRangeIsOneUnlessItIsOfOlderEpochs() {
        SearchEvent.NotAsked.Target old = target("2026-10");
        SearchEvent.NotAsked.Target other = target("2026-11");
        sample.notAsked = new SearchEvent.NotAsked(List.of(old, other), 2);
        String named = "plant-7 in 2026-11 under ntru-peks " + KEY;
        has(new Reason("targets-not-asked", List.of("plant-7 in 2026-10 under ntru-peks " + KEY, named), 2));
        sample.earlier = List.of("2026-10");
        has(
                new Reason("older-epochs-not-asked", List.of("2026-10"), 0),
                new Reason("targets-not-asked", List.of(named), 2));
        sample.notAsked = null;
        has(new Reason("older-epochs-not-asked", List.of("2026-10"), 0));
    }

    private static SearchEvent.NotAsked.Target target(String epoch) {
        return new SearchEvent.NotAsked.Target("ntru-peks", KEY, "plant-7", epoch);
    }

    @Test
    void ofManyTheFirstAreNamedAndTheRestIsCounted() {
        sample.earlier = new ArrayList<>(
                IntStream.range(0, 100).mapToObj(Integer::toString).toList());
        assertThat(reasons()).singleElement().satisfies(reason -> {
            assertThat(reason.names()).hasSize(64).startsWith("99").endsWith("36");
            assertThat(reason.more()).isEqualTo(36);
        });
    }
}
