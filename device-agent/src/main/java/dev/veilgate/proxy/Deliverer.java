package dev.veilgate.proxy;

import dev.veilgate.service.LineLog;
import dev.veilgate.settings.ProxySettings;
import dev.veilgate.settings.RelaySettings;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Brings what is in the spool to the relay, in one thread and over one connection at a time. What the relay refuses for now (4xx, no
 * connection) is tried again with growing pauses; what it refuses for good (5xx), or what got too old, is reported to the sender.
 */
final class Deliverer implements AutoCloseable {
    private static final Duration IDLE = Duration.ofSeconds(5);

    private final OutboundSpool spool;
    private final RelaySettings relay;
    private final ProxySettings.Retry retry;
    private final String ourName;
    private final Clock clock;
    private final ProxyMetrics metrics;
    private final LineLog log;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final PriorityQueue<OutboundMail> due = new PriorityQueue<>(Comparator.comparing(OutboundMail::next));
    private final Thread thread = new Thread(this::run, "mail-delivery");
    private boolean stopping;
    private @Nullable RelaySession session;

    Deliverer(
            OutboundSpool spool,
            RelaySettings relay,
            ProxySettings.Retry retry,
            String ourName,
            Clock clock,
            ProxyMetrics metrics,
            LineLog log)
            throws IOException {
        this.spool = spool;
        this.relay = relay;
        this.retry = retry;
        this.ourName = ourName;
        this.clock = clock;
        this.metrics = metrics;
        this.log = log;
        due.addAll(spool.queued());
        metrics.waiting = due.size();
    }

    void start() {
        thread.start();
    }

    /** A mail that was just committed. */
    void offer(OutboundMail mail) {
        lock.lock();
        try {
            due.add(mail);
            metrics.waiting = due.size();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        try {
            for (OutboundMail mail = take(); mail != null; mail = take()) {
                try {
                    attempt(mail);
                    metrics.diskFailed = false;
                } catch (IOException e) {
                    metrics.diskFailed();
                    log.warn("mail " + mail.id() + ": the spool failed, trying again later: " + e);
                    mail.attempted(clock.instant().plus(retry.pause(mail.attempts() + 1)));
                    offer(mail);
                } catch (RuntimeException e) {
                    log.warn("mail " + mail.id() + ": trying again later after a bug: " + LineLog.bug(e));
                    mail.attempted(clock.instant().plus(retry.pause(mail.attempts() + 1)));
                    offer(mail);
                }
            }
        } finally {
            hangUp();
        }
    }

    /** The next mail whose time has come; null to stop. */
    private @Nullable OutboundMail take() {
        lock.lock();
        try {
            while (!stopping) {
                OutboundMail first = due.peek();
                long wait = first == null
                        ? Long.MAX_VALUE
                        : Duration.between(clock.instant(), first.next()).toMillis();
                if (wait <= 0) {
                    metrics.waiting = due.size();
                    return due.remove();
                }
                if (session != null && !changed.await(Math.min(wait, IDLE.toMillis()), TimeUnit.MILLISECONDS)) {
                    hangUp();
                } else if (session == null) {
                    // Waits by the monotonic clock; an hour at most, in case the other one is set.
                    changed.await(Math.min(wait, 3_600_000), TimeUnit.MILLISECONDS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
        return null;
    }

    private void attempt(OutboundMail mail) throws IOException {
        try {
            for (OutboundMail.Copy copy : mail.copies()) {
                if (!copy.waiting().isEmpty()) {
                    send(mail, copy);
                }
            }
        } catch (IOException e) {
            hangUp();
            metrics.relayReachable = false;
            log.warn("mail " + mail.id() + ": no delivery, attempt " + (mail.attempts() + 1) + ": "
                    + RelaySession.reason(e));
        }
        Instant now = clock.instant();
        if (mail.isWaiting() && now.isAfter(mail.created().plus(retry.giveUpAfter()))) {
            mail.giveUp();
        }
        if (mail.isWaiting()) {
            metrics.deferred.increment();
            mail.attempted(now.plus(retry.pause(mail.attempts() + 1)));
            mail.save();
            offer(mail);
        } else if (mail.hasFailed()) {
            mail.save();
            report(mail, now);
        } else {
            spool.finish(mail);
        }
    }

    private void send(OutboundMail mail, OutboundMail.Copy copy) throws IOException {
        RelaySession open = session;
        if (open == null) {
            open = RelaySession.connect(relay, ourName);
            session = open;
            metrics.relayReachable = true;
        }
        List<String> recipients = copy.waiting();
        Map<String, RelaySession.Answer> answers;
        try (InputStream in = new BufferedInputStream(Files.newInputStream(mail.file(copy)), 64 << 10)) {
            answers = open.send(mail.sender(), recipients, in);
        }
        int reached = 0;
        int code = 0;
        for (Map.Entry<String, RelaySession.Answer> each : answers.entrySet()) {
            if (each.getValue().delivered()) {
                copy.reached(each.getKey());
                reached++;
            } else {
                code = each.getValue().code();
                if (each.getValue().refused()) {
                    copy.refused(each.getKey());
                }
            }
        }
        metrics.delivered.add(reached);
        if (mail.copies().size() > 1) {
            mail.save(); // the other copies come next: what is done is not done again
        }
        log.info("mail " + mail.id() + ": " + reached + " of " + recipients.size() + " recipients taken"
                + (reached < recipients.size() ? ", others answered " + code : ""));
    }

    /** Sends a report in place of the mail; a mail from nobody, or a report that fails, is set aside. */
    private void report(OutboundMail mail, Instant now) throws IOException {
        var failed = new ArrayList<String>();
        mail.copies().forEach(copy -> failed.addAll(copy.failed()));
        if (mail.sender().isEmpty()) {
            spool.setAside(mail);
            metrics.bounced.add(failed.size());
            log.warn("mail " + mail.id() + ": given up, and nobody to report to; it is in the spool's folder failed");
            return;
        }
        Path folder = spool.begin();
        boolean committed = false;
        try {
            Path text = folder.resolve("copy-0.eml");
            FailureReport.write(
                    text,
                    ourName,
                    mail.sender(),
                    failed,
                    mail.file(mail.copies().getFirst()),
                    now);
            try (FileChannel channel = FileChannel.open(text, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            offer(spool.commit(folder, "", "", List.of(new SealedCopy(List.of(mail.sender()), text))));
            committed = true;
        } finally {
            if (!committed) {
                spool.discard(folder);
            }
        }
        mail.reported();
        metrics.bounced.add(failed.size());
        log.warn("mail " + mail.id() + ": given up for " + failed.size() + " recipients; reporting to its sender");
        spool.finish(mail);
    }

    private void hangUp() {
        if (session != null) {
            session.close();
            session = null;
        }
    }

    /** Ends after the delivery under way; what is left stays in the spool. */
    @Override
    public void close() {
        lock.lock();
        try {
            stopping = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        try {
            thread.join(Duration.ofSeconds(30));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
