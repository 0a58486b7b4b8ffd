package dev.veilgate.console.search;

import dev.veilgate.console.chains.ChainAlarms;
import dev.veilgate.console.chains.ChainReader;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.search.RecheckState.NotTested;
import dev.veilgate.console.search.Unfound.Place;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.SenderPublicKey;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.query.IndexAdmission;
import dev.veilgate.query.PreparedSearch;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/**
 * Recheck of one search that has ended: random numbers of registered senders' chains, among those of its range in
 * which it found nothing, are fetched and tested with the search's own request. What matches was hidden; what is not
 * given counts as not tested. Numbers are drawn by this console, before any of them is asked for, so that a gateway
 * cannot choose which; it can refuse them, which is named. For one thread.
 */
final class Recheck {
    /** A chain with more numbers in the range than this is not drawn from: one sender could thin out all others'. */
    static final long MOST_OF_CHAIN = 100_000_000;

    /** Most numbers that are fetched to find the ends of ranges, and ends that the gateway claims. */
    private static final int MOST_PROBES = 400;

    /** Most numbers beside an end that is not given which are tried in its place. */
    private static final int MOST_REFUSED = 3;

    /** Numbers without an answer, one behind another, after which the gateway counts as away. */
    private static final int AWAY = 3;

    /** Retention is by days and by the time of arrival, and runs at its own hours. */
    private static final Duration SLACK = Duration.ofDays(1);

    private static final String NOT_GIVEN = "not-given";
    private static final String PROMISED = "promised";
    private static final String NO_ANSWER = "no-answer";
    private static final String NOT_SIGNED = "not-signed";
    private static final String RETENTION = "retention";
    private static final String LATE = "late";
    private static final String UNREADABLE = "unreadable";

    /**
     * Search that is rechecked.
     *
     * @param id     of the search
     * @param search that it asked, and tests with
     * @param found  in which it found something
     * @param from   when the earliest envelope of its range was sealed
     * @param to     when the last one was sealed, and one millisecond
     */
    record Subject(UUID id, PreparedSearch search, FoundNumbers found, ChainsBefore before, Instant from, Instant to) {
        @Override
        public String toString() {
            return "Subject[" + id + "]";
        }
    }

    /** Parts that do the work. */
    record Means(ChainReader reader, ChainAlarms alarms, IndexSchemes schemes, SecureRandom random) {}

    /** Bounds of the work, in turns with others. */
    interface Turns {
        /** Waits for a turn; false if there are none left. */
        boolean next() throws InterruptedException;

        /** Ends a turn in which so much was fetched. */
        void end(long bytes);

        /** Why there are none left; null if it was cancelled. */
        @Nullable
        String why();
    }

    private final Subject subject;
    private final Means means;
    private final RecheckSettings settings;
    private final Turns turns;
    private final Instant now;
    private final Map<String, SealedRange> ranges = new TreeMap<>();
    /** Highest numbers that the gateway claimed before the search and has shown since. */
    private final Map<String, Long> tops = new TreeMap<>();

    private final List<NotTested> notTested = new ArrayList<>();
    private final List<String> uneven = new ArrayList<>();
    private final List<String> unchecked = new ArrayList<>();
    private long moreUnchecked;
    private long numbers;
    private long unsure;
    private long found;
    private int drawn;
    private int tested;
    private int caught;
    private boolean isAway;

    Recheck(Subject subject, Means means, RecheckSettings settings, Turns turns, Instant now) {
        this.subject = subject;
        this.means = means;
        this.settings = settings;
        this.turns = turns;
        this.now = now;
        this.unchecked.addAll(subject.before().unchecked());
        this.moreUnchecked = subject.before().moreUnchecked();
    }

    /** Follows it. */
    @FunctionalInterface
    interface Watcher {
        /** How it stands now. */
        void stands(RecheckState state);
    }

    /**
     * Runs it to its end.
     *
     * @throws ProblemException 423 if the keys are locked meanwhile
     */
    RecheckState run(Watcher watcher) throws InterruptedException {
        raiseShortened();
        findRanges();
        Unfound unfound = unfound();
        numbers = unfound.size();
        List<Place> places = unfound.draw(settings.envelopes(), means.random());
        drawn = places.size();
        List<Place> unanswered = new ArrayList<>();
        Place answered = null;
        int silent = 0;
        boolean isLeft = true;
        for (Place place : places) {
            isLeft = turns.next();
            if (!isLeft) {
                break;
            }
            watcher.stands(state(RecheckState.RUNNING, null));
            Optional<ChainReader.Answer> answer = ask(place);
            silent = answer.isPresent() ? 0 : silent + 1;
            if (answer.isEmpty()) {
                unanswered.add(place);
            } else {
                answered = place;
                test(place, answer.get());
            }
            if (silent == AWAY) {
                isAway = true;
                break;
            }
        }
        for (Place place : unanswered) { // once more, so that a gateway that was away for a moment is no alarm
            boolean isTried = !isAway && isLeft && turns.next();
            Optional<ChainReader.Answer> answer = isTried ? ask(place) : Optional.empty();
            if (answer.isPresent()) {
                test(place, answer.get());
            } else {
                boolean isRefused = isTried && isAnswered(answered);
                notGiven(place, NO_ANSWER, isRefused);
                isAway |= isTried && !isRefused;
            }
        }
        return isAway
                ? state(RecheckState.FAILED, "the gateway does not answer")
                : state(RecheckState.DONE, isLeft ? null : turns.why());
    }

    /** Tells if the gateway still answers for a number as before: then it is not away, and refuses others. */
    private boolean isAnswered(@Nullable Place before) throws InterruptedException {
        return before != null && turns.next() && ask(before).isPresent();
    }

    /** Chains that the gateway says end below what was seen of them before the search. */
    private void raiseShortened() {
        ChainsBefore before = subject.before();
        before.seen().forEach((sender, seen) -> {
            if (before.claimed(sender) < seen.highest()) {
                raise(
                        ChainAlarms.Kind.SHORTENED,
                        before.keys().get(sender),
                        before.claimed(sender),
                        "ends-below",
                        null);
            }
        });
    }

    private void findRanges() throws InterruptedException {
        ChainsBefore before = subject.before();
        PriorityQueue<String> widest = new PriorityQueue<>(
                Comparator.comparingLong((String sender) -> -range(sender).unknown()));
        int probes = 0;
        for (String sender : before.keys().keySet()) {
            long top = before.due(sender);
            long claimed = before.claimed(sender);
            Optional<Envelope> last = Optional.empty();
            if (claimed > before.signed(sender) && probes < MOST_PROBES && turns.next()) {
                probes++;
                last = probe(sender, claimed);
                if (last.isPresent()) {
                    top = claimed;
                    tops.put(sender, claimed);
                }
            }
            if (top == 0) {
                leaveOut(sender);
                continue;
            }
            SealedRange range = new SealedRange(subject.from(), subject.to(), top);
            means.reader().sealed(before.keys().get(sender)).forEach(range::learn);
            last.ifPresent(envelope -> range.learn(envelope.sequence(), envelope.sealed()));
            ranges.put(sender, range);
            widest.add(sender);
        }
        Map<String, Integer> refused = new TreeMap<>();
        while (!widest.isEmpty() && probes < MOST_PROBES) {
            String sender = widest.poll();
            SealedRange range = range(sender);
            long number = range.probe();
            if (number == 0 || !turns.next()) {
                continue;
            }
            probes++;
            int tries = refused.getOrDefault(sender, 0);
            Optional<Envelope> given = probe(sender, Math.min(number + tries, range.high()));
            if (given.isPresent()) {
                range.learn(given.get().sequence(), given.get().sealed());
                refused.remove(sender);
            } else if (tries + 1 == MOST_REFUSED) {
                continue; // as far as it is known: all that may be in the range counts
            } else {
                refused.put(sender, tries + 1);
            }
            widest.add(sender);
        }
    }

    private SealedRange range(String sender) {
        return Objects.requireNonNull(ranges.get(sender));
    }

    private void leaveOut(String sender) {
        if (unchecked.size() < RecheckState.MOST_NAMED) {
            unchecked.add(sender);
        } else {
            moreUnchecked++;
        }
    }

    /** An envelope that is fetched for its sealing time; none if it is not given. Ends a turn. */
    private Optional<Envelope> probe(String sender, long number) {
        return ask(new Place(sender, number))
                .flatMap(answer -> answer.signed().stream().findFirst());
    }

    /** Answer of the gateway; none if it does not answer. Ends a turn. */
    private Optional<ChainReader.Answer> ask(Place place) {
        long bytes = 0;
        try {
            ChainReader.Answer answer = means.reader().ask(key(place), place.number());
            bytes = answer.bytes();
            return Optional.of(answer);
        } catch (ProblemException e) {
            if (e.status() == HttpStatus.LOCKED) {
                throw e;
            }
            return Optional.empty();
        } finally {
            turns.end(bytes);
        }
    }

    private SenderPublicKey key(Place place) {
        return Objects.requireNonNull(subject.before().keys().get(place.sender()));
    }

    private Unfound unfound() {
        Unfound unfound = new Unfound();
        ranges.forEach((sender, range) -> {
            if (range.size() > MOST_OF_CHAIN) {
                leaveOut(sender);
                return;
            }
            long[] numbersFound = subject.found().of(sender);
            found += numbersFound.length;
            unsure += range.unknown();
            if (range.isUneven() && uneven.size() < RecheckState.MOST_NAMED) {
                uneven.add(sender);
            }
            unfound.add(sender, range.low(), range.high(), numbersFound);
        });
        return unfound;
    }

    private void test(Place place, ChainReader.Answer answer) throws InterruptedException {
        if (answer.signed().isEmpty()) {
            notGiven(place, answer.isOther() ? NOT_SIGNED : NOT_GIVEN, true);
            return;
        }
        try {
            Set<UUID> hidden = new HashSet<>();
            for (Envelope envelope : answer.signed()) {
                range(place.sender()).learn(envelope.sequence(), envelope.sealed());
                if (matches(envelope)) {
                    if (subject.before().wasLacking(place.sender(), place.number())) {
                        notTested.add(new NotTested(place.sender(), place.number(), LATE));
                        return;
                    }
                    hidden.add(envelope.id());
                    raise(
                            ChainAlarms.Kind.HIDDEN,
                            key(place),
                            place.number(),
                            "not-found",
                            new ChainAlarms.Evidence(
                                    envelope.bytes(), subject.search().request().encode()));
                }
            }
            tested++;
            caught += hidden.isEmpty() ? 0 : 1;
        } catch (MalformedEncodingException e) {
            notTested.add(new NotTested(place.sender(), place.number(), UNREADABLE));
        }
    }

    /** Whether the search should have found an envelope. */
    private boolean matches(Envelope envelope) throws MalformedEncodingException {
        return envelope.sealed().isBefore(subject.before().at())
                && !subject.found().wasNamed(envelope.id())
                && !subject.search()
                        .match(envelope, IndexAdmission.trust(envelope, means.schemes()))
                        .isEmpty();
    }

    private void notGiven(Place place, String reason, boolean isSure) throws InterruptedException {
        boolean isPromised = reason.equals(NOT_GIVEN) && place.number() > signed(place.sender());
        String why = isPromised ? PROMISED : reason;
        boolean isOld = why.equals(NOT_GIVEN) && isOld(place);
        notTested.add(new NotTested(place.sender(), place.number(), isOld ? RETENTION : why));
        if (!isOld && isSure) {
            raise(ChainAlarms.Kind.MISSING, key(place), place.number(), why, null);
        }
    }

    /** Highest number that the sender is known to have signed. */
    private long signed(String sender) {
        return Math.max(subject.before().signed(sender), tops.getOrDefault(sender, 0L));
    }

    /** Whether the gateway may have deleted a number: a later one of its chain was sealed as long ago as retention. */
    private boolean isOld(Place place) throws InterruptedException {
        if (settings.kept().isEmpty()) {
            return false;
        }
        Instant end = now.minus(settings.kept().get()).plus(SLACK);
        SealedRange range = range(place.sender());
        if (isOld(range, place, end)) {
            return true;
        }
        if (turns.next()) {
            probe(place.sender(), place.number() + 1).ifPresent(next -> range.learn(next.sequence(), next.sealed()));
        }
        return isOld(range, place, end);
    }

    private static boolean isOld(SealedRange range, Place place, Instant end) {
        return range.notAfter(place.number()).filter(time -> !time.isAfter(end)).isPresent();
    }

    private void raise(
            ChainAlarms.Kind kind,
            @Nullable SenderPublicKey key,
            long number,
            String why,
            ChainAlarms.@Nullable Evidence evidence) {
        if (key != null) {
            means.alarms().raise(kind, key, number, why, subject.id(), evidence);
        }
    }

    private RecheckState state(String how, @Nullable String reason) {
        boolean isEnd = !how.equals(RecheckState.RUNNING);
        List<NotTested> first =
                notTested.stream().limit(RecheckState.MOST_NAMED).toList();
        return new RecheckState(
                how,
                reason,
                numbers,
                drawn,
                tested,
                caught,
                first,
                notTested.size() - first.size(),
                isEnd ? HiddenOdds.of(numbers, tested, found) : List.of(),
                unsure,
                List.copyOf(uneven),
                List.copyOf(unchecked),
                moreUnchecked);
    }
}
