package dev.veilgate.console.audit;

import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.identity.LoginEvent;
import dev.veilgate.console.identity.LoginEvent.Kind;
import dev.veilgate.issuing.DetailName;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.issuing.LogDraft;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Who came and went, in the issuing log. Nobody is kept out because it cannot be written: what happens while the keys are locked is written when they are opened, with its time. Refusals are
 * bounded, since anybody can cause them. Safe for use by several threads.
 */
@Component
class LoginEntries {
    static final int MAX_WAITING = 1000;
    static final int REFUSALS_AN_HOUR = 100;

    private static final Logger LOG = LoggerFactory.getLogger(LoginEntries.class);
    /** Who tried a name that nobody has. */
    private static final String NOBODY = "console";

    private static final int MAX_ACTOR_BYTES = 255;
    private static final int MAX_DETAIL_BYTES = 500;

    private final AuditLog log;
    private final Clock clock;
    private final Deque<LogDraft> waiting = new ArrayDeque<>();
    private Instant hour = Instant.MIN;
    private int refusals;

    LoginEntries(AuditLog log, Custody custody, Clock clock) throws IOException {
        this.log = log;
        this.clock = clock;
        custody.afterUnlocking(folder -> writeWaiting()); // behind the log, which was told before
    }

    @EventListener
    synchronized void on(LoginEvent event) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        if (event.kind() == Kind.REFUSED && !isOneOfFew(now)) {
            return;
        }
        LogDraft draft;
        try {
            draft = draft(event);
        } catch (IllegalArgumentException e) {
            LOG.error("a login has no entry in the issuing log: {}", e.getMessage());
            return;
        }
        try {
            log.append(draft);
        } catch (ProblemException e) {
            if (waiting.size() == MAX_WAITING) {
                waiting.removeFirst();
                LOG.warn("more logins than {} wait for the issuing log: the oldest is forgotten", MAX_WAITING);
            }
            waiting.addLast(draft.with("at", now.toString()));
        }
    }

    private boolean isOneOfFew(Instant now) {
        if (hour.isBefore(now.minus(Duration.ofHours(1)))) {
            hour = now;
            refusals = 0;
        }
        refusals++;
        if (refusals == REFUSALS_AN_HOUR) {
            LOG.warn("many guess passwords: for an hour the issuing log gets no more entries of that");
        }
        return refusals <= REFUSALS_AN_HOUR;
    }

    private static LogDraft draft(LoginEvent event) {
        String actor = event.user().isBlank() ? NOBODY : Entries.cut(event.user(), MAX_ACTOR_BYTES);
        String about = Entries.cut(event.about(), MAX_DETAIL_BYTES);
        LogDraft draft = switch (event.kind()) {
            case IN ->
                LogDraft.of(EntryKind.LOGIN, actor).with(Entries.ACTION, "in").with("roles", about);
            case OUT -> LogDraft.of(EntryKind.LOGIN, actor).with(Entries.ACTION, Entries.LOGGED_OUT);
            case REFUSED -> LogDraft.of(EntryKind.LOGIN_REFUSED, actor).with(DetailName.REASON, about);
        };
        return draft.with("address", Entries.cut(event.address(), MAX_DETAIL_BYTES));
    }

    private synchronized void writeWaiting() {
        if (waiting.isEmpty()) {
            return;
        }
        try {
            log.append(List.copyOf(waiting));
            waiting.clear();
        } catch (ProblemException e) {
            LOG.error(
                    "logins that waited for the issuing log could not be written; that is tried again when the keys are opened");
        }
    }
}
