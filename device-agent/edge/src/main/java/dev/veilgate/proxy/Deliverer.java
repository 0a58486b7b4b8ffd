package dev.veilgate.proxy;

import dev.veilgate.service.LineLog;
import dev.veilgate.settings.ProxySettings;
import dev.veilgate.settings.RelaySettings;
import dev.veilgate.transport.smtp.SmtpConnection;
import dev.veilgate.transport.smtp.SmtpMessage;
import dev.veilgate.transport.smtp.SmtpReply;
import java.io.IOException;
import java.nio.channels.FileChannel;
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
 * connection) is tried again with growing pauses; what waits only because there was no connection goes as soon as there is one. What the
 * relay refuses for good (5xx), or what got too old, is reported to the sender, and stays in the spool until the report was taken. What can
 * neither be delivered nor reported is set aside, never removed.
 */
final class Deliverer implements AutoCloseable {
    private static final Duration IDLE = Duration.ofSeconds(5);
    /** Of the ten seconds that a stop of the proxy may take in all. */
    private static final Duration STOP = Duration.ofSeconds(5);

    private final OutboundSpool spool;
    private final RelaySettings relay;
    private final NextServer next;
    private final ProxySettings.Retry retry;
    private final String ourName;
    private final Clock clock;
    private final ProxyMetrics metrics;
    private final LineLog log;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final PriorityQueue<OutboundMail> due =
            new PriorityQueue<>(Comparator.comparing(OutboundMail::next).thenComparing(OutboundMail::created));
    private final Thread thread = new Thread(this::run, "mail-delivery");
    private boolean stopping;
    /** What was taken out of {@link #due} and is not dealt with yet. */
    private @Nullable OutboundMail inHand;
    /** Whether some of {@link #due} may wait for a connection only. */
    private boolean someUnconnected = true;

    private @Nullable SmtpConnection session;

    Deliverer(
            OutboundSpool spool,
            RelaySettings relay,
            NextServer next,
            ProxySettings.Retry retry,
            String ourName,
            Clock clock,
            ProxyMetrics metrics,
            LineLog log)
            throws IOException {
        this.spool = spool;
        this.relay = relay;
        this.next = next;
        this.retry = retry;
        this.ourName = ourName;
        this.clock = clock;
        this.metrics = metrics;
        this.log = log;
        due.addAll(spool.queued());
        count();
    }

    void start() {
        thread.start();
    }

    /** A mail that was just committed. */
    void offer(OutboundMail mail) {
        lock.lock();
        try {
            due.add(mail);
            someUnconnected |= mail.isUnconnected();
            if (inHand == mail) {
                inHand = null;
            }
            count();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** A mail that was taken is dealt with. */
    private void done() {
        lock.lock();
        try {
            inHand = null;
            count();
        } finally {
            lock.unlock();
        }
    }

    /** Counts all that is in the queue, with what is being delivered. For whoever holds the lock. */
    private void count() {
        metrics.waiting = due.size() + (inHand == null ? 0 : 1);
    }

    private void run() {
        try {
            probe();
            while (!isStopping()) {
                OutboundMail mail = take();
                if (mail == null) {
                    if (!isStopping()) {
                        probe();
                    }
                    continue;
                }
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
                } finally {
                    done();
                }
            }
        } finally {
            hangUp();
        }
    }

    private boolean isStopping() {
        lock.lock();
        try {
            return stopping;
        } finally {
            lock.unlock();
        }
    }

    /** The next mail whose time has come; null to stop, or to look again for a next server that was away. */
    private @Nullable OutboundMail take() {
        lock.lock();
        try {
            while (!stopping) {
                OutboundMail first = due.peek();
                long wait = first == null
                        ? Long.MAX_VALUE
                        : Duration.between(clock.instant(), first.next()).toMillis();
                if (wait <= 0) {
                    inHand = due.remove();
                    return inHand;
                }
                if (!metrics.relayReachable && wait > retry.first().toMillis()) {
                    if (!changed.await(retry.first().toMillis(), TimeUnit.MILLISECONDS)) {
                        return null;
                    }
                } else if (session != null && !changed.await(Math.min(wait, IDLE.toMillis()), TimeUnit.MILLISECONDS)) {
                    hangUp();
                } else if (session == null) {
                    // Waits by the monotonic clock; an hour at most, in case the other one is set.
                    changed.await(Math.min(wait, 3_600_000), TimeUnit.MILLISECONDS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            stopping = true;
        } finally {
            lock.unlock();
        }
        return null;
    }

    private void attempt(OutboundMail mail) throws IOException {
        if (spool.isGone(mail)) {
            log.warn("mail " + mail.id() + ": it is no more in the queue; nothing is sent");
            return;
        }
        if (mail.isReporting()) {
            attemptReport(mail);
            return;
        }
        boolean putOff = false;
        boolean unconnected = false;
        try {
            for (OutboundMail.Copy copy : mail.copies()) {
                if (!copy.waiting().isEmpty()) {
                    send(mail, copy);
                    putOff |= !copy.waiting().isEmpty();
                }
            }
        } catch (IOException e) {
            unconnected = away(mail, e) && !putOff;
        }
        Instant now = clock.instant();
        if (mail.isWaiting() && now.isAfter(mail.created().plus(retry.giveUpAfter()))) {
            mail.giveUp();
        }
        if (mail.isWaiting()) {
            later(mail, now, unconnected);
        } else if (mail.hasFailed()) {
            mail.save();
            report(mail, now);
        } else {
            spool.finish(mail);
        }
    }

    /**
     * An attempt failed for the connection's sake.
     *
     * @return whether the mail waits for a connection only: not if the relay closed one with a reply (421), nor if one broke with this mail a second
     *     time, which may be the mail's own fault and would go on at once for ever
     */
    private boolean away(OutboundMail mail, IOException e) {
        boolean broke = session != null;
        boolean sentAway = session != null && session.isSentAway();
        hangUp();
        metrics.relayReachable = false;
        log.warn("mail " + mail.id() + ": no delivery, attempt " + (mail.attempts() + 1) + ": "
                + SmtpConnection.reason(e));
        return !broke || !sentAway && mail.broke() == 1;
    }

    private void later(OutboundMail mail, Instant now, boolean unconnected) throws IOException {
        metrics.deferred.increment();
        mail.attempted(now.plus(retry.pause(mail.attempts() + 1)));
        if (unconnected) {
            mail.awaitConnection();
        }
        mail.save();
        offer(mail);
    }

    /** The relay answers: what waits for that only is due now, the oldest first. */
    private void connected() {
        lock.lock();
        try {
            if (someUnconnected) {
                List<OutboundMail> all = new ArrayList<>(due);
                due.clear(); // whose order depends on what changes
                Instant now = clock.instant();
                all.stream().filter(OutboundMail::isUnconnected).forEach(mail -> mail.connected(now));
                due.addAll(all);
                someUnconnected = false;
            }
        } finally {
            lock.unlock();
        }
    }

    private Map<String, SmtpReply> deliver(String sender, List<String> recipients, Path file) throws IOException {
        Map<String, SmtpReply> answers = session().send(sender, recipients, SmtpMessage.of(file));
        if (session != null && !session.isUsable()) {
            hangUp();
        }
        return answers;
    }

    private SmtpConnection session() throws IOException {
        SmtpConnection open = session;
        if (open == null) {
            open = NextServer.connect(relay, ourName);
            session = open;
            next.announced(open.maxBytes());
            metrics.relayReachable = true;
            connected();
        }
        return open;
    }

    /** Learns what the next server takes, and whether it is there, before a mail has to. */
    private void probe() {
        try {
            session();
        } catch (IOException e) {
            hangUp();
            if (metrics.relayReachable) {
                log.warn("the next server cannot be reached: " + SmtpConnection.reason(e));
            }
            metrics.relayReachable = false;
        }
    }

    private void send(OutboundMail mail, OutboundMail.Copy copy) throws IOException {
        List<String> recipients = copy.waiting();
        int reached = 0;
        int code = 0;
        for (Map.Entry<String, SmtpReply> each :
                deliver(mail.sender(), recipients, mail.file(copy)).entrySet()) {
            if (each.getValue().isTaken()) {
                copy.reached(each.getKey());
                reached++;
            } else {
                code = each.getValue().code();
                if (each.getValue().isFinal()) {
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

    /** From now on the sender is to be told; the mail stays where it is until that was taken. A mail from nobody is set aside. */
    private void report(OutboundMail mail, Instant now) throws IOException {
        var failed = new ArrayList<String>();
        mail.copies().forEach(copy -> failed.addAll(copy.failed()));
        if (mail.sender().isEmpty()) {
            metrics.bounced.add(failed.size());
            setAside(mail, "given up, and nobody to report to");
            return;
        }
        FailureReport.write(
                mail.report(),
                ourName,
                mail.sender(),
                failed,
                mail.file(mail.copies().getFirst()),
                now);
        try (FileChannel channel = FileChannel.open(mail.report(), StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        mail.reportFrom(now);
        mail.save();
        metrics.bounced.add(failed.size());
        log.warn("mail " + mail.id() + ": given up for " + failed.size() + " recipients; reporting to its sender");
        offer(mail);
    }

    private void attemptReport(OutboundMail mail) throws IOException {
        SmtpReply answer = null;
        boolean unconnected = false;
        try {
            answer = deliver("", List.of(mail.sender()), mail.report()).get(mail.sender());
        } catch (IOException e) {
            unconnected = away(mail, e);
        }
        Instant now = clock.instant();
        if (answer != null && answer.isTaken()) {
            log.info("mail " + mail.id() + ": its sender has the report");
            spool.finish(mail);
        } else if (answer != null && answer.isFinal()) {
            setAside(mail, "the next server refused the report to its sender, too (" + answer.code() + ")");
        } else if (now.isAfter(mail.reporting().plus(retry.giveUpAfter()))) {
            setAside(mail, "the report to its sender could not be delivered either");
        } else {
            later(mail, now, unconnected);
        }
    }

    private void setAside(OutboundMail mail, String why) throws IOException {
        spool.setAside(mail);
        log.warn("mail " + mail.id() + ": " + why + "; it is in the spool's folder failed");
    }

    private void hangUp() {
        if (session != null) {
            session.close();
            session = null;
        }
    }

    /** Whether a mail is on its way to the relay. */
    boolean isSending() {
        lock.lock();
        try {
            return inHand != null;
        } finally {
            lock.unlock();
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
            thread.join(STOP);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
