package dev.veilgate.console.search;

import dev.veilgate.client.SearchEvent;
import dev.veilgate.console.query.Intent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Why a result is not all that was asked for. One value for whoever asks: the list of reasons, which is empty if the
 * result is complete, of what was asked. Later versions add codes, and readers print those that they do not know.
 */
final class Incompleteness {
    /** Most names of a reason. */
    static final int MOST_NAMED = 64;

    /** A reason, as manifests have it; docs/console.md says what each means. */
    enum Code {
        STOPPED("stopped"),
        LIMITED("limited"),
        FAILED("failed"),
        ENVELOPES_NOT_SEEN("envelopes-not-seen"),
        INDEX_KEYS_NOT_REACHED("index-keys-not-reached"),
        UNREADABLE("unreadable"),
        NOT_CHECKED("not-checked"),
        LEFT_OUT("left-out"),
        DELETED("deleted"),
        OLDER_EPOCHS_NOT_ASKED("older-epochs-not-asked"),
        TARGETS_NOT_ASKED("targets-not-asked"),
        HITS_HIDDEN("hits-hidden");

        private final String label;

        Code(String label) {
            this.label = label;
        }
    }

    /**
     * A reason, and what it concerns.
     *
     * @param names what it concerns, at most {@value #MOST_NAMED}
     * @param more  how many there are beside these; all, if they have no names
     */
    record Reason(String code, List<String> names, long more) {
        static Reason of(Code code, List<String> names, long unnamed) {
            List<String> first = names.stream().limit(MOST_NAMED).toList();
            return new Reason(code.label, first, names.size() - first.size() + unnamed);
        }
    }

    private final List<Reason> reasons = new ArrayList<>();

    private Incompleteness() {}

    /** The reasons for a search that has ended. */
    static List<Reason> of(SearchState state, Intent intent, SearchEvidence evidence) {
        Incompleteness found = new Incompleteness();
        found.addEnd(state);
        found.add(Code.ENVELOPES_NOT_SEEN, List.of(), state.envelopes() - state.envelopesDone());
        found.add(Code.INDEX_KEYS_NOT_REACHED, state.notSearched(), 0);
        found.add(Code.UNREADABLE, List.of(), state.unreadable());
        List<String> unchecked =
                evidence.unchecked().stream().map(UUID::toString).toList();
        found.add(Code.NOT_CHECKED, unchecked, state.unchecked() - unchecked.size());
        found.addPlaces(intent, evidence);
        found.add(
                Code.HITS_HIDDEN,
                List.of(),
                state.recheck() == null ? 0 : state.recheck().caught());
        return List.copyOf(found.reasons);
    }

    /**
     * The reasons for an export of a search.
     *
     * @param ofSearch for the search
     * @param leftOut  rows that are not in its first file
     * @param deleted  how many of them the gateway does not have any more
     */
    static List<Reason> ofRows(@Nullable List<Reason> ofSearch, long leftOut, long deleted) {
        Incompleteness found = new Incompleteness();
        found.reasons.addAll(Objects.requireNonNull(ofSearch, "the search has not ended"));
        found.add(Code.LEFT_OUT, List.of(), leftOut - deleted);
        found.add(Code.DELETED, List.of(), deleted);
        return List.copyOf(found.reasons);
    }

    private void addEnd(SearchState state) {
        switch (state.state()) {
            case SearchJob.COMPLETE -> {}
            case SearchJob.STOPPED -> reasons.add(Reason.of(Code.STOPPED, List.of(), 0));
            case SearchJob.LIMITED -> reasons.add(Reason.of(Code.LIMITED, List.of(), 0));
            default ->
                reasons.add(Reason.of(Code.FAILED, state.problem() == null ? List.of() : List.of(state.problem()), 0));
        }
    }

    private void add(Code code, List<String> names, long unnamed) {
        long more = Math.max(0, unnamed);
        if (!names.isEmpty() || more > 0) {
            reasons.add(Reason.of(code, names, more));
        }
    }

    /** A search that names no beginning asks the present epoch alone; what is told of older ones is in that. */
    private void addPlaces(Intent intent, SearchEvidence evidence) {
        Set<String> older = new HashSet<>();
        if (intent.filter().from().isEmpty()) {
            older.addAll(evidence.earlier());
            add(Code.OLDER_EPOCHS_NOT_ASKED, evidence.earlier().reversed(), 0);
        }
        evidence.notAsked().ifPresent(told -> {
            List<String> names = told.targets().stream()
                    .filter(target -> !older.contains(target.epoch()))
                    .map(Incompleteness::name)
                    .toList();
            add(Code.TARGETS_NOT_ASKED, names, told.more());
        });
    }

    private static String name(SearchEvent.NotAsked.Target target) {
        return target.scope() + " in " + target.epoch() + " under " + target.scheme() + " " + target.key();
    }
}
