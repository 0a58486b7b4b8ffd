package dev.veilgate.proxy;

import dev.veilgate.settings.ProxySettings;
import dev.veilgate.settings.RelaySettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The submission proxy: any mail program sends sealed mail through it. What it acknowledges is on disk; what is on disk goes to the relay.
 * Stopping it ends the messages under way and leaves the rest in the spool.
 */
public final class MailProxy implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MailProxy.class);

    private final OutboundSpool spool;
    private final Deliverer deliverer;
    private final MailSubmission submission;
    private final SubmissionServer server;
    private final @Nullable StatusPort status;

    private MailProxy(
            OutboundSpool spool,
            Deliverer deliverer,
            MailSubmission submission,
            SubmissionServer server,
            @Nullable StatusPort status) {
        this.spool = spool;
        this.deliverer = deliverer;
        this.submission = submission;
        this.server = server;
        this.status = status;
    }

    /**
     * Starts a proxy.
     *
     * @param bundle      file of the public bundle, read again when it changes
     * @param fingerprint of the authority whose bundle it must be
     * @throws IOException if the spool, the bundle, a file of the settings or a port cannot be used
     */
    public static MailProxy start(
            ProxySettings settings, RelaySettings relay, Path bundle, String fingerprint, Clock clock)
            throws IOException {
        OutboundSpool spool = OutboundSpool.open(settings.spool(), clock);
        Deliverer deliverer = null;
        MailSubmission submission = null;
        boolean started = false;
        try {
            var metrics = new ProxyMetrics();
            String name = ourName();
            deliverer = new Deliverer(spool, relay, settings.retry(), name, clock, metrics);
            submission = new MailSubmission(
                    new BundleSource(bundle, fingerprint, clock),
                    spool,
                    deliverer,
                    settings.index(),
                    clock,
                    new SecureRandom(),
                    metrics);
            submission.warmUp();
            var server = new SubmissionServer(settings, name, submission);
            bind(server, settings);
            MailSubmission healthy = submission;
            StatusPort status =
                    settings.status() < 0 ? null : new StatusPort(settings.status(), healthy::isUsable, metrics::text);
            deliverer.start();
            started = true;
            LOG.info("mail proxy: listening on {} port {}", settings.host(), server.port());
            return new MailProxy(spool, deliverer, submission, server, status);
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
    public int statusPort() {
        return status == null ? -1 : status.port();
    }

    /** Stops taking mail, ends what is under way. */
    @Override
    public void close() throws IOException {
        server.unbind();
        if (status != null) {
            status.close();
        }
        submission.close();
        deliverer.close();
        spool.close();
    }
}
