package dev.veilgate.console.search;

import dev.veilgate.client.EnvelopeRef;
import dev.veilgate.client.GatewayClient;
import dev.veilgate.client.GatewayException;
import dev.veilgate.client.RunningSearch;
import dev.veilgate.client.SearchEvent;
import dev.veilgate.console.audit.AuditLog;
import dev.veilgate.console.audit.Entries;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.query.Intent;
import dev.veilgate.console.query.QueryText;
import dev.veilgate.console.rows.RowMemory;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.extract.log.LogExtractor;
import dev.veilgate.extract.log.LogFormat;
import dev.veilgate.extract.mail.AttachmentBudget;
import dev.veilgate.extract.mail.CostlyAttachments;
import dev.veilgate.extract.mail.MailLimits;
import dev.veilgate.query.SearchRequest;
import dev.veilgate.reading.EventTime;
import dev.veilgate.reading.HitCheck;
import dev.veilgate.reading.Reading;
import java.io.IOException;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * A search of one user: has its trapdoors issued, follows the gateway, opens what comes for this user's attributes,
 * keeps rows. Every envelope that is opened is in the issuing log before its rows can be seen. Runs on a thread of its
 * own; its state may be asked by any.
 */
final class SearchJob implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SearchJob.class);
    /** How many opened envelopes wait for the log at most, and for how long: one synchronised write for all of them. */
    private static final int LOG_BATCH = 200;

    private static final long LOG_NANOS = Duration.ofMillis(100).toNanos();

    private static final int MAX_SENDERS = 10_000;
    private static final int NEAR_ROWS = 200;

    private static final String LOG_SAYS_MORE = "the console's log says more";
    private static final String INTERNAL = "internal error; " + LOG_SAYS_MORE;

    static final String ISSUING = "issuing";
    static final String RUNNING = "running";
    static final String COMPLETE = "complete";
    static final String LIMITED = "limited";
    static final String STOPPED = "stopped";
    static final String FAILED = "failed";

    /**
     * For whom a search is held.
     *
     * @param user    who searches
     * @param session the session that it was started in, and goes with
     */
    record Owner(String user, UUID session) {}

    /**
     * What a search needs.
     *
     * @param owner   for whom
     * @param issuing makes its trapdoors
     * @param limit   most rows
     * @param earlier names of the epochs before those that are asked
     * @param costly  attachments of which it is known that they take too long
     * @param begun   chains as they stood before
     */
    record Order(
            UUID id,
            Owner owner,
            Intent intent,
            Issuing issuing,
            Instant started,
            long limit,
            List<String> earlier,
            CostlyAttachments costly,
            Rechecks.Begun begun) {}

    /**
     * What there is once its trapdoors have been issued.
     *
     * @param millis what that and authorisation took
     */
    private record Ready(SearchRequest request, Reading reading, Opening opening, long millis) {}

    /** Times as long as in a search. */
    private static final int RECHECK_TIMES = 10;

    /** Processor time of such a check, at most. */
    private static final Duration RECHECK_BUDGET = Duration.ofSeconds(120);

    private static final byte[] NO_ENVELOPE = new byte[RowSpool.DIGEST_BYTES];

    private final Order order;
    private final RowSpool spool;
    private final RowTable table;
    private final AuditLog log;
    private final JsonMapper json;
    private final Clock clock;
    private final List<String> leakage;
    private final Set<String> senders = new ConcurrentSkipListSet<>();
    private final Deque<OpenedRow> waiting = new ArrayDeque<>();
    private final List<Entries.Opened> opened = new ArrayList<>();
    private final FoundNumbers found = new FoundNumbers();
    private final Object recheckTurn = new Object();
    private long waitingSince;
    private long taken;
    private volatile @Nullable HitCheck rechecking;
    private volatile boolean stopping;
    private volatile boolean isForgotten;
    private volatile @Nullable Ready ready;
    private String state = ISSUING; // guarded by this
    private volatile @Nullable String problem;
    private volatile SearchEvent.Progress progress = new SearchEvent.Progress(0, 0, 0, 0, 0, 0);
    private volatile SearchEvent.@Nullable NotAsked notAsked;
    private volatile @Nullable Instant ended;
    private volatile @Nullable Instant firstRow;
    private volatile Instant lastAsked;
    private volatile RecheckState recheck = RecheckState.of(RecheckState.WAITING, null);

    SearchJob(Order order, RowSpool spool, RowMemory memory, AuditLog log, JsonMapper json, Clock clock) {
        this.order = order;
        this.spool = spool;
        this.table = new RowTable(spool, memory, json);
        this.log = log;
        this.json = json;
        this.clock = clock;
        this.lastAsked = order.started();
        this.leakage = Leakage.of(order.intent(), order.issuing().total());
    }

    UUID id() {
        return order.id();
    }

    String owner() {
        return order.owner().user();
    }

    /** The session that it goes with. */
    UUID session() {
        return order.owner().session();
    }

    Intent intent() {
        return order.intent();
    }

    /** Chains as they stood before it. */
    Rechecks.Begun begun() {
        return order.begun();
    }

    /** Numbers of chains in which it found something. */
    FoundNumbers found() {
        return found;
    }

    /** What the gateway was asked; there is one as soon as it was. */
    SearchRequest request() {
        return ready().request();
    }

    /** Whether it went through all that it asked for. */
    synchronized boolean isComplete() {
        return state.equals(COMPLETE);
    }

    /** Whether it was removed, so that nobody waits for anything of it. */
    boolean isForgotten() {
        return isForgotten;
    }

    /** How the recheck of what it did not find stands. */
    void recheck(RecheckState stands) {
        recheck = stands;
    }

    /** What its rows are read with; there is one as soon as there is a row. */
    Reading reading() {
        return ready().reading();
    }

    private Ready ready() {
        Ready now = ready;
        if (now == null) {
            throw new IllegalStateException("the search has not begun");
        }
        return now;
    }

    /** Names of the fields that the records have which it has opened. */
    Set<String> fields() {
        Ready now = ready;
        return now == null ? Set.of() : now.opening().fields();
    }

    /** Reads records as their look suggests. */
    LogExtractor extractor() {
        return LogExtractor.of(reading().profiles().latest(), LogFormat.AUTO);
    }

    /** Whether an event time lies in the range that the search asks for. */
    boolean asksFor(EventTime time) {
        return time.isIn(order.intent().filter());
    }

    /** Whether the search looks into an envelope. */
    boolean covers(Envelope envelope) {
        return ready().request().admits(envelope);
    }

    /** Whether an envelope is, byte for byte, the one that a row was found in. */
    boolean wasFoundIn(long number, Envelope envelope) throws IOException {
        return MessageDigest.isEqual(spool.digest(Math.toIntExact(number)), envelope.digest());
    }

    /** The envelope that a row was found in; by its id alone if nobody knows which one of the id that was. */
    EnvelopeRef which(Row row) throws IOException {
        byte[] digest = spool.digest(Math.toIntExact(row.row()));
        return Arrays.equals(digest, NO_ENVELOPE)
                ? new EnvelopeRef(row.envelope(), Optional.empty())
                : EnvelopeRef.of(row.envelope(), digest);
    }

    RowSpool spool() {
        return spool;
    }

    /** Its rows by any of their columns. */
    RowTable table() {
        return table;
    }

    boolean isRunning() {
        return ended == null;
    }

    /** When somebody looked last. */
    Instant lastAsked() {
        return lastAsked;
    }

    void touch() {
        lastAsked = clock.instant();
    }

    /** Ends it; what was found stays. Nothing is asked of a gateway that was not asked yet. */
    synchronized void stop() {
        stopping = true;
        if (state.equals(ISSUING)) {
            end(STOPPED, null);
        }
    }

    /** Ends it, for it is to be closed: no attachment is read any more, and what is being checked is not. */
    void forget() {
        stop();
        isForgotten = true;
        Ready begun = ready;
        if (begun != null) {
            begun.opening().abandon();
        }
        HitCheck check = rechecking;
        if (check != null) {
            check.abandon();
        }
    }

    private void requireHeld() {
        if (isForgotten) {
            throw ProblemException.notFound("the search");
        }
    }

    /** Runs it to its end, whatever that is. */
    void run(GatewayClient gateway) {
        try {
            Optional<Issuing.Issued> issued = issue();
            if (issued.isPresent() && isBegun(issued.get())) {
                search(gateway);
            }
        } catch (ProblemException e) {
            finish(FAILED, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            finish(STOPPED, null);
        } catch (Exception e) {
            LOG.error("a search failed", e);
            finish(FAILED, INTERNAL);
        } finally {
            if (ended == null) { // an Error, such as memory that is used up: it must not count as running for ever
                end(FAILED, INTERNAL);
            }
        }
    }

    private Optional<Issuing.Issued> issue() throws Exception {
        try {
            return order.issuing().run(() -> stopping);
        } catch (IOException e) {
            LOG.error("the trapdoors of a search cannot be issued", e);
            finish(
                    FAILED,
                    "its trapdoors cannot be issued: the key folder cannot be read or written; " + LOG_SAYS_MORE);
            return Optional.empty();
        }
    }

    /** Whether it goes on; if it was stopped, the attribute keys are erased. */
    private synchronized boolean isBegun(Issuing.Issued issued) throws MalformedEncodingException {
        boolean begun = false;
        try {
            if (!stopping) {
                long millis = millisUntil(clock.instant());
                Opening opening = new Opening(issued.reading(), check(MailLimits.ofSearch(1)), this::take);
                ready = new Ready(issued.request(), issued.reading(), opening, millis);
                state = RUNNING;
                begun = true;
            }
            return begun;
        } finally {
            if (!begun) {
                issued.reading().close();
            }
        }
    }

    private HitCheck check(MailLimits limits) {
        return new HitCheck(
                order.intent().readings(),
                order.intent().filter(),
                order.intent().text().signers(),
                limits,
                order.costly());
    }

    private void search(GatewayClient gateway) throws Exception {
        Ready now = ready();
        order.begun().await();
        try (Opening opening = now.opening();
                RunningSearch search = RunningSearch.start(gateway, now.request())) {
            Visitor visitor = new Visitor(opening);
            Optional<SearchEvent.End> end = search.run(visitor);
            if (end.isPresent()) {
                progress = end.get().progress();
                notAsked = end.get().notAsked().orElse(null);
            }
            boolean isAll = end.isPresent() && readAttachments(opening, visitor);
            flush();
            finish(isAll ? outcome(end.get()) : stopping ? STOPPED : LIMITED, null);
        } catch (GatewayException | IOException e) {
            finish(FAILED, "the gateway: " + e.getMessage());
        }
    }

    /** Reads the attachments of mails that nothing else decides; false if the search was ended or is full before. */
    private boolean readAttachments(Opening opening, Visitor visitor) throws Exception {
        while (visitor.wantsMore()) {
            if (!opening.goOn()) {
                return taken < order.limit();
            }
        }
        return false;
    }

    private static String outcome(SearchEvent.End end) {
        return switch (end.outcome()) {
            case "complete" -> COMPLETE;
            case "cancelled" -> STOPPED;
            default -> FAILED;
        };
    }

    private void finish(String how, @Nullable String why) {
        try {
            flush(); // rows of envelopes that were opened before it failed
        } catch (IOException | ProblemException e) {
            LOG.error("what a search had opened last is not shown", e);
        }
        end(how, how.equals(FAILED) && why == null ? "the gateway could not end the search" : why);
    }

    /** The first end counts. */
    private synchronized void end(String how, @Nullable String why) {
        if (ended == null) {
            problem = why;
            state = how;
            ended = clock.instant();
        }
    }

    private final class Visitor implements RunningSearch.Visitor {
        private final Opening opening;

        Visitor(Opening opening) {
            this.opening = opening;
        }

        @Override
        public boolean wantsMore() throws IOException {
            if (!waiting.isEmpty() && System.nanoTime() - waitingSince > LOG_NANOS) {
                flush();
            }
            return !stopping && taken < order.limit();
        }

        @Override
        public void found(RunningSearch.Found found) throws Exception {
            try {
                opening.open(found.envelope(), found.hit().records(), found.content());
                if (opening.isProven()) {
                    SearchJob.this.found.add(found.envelope());
                }
            } finally { // rows that were taken are shown, whatever became of those behind them
                if (opening.opened() > 0) {
                    opened.add(new Entries.Opened(found.envelope().id(), opening.opened()));
                }
            }
            if (opened.size() >= LOG_BATCH) {
                flush();
            }
        }

        @Override
        public void refused(SearchEvent.Hit hit, String why) throws Exception {
            SearchJob.this.found.addNamed(hit);
            opening.refuse(hit, why);
        }

        @Override
        public void progress(SearchEvent.Progress now) {
            progress = now;
        }
    }

    private boolean take(OpenedRow row) {
        if (taken >= order.limit()) {
            return false;
        }
        if (waiting.isEmpty()) {
            waitingSince = System.nanoTime();
        }
        waiting.add(row);
        if (senders.size() < MAX_SENDERS) {
            senders.add(row.row().sender());
        }
        taken++;
        return taken < order.limit();
    }

    /** First the log, then the rows. */
    private void flush() throws IOException {
        if (!opened.isEmpty()) {
            log.append(Entries.decryptions(owner(), order.id(), opened));
            opened.clear();
        }
        boolean isAny = !waiting.isEmpty();
        OpenedRow.pour(waiting, spool, table, json);
        if (isAny && firstRow == null) {
            firstRow = clock.instant();
        }
    }

    /** Whom rows name as their senders; of very many the first. */
    Set<String> senders() {
        return new TreeSet<>(senders);
    }

    /** Mails that are not checked, since their attachments take too long to be read: the first of them. */
    List<Row> unchecked() {
        Ready now = ready;
        return now == null
                ? List.of()
                : now.opening().unchecked().stream().map(Opening.Unchecked::row).toList();
    }

    /** Where it has looked so far. */
    SearchEvidence evidence() {
        Ready now = ready;
        return evidence(now == null ? null : now.request());
    }

    private SearchEvidence evidence(@Nullable SearchRequest request) {
        return SearchEvidence.of(request, notAsked, unchecked(), order.earlier());
    }

    /**
     * A mail that was not checked, and what became of it.
     *
     * @param verdict found, not-found, not-asked-for (of another time, or otherwise signed) or unchecked
     * @param row     number of the row that it has now, if it was found
     */
    record Rechecked(String verdict, @Nullable Long row) {}

    /**
     * Checks once more a mail whose attachments took too long, for up to {@value #RECHECK_TIMES} times as long; one
     * that is found gets a row behind the others.
     *
     * @param number of the mail, as it is listed
     * @throws ProblemException 404 if there is none, or if the search is removed meanwhile; 409 while the search
     *                          runs, or if it has as many rows as it may have
     */
    Rechecked recheck(long number, FoundContent content) throws Exception {
        synchronized (recheckTurn) {
            requireHeld();
            if (isRunning()) {
                throw ProblemException.conflict("the search still runs");
            }
            if (taken >= order.limit()) {
                throw ProblemException.conflict("the search has as many rows as it may have");
            }
            Opening opening = ready().opening();
            Opening.Unchecked one = opening.unchecked().stream()
                    .filter(each -> each.row().row() == number)
                    .findFirst()
                    .orElseThrow(() -> ProblemException.notFound("a mail of that number that is not checked"));
            try {
                return recheck(opening, one, content);
            } catch (Exception e) {
                requireHeld(); // what is closed and erased with a search fails in many ways
                throw e;
            }
        }
    }

    private Rechecked recheck(Opening opening, Opening.Unchecked one, FoundContent content) throws Exception {
        try (HitCheck check = check(MailLimits.ofSearch(RECHECK_TIMES))) {
            rechecking = check;
            requireHeld(); // else it was forgotten before this one could be abandoned
            FoundContent.FoundMail mail = content.mail(this, one);
            AttachmentBudget budget = new AttachmentBudget(RECHECK_BUDGET);
            HitCheck.CheckedMail checked = check.checkAttachments(mail.envelope(), mail.mail(), budget);
            requireHeld();
            HitCheck.Verdict verdict = opening.settle(one, mail, checked);
            flush();
            return switch (verdict) {
                case FOUND -> new Rechecked("found", spool.rows() - 1L);
                case LIES -> new Rechecked("not-found", null);
                case OUTSIDE, OTHERWISE_SIGNED -> new Rechecked("not-asked-for", null);
                case UNDECIDED -> new Rechecked("unchecked", null);
            };
        } finally {
            rechecking = null;
        }
    }

    /** Row by number, whole. */
    Row row(long number) throws IOException {
        if (number < 0 || number >= spool.rows()) {
            throw ProblemException.notFound("the row");
        }
        return json.readValue(spool.row(Math.toIntExact(number)), Row.class);
    }

    /** A record's place. */
    record Place(UUID envelope, int ordinal) {}

    /**
     * Which records near one were found too: all of its envelope, whose rows stand together, and those of the nearest
     * rows.
     *
     * @param number of the one's row
     */
    Set<Place> foundNear(long number) throws IOException {
        Row own = row(number);
        Set<Place> found = new HashSet<>();
        for (int step : new int[] {-1, 1}) {
            for (long n = number; n >= 0 && n < spool.rows(); n += step) {
                Row row = row(n);
                if (Math.abs(n - number) > NEAR_ROWS && !row.envelope().equals(own.envelope())) {
                    break;
                }
                Integer ordinal = row.ordinal();
                if (ordinal != null) {
                    found.add(new Place(row.envelope(), ordinal));
                }
            }
        }
        return found;
    }

    /** As it stands: if that is an end, all of it is. */
    SearchState state() {
        String how;
        Instant end;
        Ready begun;
        synchronized (this) {
            how = state;
            end = ended;
            begun = ready;
        }
        SearchEvent.Progress now = progress;
        Instant first = firstRow;
        long millis = millisUntil(end == null ? clock.instant() : end);
        double perSecond = millis == 0 ? 0 : now.envelopesDone() * 1000.0 / millis;
        Long remaining = end != null || perSecond == 0
                ? null
                : Math.round((now.envelopes() - now.envelopesDone()) * 1000.0 / perSecond);
        QueryText text = order.intent().text();
        SearchState stands = new SearchState(
                order.id(),
                text.query(),
                text.scope(),
                text.mail(),
                text.from(),
                text.to(),
                text.senders(),
                text.signed(),
                how,
                problem,
                order.started(),
                millis,
                begun == null ? null : begun.millis(),
                first == null ? null : millisUntil(first),
                now.envelopes(),
                now.envelopesDone(),
                now.blocksTested(),
                now.blocksRemembered(),
                perSecond,
                remaining,
                now.hits(),
                spool.rows(),
                begun == null ? 0 : begun.opening().unreadable(),
                begun == null ? 0 : begun.opening().uncheckedMails(),
                begun == null ? 0 : begun.opening().dropped(),
                begun == null ? null : SearchState.Others.of(begun.opening().others()),
                begun == null ? 0 : begun.opening().otherwiseSigned(),
                begun == null ? 0 : begun.opening().undated(),
                order.issuing().total(),
                order.issuing().logged(),
                begun == null && end != null ? Leakage.ASKED_NOTHING : leakage,
                order.issuing().notSearched(),
                null,
                end == null ? null : recheck);
        return end == null ? stands : stands.because(Incompleteness.of(stands, order.intent(), evidence(null)));
    }

    private long millisUntil(Instant then) {
        return Duration.between(order.started(), then).toMillis();
    }

    /** Forgets everything; it must have ended. */
    @Override
    public void close() throws IOException {
        try (RowTable _ = table) {
            spool.close();
        } finally {
            Ready begun = ready;
            if (begun != null) {
                begun.reading().close();
            }
        }
    }
}
