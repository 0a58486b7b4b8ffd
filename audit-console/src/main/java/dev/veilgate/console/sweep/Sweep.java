package dev.veilgate.console.sweep;

import dev.veilgate.client.EnvelopeRef;
import dev.veilgate.console.audit.AuditLog;
import dev.veilgate.console.audit.Entries;
import dev.veilgate.console.chains.ChainReader;
import dev.veilgate.console.chains.SeenChains;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.indexes.IndexFindings;
import dev.veilgate.console.indexes.IndexState;
import dev.veilgate.console.indexes.Outcome;
import dev.veilgate.console.senders.Sender;
import dev.veilgate.console.senders.SenderChains;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.SenderPublicKey;
import dev.veilgate.envelope.UnlockedEnvelope;
import dev.veilgate.envelope.UnopenableEnvelopeException;
import dev.veilgate.extract.template.TemplateCatalogue;
import dev.veilgate.issuing.DetailName;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.issuing.LogDraft;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.reading.Reading;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.http.HttpStatus;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.stereotype.Component;

/**
 * Opens random envelopes of each registered sender, found or not, and checks their indexes: a record whose words are in
 * no index is found by no search, so that nobody opens it. Numbers are drawn evenly, from 1 to the highest that is
 * known of the sender's chain. Nobody is shown what was opened.
 *
 * <p>Mail has no chain: the gateway draws it ({@link MailDraws}), which is said.
 */
@Component
public class Sweep implements DisposableBean {
    /** Who opens, in the issuing log. */
    static final String ACTOR = "sweep";

    private static final Logger LOG = LoggerFactory.getLogger(Sweep.class);
    private static final int MOST_NAMED_BYTES = 4096;

    private final Custody custody;
    private final SenderChains chains;
    private final ChainReader reader;
    private final SeenChains seen;
    private final IndexFindings findings;
    private final MailDraws mails;
    private final SweptSenders swept;
    private final AuditLog log;
    private final SweepSettings settings;
    private final SecureRandom random = new SecureRandom();
    private final AtomicBoolean running = new AtomicBoolean();
    private volatile boolean stopping;
    /** Rights of the round that runs; null between rounds. */
    private volatile @Nullable SweepRights present;

    Sweep(
            Custody custody,
            SenderChains chains,
            ChainReader reader,
            SeenChains seen,
            IndexFindings findings,
            MailDraws mails,
            SweptSenders swept,
            AuditLog log,
            SweepSettings settings,
            TaskScheduler scheduler) {
        this.custody = custody;
        this.chains = chains;
        this.reader = reader;
        this.seen = seen;
        this.findings = findings;
        this.mails = mails;
        this.swept = swept;
        this.log = log;
        this.settings = settings;
        custody.beforeLocking(this::forget);
        if (settings.envelopes() > 0) {
            scheduler.scheduleWithFixedDelay(this::begin, settings.every());
        }
    }

    /** On a thread of its own, since a round takes long: others are scheduled on this one. */
    private void begin() {
        if (!custody.isLocked() && running.compareAndSet(false, true)) {
            Thread.ofVirtual().name("sweep").start(this::runRound);
        }
    }

    private void runRound() {
        try {
            round(settings.envelopes());
        } catch (ProblemException e) {
            LOG.warn("a sweep ended early: {}", e.getMessage());
        } catch (Exception e) {
            LOG.error("a sweep failed", e);
        } finally {
            running.set(false);
        }
    }

    /**
     * Draws and checks envelopes of each registered sender, and mails, after an entry in the issuing log that says how
     * many, and of which scopes they may be.
     *
     * @param envelopes of each sender; as many mails of all senders together
     * @throws ProblemException 423 if the keys are locked, 502 if the gateway does not answer or, at the end of the
     *     round, did not for some sender or mail: what was drawn is counted
     */
    public synchronized void round(int envelopes) throws Exception {
        TreeMap<String, Long> highest = new TreeMap<>();
        for (Sender sender : chains.seen().values()) {
            if (sender.registered()) {
                highest.put(sender.name(), highest(sender.name(), number(sender)));
            }
        }
        for (SweptSenders.Counts before : swept.all()) { // also those of which the gateway says nothing any more
            if (custody.use(keys -> keys.sender(before.sender())).isPresent()) {
                highest.computeIfAbsent(before.sender(), name -> swept.highest(name, 0));
            }
        }
        highest.values().removeIf(number -> number < 1);
        ProblemException failed = null;
        List<EnvelopeRef> drawnMails = List.of();
        try {
            drawnMails = mails.list(envelopes);
        } catch (ProblemException e) {
            failed = e; // the senders are not spared for it
        }
        if (highest.isEmpty() && drawnMails.isEmpty()) {
            if (failed != null) {
                throw failed;
            }
            return;
        }
        String what = drawnMails.isEmpty() ? "random envelopes" : "random envelopes, and mails that the gateway drew";
        long count = (long) envelopes * highest.size() + drawnMails.size();
        Set<String> scopes = custody.use(keys -> keys.scopes());
        log.append(LogDraft.of(EntryKind.DECRYPTION, ACTOR)
                .with(Entries.ACTION, what + ", to check their indexes")
                .with(DetailName.SCOPE, Entries.cut(String.join(" ", scopes), MOST_NAMED_BYTES))
                .with(Entries.NAME, Entries.cut(String.join(" ", highest.keySet()), MOST_NAMED_BYTES))
                .with(DetailName.COUNT, Long.toString(count)));
        try (SweepRights rights = new SweepRights(custody, log, settings.rights(), random)) {
            present = rights;
            for (String sender : highest.keySet()) {
                try {
                    draw(sender, highest.get(sender), envelopes, rights);
                } catch (ProblemException e) {
                    rights.requireOpen();
                    failed = e; // the others are not spared for it
                }
            }
            for (EnvelopeRef which : drawnMails) {
                if (!stopping) {
                    try {
                        MailDraws.Drawn drawn = mails.check(which, rights);
                        rights.requireOpen();
                        swept.countListed(drawn.sender(), drawn.draw());
                    } catch (ProblemException e) {
                        rights.requireOpen();
                        failed = e;
                    }
                }
            }
            if (failed != null) {
                throw failed;
            }
        } finally {
            present = null;
        }
    }

    /**
     * Draws of one sender, up to the first that the gateway does not answer for. That number is not given, or else a
     * gateway could end each round just where there is something to find.
     */
    private void draw(String sender, long highest, int envelopes, SweepRights rights) throws Exception {
        for (int i = 0; i < envelopes && !stopping; i++) {
            long number = random.nextLong(highest) + 1;
            try {
                swept.count(sender, number, drawn(sender, number, rights));
            } catch (ProblemException e) {
                if (isOfGateway(e)) {
                    swept.count(sender, number, Draw.NOT_GIVEN);
                }
                throw e;
            }
        }
    }

    private static boolean isOfGateway(ProblemException e) {
        return e.status() == HttpStatus.BAD_GATEWAY;
    }

    /**
     * The highest number to draw: what the gateway says now, or what a sender signed before if that is more. Only the
     * latter is kept, or a gateway that once claimed too much would have numbers drawn for ever that there are not.
     */
    private long highest(String sender, long claimed) throws Exception {
        long known = Math.max(swept.highest(sender, 0), everSeen(sender));
        if (claimed <= known) {
            return known;
        }
        try {
            Optional<Envelope> last = given(sender, claimed);
            if (last.isPresent()) {
                return swept.highest(sender, claimed);
            }
        } catch (ProblemException e) {
            if (!isOfGateway(e)) {
                throw e;
            }
            LOG.warn(
                    "the gateway does not give the envelope that it says is the last of {}: {}",
                    sender,
                    e.getMessage());
        }
        return claimed;
    }

    /** Highest number that searches, rechecks and sweeps have seen signed. */
    private long everSeen(String sender) throws Exception {
        Optional<SenderPublicKey> key = custody.use(keys -> keys.sender(sender));
        return key.isEmpty() ? 0 : seen.highest(key.get());
    }

    /** A draw, unless the keys were erased meanwhile: what cannot be opened then says nothing. */
    private Draw drawn(String sender, long number, SweepRights rights) throws Exception {
        try {
            Draw draw = draw(sender, number, rights);
            rights.requireOpen();
            return draw;
        } catch (RuntimeException e) {
            rights.requireOpen();
            throw e;
        }
    }

    /** Keys of a round go when the tenant's are locked, whatever the round waits for. */
    private void forget() {
        SweepRights now = present;
        if (now != null) {
            now.close();
        }
    }

    @Override
    public void destroy() {
        stopping = true;
    }

    private static long number(Sender sender) {
        Long last = sender.lastSequence();
        return last == null ? 0 : last;
    }

    private Draw draw(String sender, long number, SweepRights rights) throws Exception {
        Optional<Envelope> given = given(sender, number);
        if (given.isEmpty()) {
            return Draw.NOT_GIVEN;
        }
        Envelope envelope = given.get();
        Reading reading = rights.of(envelope);
        if (!reading.isProven(envelope)) {
            return Draw.NOT_GIVEN; // another one, in its name
        }
        if (envelope.recordCount() == 0) {
            return Draw.EMPTY;
        }
        try (UnlockedEnvelope unlocked = reading.opener().unlock(envelope)) {
            return isCatalogue(envelope, unlocked) ? Draw.EMPTY : check(envelope, unlocked);
        } catch (UnopenableEnvelopeException e) {
            return Draw.NOT_OPENABLE;
        }
    }

    /** Whether it has templates alone, as it says: a sender could call anything so. */
    private static boolean isCatalogue(Envelope envelope, UnlockedEnvelope unlocked)
            throws UnopenableEnvelopeException {
        if (!envelope.mediaType().equals(TemplateCatalogue.MEDIA_TYPE)
                || envelope.indexRules().isPresent()) {
            return false;
        }
        try {
            for (int i = 0; i < envelope.recordCount(); i++) {
                TemplateCatalogue.decode(unlocked.record(i));
            }
            return true;
        } catch (MalformedEncodingException e) {
            return false;
        }
    }

    /** The envelope of a number that the sender signed; anything else is none. */
    private Optional<Envelope> given(String sender, long number) throws Exception {
        Optional<SenderPublicKey> key = custody.use(keys -> keys.sender(sender));
        return key.isEmpty()
                ? Optional.empty()
                : reader.ask(key.get(), number).signed().stream().findFirst();
    }

    /** Each record, in each scope that the envelope has blocks of; in one without a name if it has none. */
    private Draw check(Envelope envelope, UnlockedEnvelope unlocked) throws UnopenableEnvelopeException {
        Set<String> scopes = new TreeSet<>();
        envelope.index().stream().map(IndexBlock::scope).forEach(scopes::add);
        if (scopes.isEmpty()) {
            scopes.add("");
        }
        List<String> origins = unlocked.origins();
        List<String> formats = unlocked.formats();
        boolean isAll = true;
        for (int i = 0; i < envelope.recordCount(); i++) {
            byte[] record = unlocked.record(i);
            String origin = origins.isEmpty() ? "" : origins.get(i);
            String format = formats.isEmpty() ? "" : formats.get(i);
            for (String scope : scopes) {
                IndexState state = findings.ofRecord(envelope, scope, i, record, origin, format);
                isAll &= state.outcome() == Outcome.COMPLETE || state.isFinding();
            }
        }
        return isAll ? Draw.CHECKED : Draw.NOT_CHECKED;
    }
}
