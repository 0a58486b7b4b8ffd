package dev.veilgate.gateway.deliver;

import dev.veilgate.gateway.deliver.StoredQueue.Queued;
import dev.veilgate.transport.smtp.SmtpConnection;
import dev.veilgate.transport.smtp.SmtpHop;
import dev.veilgate.transport.smtp.SmtpReply;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/** Sends one mail to one next hop and writes down what became of it. Safe for use by several threads. */
final class Courier {
    private static final Logger LOG = LoggerFactory.getLogger(Courier.class);

    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final DeliverSettings settings;
    private final StoredQueue queue;
    private final MailServers servers;
    private final HopTrust trust;
    private final SenderPolicy senders;
    private final OutboundCounters counters;
    private final String ourName;
    private final Clock clock;
    private final SmtpHop.Patience patience;
    private volatile boolean stopping;

    Courier(
            DeliverSettings settings,
            StoredQueue queue,
            MailServers servers,
            HopTrust trust,
            SenderPolicy senders,
            OutboundCounters counters,
            String ourName,
            Clock clock) {
        this.settings = settings;
        this.queue = queue;
        this.servers = servers;
        this.trust = trust;
        this.senders = senders;
        this.counters = counters;
        this.ourName = ourName;
        this.clock = clock;
        this.patience = new SmtpHop.Patience(settings.connectTimeout(), settings.timeout());
    }

    /**
     * Connects to a next hop.
     *
     * @throws UnroutableException if there is none
     * @throws IOException         if none of its servers can be used now
     */
    SmtpConnection connect(Hop hop) throws IOException, UnroutableException {
        List<String> hosts =
                hop.mx() ? servers.of(hop.relay().host()) : List.of(hop.relay().host());
        IOException last = new IOException("the next hop has no server");
        for (String host : hosts) {
            try {
                return SmtpConnection.open(of(hop.relay(), host), ourName, patience);
            } catch (IOException e) {
                last = e;
            }
        }
        throw last;
    }

    private SmtpHop of(DeliverSettings.Relay relay, String host) throws IOException {
        Path password = relay.passwordFile();
        return new SmtpHop(
                host,
                relay.port(),
                relay.tls(),
                trust.context(relay),
                password == null ? null : new SmtpHop.Login(relay.user(), password));
    }

    /**
     * Sends it, if it is still there.
     *
     * @return whether it now waits for the hop only, because the connection broke at the first attempt. At a later one that may be the mail's own
     *     fault, and would go on at once for ever
     */
    boolean send(Due due, SmtpConnection connection, Hop hop) {
        Queued queued = persist(() -> queue.load(due)).orElse(null);
        if (queued == null) {
            return false;
        }
        OutboundMail mail = queued.beginning();
        if (Hops.isLoop(mail.message(), ourName)) {
            settle(due, queued, all(due, new SmtpReply(554, "5.4.6 the mail goes round in circles")), pause(due), null);
            return false;
        }
        try {
            settle(
                    due,
                    queued,
                    connection.send(mail.reversePath(), mail.recipients(), queued.message()),
                    pause(due),
                    null);
            return false;
        } catch (IOException e) {
            LOG.info("outbound {}: the connection broke: {}", due.mail(), SmtpConnection.reason(e));
            String waitsFor = attempts(due) == 0 && !connection.isSentAway() ? hop.key() : null;
            SmtpReply broke = new SmtpReply(421, "4.4.2 the connection to the next server broke");
            settle(due, queued, all(due, broke), pause(due), waitsFor);
            return waitsFor != null;
        }
    }

    /** The same reply for all recipients, without sending. */
    void settle(Due due, SmtpReply reply) {
        persist(() -> queue.load(due)).ifPresent(queued -> settle(due, queued, all(due, reply), pause(due), null));
    }

    /**
     * There is no connection to the hop, for which it waits.
     *
     * @param first whether it is the one with which a connection was tried: a hop that the settings name is soon tried with it again, however long the
     *     mail has waited
     */
    void unreachable(Due due, Hop hop, boolean first) {
        SmtpReply reply = new SmtpReply(451, "4.4.1 no connection to the next server");
        Duration pause = first && !hop.mx() ? settings.retry().first() : pause(due);
        persist(() -> queue.load(due)).ifPresent(queued -> settle(due, queued, all(due, reply), pause, hop.key()));
    }

    /** A hop answers, for which mail may wait. */
    void reached(Hop hop) {
        persist(() -> {
            queue.reached(hop.key());
            return hop;
        });
    }

    private static int attempts(Due due) {
        return due.recipients().stream().mapToInt(Due.Recipient::attempts).min().orElse(0);
    }

    private Duration pause(Due due) {
        return settings.retry().pause(attempts(due));
    }

    private static Map<String, SmtpReply> all(Due due, SmtpReply reply) {
        var answers = new LinkedHashMap<String, SmtpReply>();
        due.addresses().forEach(address -> answers.put(address, reply));
        return answers;
    }

    private void settle(
            Due due, Queued queued, Map<String, SmtpReply> answers, Duration pause, @Nullable String unreachable) {
        Instant now = clock.instant();
        boolean tooOld = now.isAfter(queued.created().plus(settings.retry().giveUpAfter()));
        Set<String> gone = new HashSet<>();
        Set<String> later = new HashSet<>();
        Map<String, SmtpReply> failed = new LinkedHashMap<>();
        answers.forEach((address, reply) -> {
            if (!reply.isTaken() && !reply.isFinal() && !tooOld) {
                later.add(address);
            } else {
                gone.add(address);
                if (!reply.isTaken()) {
                    failed.put(address, reply);
                }
            }
        });
        Optional<OutboundMail> report = failed.isEmpty() || !isReportable(queued.beginning())
                ? Optional.empty()
                : Optional.of(DeliveryReport.of(ourName, queued.beginning(), failed, queued.created(), now));
        persist(() -> {
            queue.finish(due, gone, later, now.plus(pause), unreachable, report);
            return gone;
        });
        counters.settled(gone.size() - failed.size(), later.size(), failed.size());
        if (report.isEmpty()) {
            counters.unreported(failed.size());
        }
        log(due, answers, failed.size(), report.isPresent());
    }

    /** Not to a sender that a stranger named, who may want us to write to somebody, unless the sender's domain vouches for the stranger. */
    private boolean isReportable(OutboundMail mail) {
        return !mail.reversePath().isEmpty()
                && mail.stranger().map(senders::passes).orElse(true);
    }

    /** What was sent must be written down, or it would be sent again: so a database that does not answer is waited for. */
    private <T> T persist(Supplier<T> action) {
        while (true) {
            try {
                return action.get();
            } catch (DataAccessException | TransactionException e) {
                if (stopping) {
                    throw e;
                }
                LOG.warn(
                        "the database does not answer; trying again ({})",
                        e.getClass().getSimpleName());
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** From now on nothing is waited for. */
    void stop() {
        stopping = true;
    }

    private static void log(Due due, Map<String, SmtpReply> answers, int failed, boolean reported) {
        long taken = answers.values().stream().filter(SmtpReply::isTaken).count();
        int other = answers.values().stream()
                .filter(reply -> !reply.isTaken())
                .mapToInt(SmtpReply::code)
                .max()
                .orElse(250);
        LOG.info(
                "outbound {}: {} of {} recipients taken, others answered {}; {} given up{}",
                due.mail(),
                taken,
                answers.size(),
                other,
                failed,
                failed == 0 ? "" : reported ? " and reported" : ", and nobody to report to");
    }

    /** Where a bug is, for a log: messages of databases and of others name what they were given. */
    static String bug(RuntimeException e) {
        StackTraceElement[] stack = e.getStackTrace();
        return Stream.of(stack)
                .filter(frame -> frame.getClassName().startsWith("dev.veilgate"))
                .findFirst()
                .map(frame -> e.getClass().getName() + " in " + frame)
                .orElse(e.getClass().getName());
    }
}
