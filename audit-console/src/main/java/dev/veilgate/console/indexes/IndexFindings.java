package dev.veilgate.console.indexes;

import dev.veilgate.authority.IndexCheck;
import dev.veilgate.authority.IndexCheck.Answer;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.authority.TenantProfiles;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.indexes.CheckedRecords.Place;
import dev.veilgate.console.indexes.OpenedKeywords.Maker;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.AttachmentReading;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.IndexRules;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.peks.DyadicIntervals;
import dev.veilgate.peks.Keyword;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Whether the indexes of records that were opened for somebody are complete. What is found is told to who opened the
 * record and is counted for keepers; no sender, gateway, route or metric hears of it, and no log names a word.
 *
 * <p>A check that fails says so and keeps nobody from the record. Safe for use by several threads.
 */
@Component
public class IndexFindings {
    private static final Logger LOG = LoggerFactory.getLogger(IndexFindings.class);
    private static final int MOST_SHOWN = 100;
    private static final int MOST_REMEMBERED = 1_000;

    private static final int TURNS = 64;

    private final Custody custody;
    private final CheckedRecords checked;
    private final List<ReentrantLock> turns =
            Stream.generate(ReentrantLock::new).limit(TURNS).toList();
    /** Findings that were counted: who opens the record again sees them, and they are not counted anew. */
    private final Map<Place, IndexState> found = new Newest();

    IndexFindings(Custody custody, CheckedRecords checked) {
        this.custody = custody;
        this.checked = checked;
        custody.beforeLocking(this::forget);
    }

    /**
     * Checks the index of an opened line.
     *
     * @param scope  in which it was found
     * @param record its ordinal
     * @param origin where it was read; empty if its sender does not say
     * @param format in which it was read; empty if its sender does not say
     */
    public IndexState ofRecord(
            Envelope envelope, String scope, int record, byte[] bytes, String origin, String format) {
        return of(envelope, scope, record, profile -> OpenedKeywords.ofRecord(bytes, origin, format, profile));
    }

    /**
     * Checks the index of an opened mail.
     *
     * @param envelope that is its index
     * @param scope    in which it was found
     * @param read     its keywords, by a profile that may be another than that of the envelope
     */
    public IndexState ofMail(Envelope envelope, String scope, byte[] message, ReadMail read) {
        AttachmentReading reading = envelope.attachmentReading().orElse(null);
        return of(envelope, scope, 0, profile -> read.by(profile, message, reading));
    }

    /** Who answers for an envelope, as findings are counted; empty for nobody. */
    public String senderOf(Envelope envelope) throws Exception {
        return custody.use(keys -> IndexCheck.senderOf(keys, envelope)).orElse("");
    }

    private IndexState of(Envelope envelope, String scope, int record, Maker content) {
        Place place = Place.of(envelope, record, scope);
        ReentrantLock turn = turns.get(Math.floorMod(place.hashCode(), TURNS));
        turn.lock(); // of several who open it at once, one has it checked: its findings are counted once
        try {
            IndexState before = found(place);
            return before == null ? check(place, envelope, content) : before;
        } finally {
            turn.unlock();
        }
    }

    private IndexState check(Place place, Envelope envelope, Maker content) {
        String sender = "";
        try {
            Judged first = custody.use(keys -> judge(keys, envelope));
            sender = first.sender();
            IndexState state = judged(first, place, envelope, content);
            if (state.isFinding()) {
                remember(place, state);
            }
            checked.put(place, sender, state);
            return state.reasons().contains(Reason.TOO_MANY_FINDINGS) ? known(place, state) : state;
        } catch (ProblemException e) { // of the console, not of the record: another time
            LOG.warn("whether the index of a record is complete cannot be checked now: {}", e.getMessage());
            return IndexState.notChecked(Reason.FAILED);
        } catch (Exception e) {
            LOG.error("whether the index of a record is complete cannot be checked", e);
            IndexState failed = IndexState.notChecked(Reason.FAILED);
            putFailed(place, sender, failed);
            return failed;
        }
    }

    /** A sender whose envelopes cannot be checked is counted, or it would seal such ones. */
    private void putFailed(Place place, String sender, IndexState failed) {
        try {
            checked.put(place, sender, failed);
        } catch (RuntimeException e) {
            LOG.error("that the index of a record cannot be checked is not counted", e);
        }
    }

    /** A finding of before, where nothing is looked into any more; without its keywords, which nobody keeps. */
    private IndexState known(Place place, IndexState now) {
        OptionalInt before = now.isFinding() ? OptionalInt.empty() : checked.lacking(place);
        return before.isEmpty()
                ? now
                : new IndexState(Outcome.LACKING, now.reasons(), before.getAsInt(), 0, 0, now.unasked(), List.of());
    }

    /**
     * A result, or what is needed for one.
     *
     * @param sender  who answers for the envelope; empty for nobody
     * @param profile by which keywords are to be made; null where there is nothing to ask
     */
    private record Judged(
            String sender, IndexState state, @Nullable ExtractorProfile profile) {
        static Judged of(String sender, Outcome outcome, Reason why) {
            return new Judged(sender, IndexState.of(outcome, why), null);
        }
    }

    private IndexState judged(Judged first, Place place, Envelope envelope, Maker content) throws Exception {
        ExtractorProfile profile = first.profile();
        if (profile == null) {
            return first.state();
        }
        OpenedKeywords made = content.by(profile); // may take long, and others use the keys meanwhile
        if (made.why().equals(Optional.of(Reason.UNKNOWN_FORMAT))) {
            return IndexState.notChecked(Reason.UNKNOWN_FORMAT);
        }
        Answer answer = custody.check((keys, store, budget) ->
                keys.indexCheck(store, budget).check(envelope, place.scope(), place.ordinal(), made.keywords()));
        return state(answer, made, profile);
    }

    /** By what the envelope says, as far as that decides. */
    private Judged judge(TenantKeys keys, Envelope envelope) throws IOException {
        Optional<String> sender = IndexCheck.senderOf(keys, envelope);
        if (sender.isEmpty()) {
            return Judged.of("", Outcome.NOT_CHECKED, Reason.NOT_SIGNED);
        }
        String name = sender.get();
        Optional<IndexRules> rules = envelope.indexRules();
        if (rules.isEmpty()) {
            return Judged.of(name, Outcome.NOT_CHECKED, Reason.NO_RULES);
        }
        if (rules.get().rules() == 0) {
            Outcome outcome = checked.isCaller(name) ? Outcome.EXCUSED : Outcome.LACKING;
            return Judged.of(name, outcome, Reason.KEYWORDS_OF_CALLER);
        }
        Optional<byte[]> encoded = named(keys.profiles(), rules.get());
        if (encoded.isEmpty()) {
            return Judged.of(name, Outcome.LACKING, Reason.UNKNOWN_RULES);
        }
        try {
            ExtractorProfile profile = ExtractorProfile.decode(encoded.get());
            return new Judged(name, IndexState.notChecked(Reason.FAILED), profile);
        } catch (MalformedEncodingException e) {
            return Judged.of(name, Outcome.NOT_CHECKED, Reason.LATER_RULES);
        }
    }

    /** The profile of an envelope; a tenant that has none of its own has the default one. */
    private static Optional<byte[]> named(TenantProfiles profiles, IndexRules rules) {
        byte[] defaults = ExtractorProfile.defaults().encode();
        boolean isDefault = profiles.first().length == 0
                && rules.equals(IndexRules.of(ExtractorProfile.defaults().rules(), defaults));
        return isDefault ? Optional.of(defaults) : profiles.named(rules);
    }

    private static IndexState state(Answer answer, OpenedKeywords made, ExtractorProfile profile) {
        Set<Reason> reasons = new LinkedHashSet<>();
        made.why().ifPresent(reasons::add);
        answer.notChecked().stream().map(Reason::of).sorted().forEach(reasons::add);
        boolean isAsked = answer.unchecked() < made.keywords().size();
        Outcome outcome = answer.isFinding()
                ? Outcome.LACKING
                : answer.notChecked().isEmpty() || isAsked && answer.unchecked() == 0
                        ? Outcome.COMPLETE
                        : Outcome.NOT_CHECKED;
        return new IndexState(
                outcome,
                List.copyOf(reasons),
                answer.missing().size(),
                answer.contradicted().size(),
                answer.malformed(),
                answer.unchecked() + made.unasked(),
                Stream.concat(answer.missing().stream(), answer.contradicted().stream())
                        .limit(MOST_SHOWN)
                        .map(keyword -> shown(keyword, profile))
                        .toList());
    }

    /** A keyword as people read it: of an interval of numbers the first and the last. */
    private static String shown(Keyword keyword, ExtractorProfile profile) {
        if (!keyword.isInterval()) {
            return keyword.field() + ":" + keyword.value();
        }
        long origin = profile.numericField(keyword.field())
                .map(DyadicIntervals::origin)
                .orElse(0L);
        long first = origin + (Long.parseLong(keyword.value()) << keyword.level());
        return keyword.field() + ":" + first
                + (keyword.level() == 0 ? "" : ".." + (first + (1L << keyword.level()) - 1));
    }

    private @Nullable IndexState found(Place place) {
        synchronized (found) {
            return found.get(place);
        }
    }

    private void remember(Place place, IndexState state) {
        synchronized (found) {
            found.put(place, state);
        }
    }

    /** Forgets findings, so that they are looked for anew when their records are opened again. */
    void forget() {
        synchronized (found) {
            found.clear();
        }
    }

    /** Forgets the oldest. */
    private static final class Newest extends LinkedHashMap<Place, IndexState> {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Place, IndexState> eldest) {
            return size() > MOST_REMEMBERED;
        }
    }
}
