package dev.veilgate.proxy;

import dev.veilgate.sender.KeptBundle;
import dev.veilgate.service.LineLog;
import dev.veilgate.service.Monitor;
import dev.veilgate.settings.ProxySettings;
import dev.veilgate.settings.RelaySettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/**
 * The submission proxy: any mail program sends sealed mail through it. What it acknowledges is on disk; what is on disk goes to the relay.
 * Stopping it ends the messages under way and leaves the rest in the spool.
 */
public final class MailProxy implements AutoCloseable {
    private final OutboundSpool spool;
    private final Deliverer deliverer;
    private final MailSubmission submission;
    private final SubmissionServer server;
    private final @Nullable Monitor monitor;

    private MailProxy(
            OutboundSpool spool,
            Deliverer deliverer,
            MailSubmission submission,
            SubmissionServer server,
            @Nullable Monitor monitor) {
        this.spool = spool;
        this.deliverer = deliverer;
        this.submission = submission;
        this.server = server;
        this.monitor = monitor;
    }

    /**
     * Starts a proxy.
     *
     * @param bundle      the public bundle, read again when it changes; it stays the caller's
     * @param fingerprint of the authority whose bundle it must be
     * @throws IOException if the spool, the bundle, a file of the settings or a port cannot be used
     */
    public static MailProxy start(
            ProxySettings settings,
            RelaySettings relay,
            KeptBundle bundle,
            String fingerprint,
            Clock clock,
            LineLog log)
            throws IOException {
        return start(settings, ConnectionLimits.DEFAULT, relay, bundle, fingerprint, clock, log);
    }

    /** As {@link #start(ProxySettings, RelaySettings, KeptBundle, String, Clock, LineLog)}, with other limits. */
    static MailProxy start(
            ProxySettings settings,
            ConnectionLimits limits,
            RelaySettings relay,
            KeptBundle bundle,
            String fingerprint,
            Clock clock,
            LineLog log)
            throws IOException {
        OutboundSpool spool = OutboundSpool.open(settings.spool(), clock, log);
        Deliverer deliverer = null;
        MailSubmission submission = null;
        boolean started = false;
        try {
            var metrics = new ProxyMetrics();
            String name = ourName();
            var next = new NextServer();
            var random = new SecureRandom();
            MailForm form = MailForm.read(settings.form(), clock.instant());
            deliverer = new Deliverer(spool, relay, next, settings.retry(), name, clock, metrics, log);
            submission = new MailSubmission(
                    new BundleSource(
                            bundle,
                            fingerprint,
                            SeenSerial.keptIn(settings.spool().resolve(SeenSerial.IN_SPOOL)),
                            clock),
                    spool,
                    RepetitionKey.keptIn(settings.spool(), random, log),
                    deliverer,
                    settings.index(),
                    settings.readers(),
                    form,
                    settings.maxMessageBytes(),
                    next,
                    clock,
                    random,
                    metrics,
                    log);
            submission.warmUp();
            var server = new SubmissionServer(settings, limits, name, submission, clock, log);
            bind(server, settings);
            Monitor monitor = settings.monitor() < 0
                    ? null
                    : Monitor.start(settings.monitor(), new ProxyHealth(submission, spool, metrics));
            deliverer.start();
            started = true;
            log.info("mail is signed " + form.asWhom(settings.passwords() != null));
            log.info("listening on " + settings.host() + ":" + server.port() + ", "
                    + spool.queued().size() + " in the spool");
            return new MailProxy(spool, deliverer, submission, server, monitor);
        } finally {
            if (!started) {
                if (submission != null) {
                    submission.close();
                }
                spool.close();
            }
        }
    }

    private static void bind(SubmissionServer server, ProxySettings settings) throws IOException {
        try {
            server.bind();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (Exception e) { // James declares it
            throw new IOException("cannot listen on " + settings.host() + " port " + settings.port(), e);
        }
    }

    private static String ourName() {
        try {
            String name = InetAddress.getLocalHost().getHostName();
            return name.matches("[A-Za-z0-9.-]+") ? name : "localhost";
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    /** Where it takes mail. */
    public int port() {
        return server.port();
    }

    /** Where it says how it is; -1 for nowhere. */
    public int monitorPort() {
        return monitor == null ? -1 : monitor.port();
    }

    /** Work that a stop still waits for, for people; an empty text if there is none. From any thread. */
    public String stopWaitsFor() {
        return deliverer.isSending() ? "the mail on its way to the next server" : "";
    }

    /** Stops taking mail, ends what is under way. */
    @Override
    public void close() throws IOException {
        server.unbind();
        if (monitor != null) {
            monitor.close();
        }
        submission.close();
        deliverer.close();
        spool.close();
    }
}
