package dev.veilgate.console.audit;

import dev.veilgate.authority.AuthorityLog;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.envelope.KemPublicKey;
import dev.veilgate.issuing.HeadPolicy;
import dev.veilgate.issuing.InclusionProof;
import dev.veilgate.issuing.IssuingLog;
import dev.veilgate.issuing.LogDraft;
import dev.veilgate.issuing.LogEntry;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.http.HttpStatus;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.stereotype.Component;

/**
 * The tenant's issuing log in its key folder, open as long as the keys are. What cannot be written here must not happen: append first, then issue, hand out or change. What an entry says is made by
 * {@link Entries}.
 *
 * <p>Safe for use by several threads.
 */
@Component
public final class AuditLog implements DisposableBean {
    private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);
    private static final Duration HEADS_CHECKED = Duration.ofMinutes(1);

    /** @param sealFor who can open what is not in clear: the holder of the tenant's keys */
    private record Opened(IssuingLog log, KemPublicKey sealFor) {}

    private final Clock clock;
    private volatile @Nullable Opened opened;

    AuditLog(Custody custody, Clock clock, TaskScheduler scheduler) throws IOException {
        this.clock = clock;
        custody.beforeLocking(this::destroy);
        custody.afterUnlocking(this::open);
        scheduler.scheduleWithFixedDelay(this::headIfDue, HEADS_CHECKED);
    }

    private synchronized void open(KeyFolder folder) throws IOException {
        opened = new Opened(
                AuthorityLog.open(folder, HeadPolicy.DEFAULT, clock, new SecureRandom()),
                AuthorityLog.sealingKey(folder.keys()));
    }

    /** Something that is read from the log. */
    @FunctionalInterface
    interface Reading<T> {
        T from(IssuingLog log) throws IOException;
    }

    /** @throws ProblemException 423 if the keys are locked, 500 if the log is not what was written */
    <T> T read(Reading<T> reading) {
        try {
            return reading.from(opened().log());
        } catch (IOException e) {
            throw failed("cannot be read", e);
        }
    }

    /**
     * Shows that an entry is in the log, with a head of all that is in it now.
     *
     * @throws ProblemException as {@link #append(List)}
     */
    public InclusionProof prove(long entry) {
        return read(log -> log.proveInclusion(entry, log.head()));
    }

    /** Number of the last entry of the issuing log, 0 without one; empty as long as the keys are locked. */
    public Optional<Long> size() {
        Opened now = opened;
        return now == null ? Optional.empty() : Optional.of(now.log().size());
    }

    /**
     * The tenant whose log it is.
     *
     * @throws ProblemException 423 if the keys are locked
     */
    public String tenant() {
        return opened().log().authority().sender();
    }

    /**
     * An entry, empty if the log has none of that number.
     *
     * @throws ProblemException 423 if the keys are locked
     * @throws IOException      if it is not what was written, or the keys were locked meanwhile
     */
    public Optional<LogEntry> entry(long number) throws IOException {
        return opened().log().entry(number);
    }

    /** {@link #append(List)} of one. */
    public long append(LogDraft draft) {
        return append(List.of(draft));
    }

    /**
     * Writes entries, durably. If it fails, what they tell of must not happen.
     *
     * @param drafts 1 to {@value IssuingLog#MAX_BATCH}
     * @return the number of the first; the others follow
     * @throws ProblemException 423 if the keys are locked, 500 if the entries are not on the disk
     */
    public long append(List<LogDraft> drafts) {
        try {
            return opened().log().append(drafts);
        } catch (IOException e) {
            throw failed("cannot be written, so that nothing may be issued or changed", e);
        }
    }

    /**
     * A draft with something that a rule may want to be kept from whoever reads the log.
     *
     * @param name   as a detail has it
     * @param hidden whether only the holder of the tenant's keys may read it
     * @throws ProblemException 423 if the keys are locked
     */
    public LogDraft with(LogDraft draft, String name, String value, boolean hidden) {
        return Entries.with(draft, name, value, hidden ? opened().sealFor() : null);
    }

    private Opened opened() {
        Opened now = opened;
        if (now == null) {
            throw ProblemException.locked();
        }
        return now;
    }

    private static ProblemException failed(String what, IOException e) {
        LOG.error("the issuing log {}", what, e);
        return new ProblemException(
                HttpStatus.INTERNAL_SERVER_ERROR,
                "issuing-log",
                "the issuing log " + what + "; the console's own log says why");
    }

    private void headIfDue() {
        Opened now = opened;
        if (now != null) {
            try {
                now.log().headIfDue();
            } catch (IOException e) {
                LOG.error("no head of the issuing log could be signed", e);
            }
        }
    }

    /** Before the keys are erased, and at the end. */
    @Override
    public synchronized void destroy() {
        Opened now = opened;
        opened = null;
        if (now != null) {
            try {
                now.log().close();
            } catch (IOException e) {
                LOG.error("the issuing log was not closed as it should; it repairs itself when it is opened", e);
            }
        }
    }
}
