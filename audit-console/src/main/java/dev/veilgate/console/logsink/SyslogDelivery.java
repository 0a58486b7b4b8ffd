package dev.veilgate.console.logsink;

import dev.veilgate.transport.ClosingTls;
import java.io.IOException;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Syslog over TLS (RFC 5425): a connection for each batch. Syslog has no acknowledgement; that the receiver ends the
 * connection in order when it is told that nothing follows says that it has read all of it (docs/adr/0062).
 */
final class SyslogDelivery implements Delivery {
    private static final ClosingTls.Limits LIMITS =
            new ClosingTls.Limits(Duration.ofSeconds(20), Duration.ofMinutes(5), Duration.ofSeconds(2));

    private final SinkSettings.Syslog settings;
    private final SSLContext tls;
    private final SyslogForm form;
    private final ClosingTls.Limits limits;
    private volatile @Nullable ClosingTls present;
    private volatile boolean closed;

    SyslogDelivery(SinkSettings.Syslog settings, SSLContext tls, SyslogForm form) {
        this(settings, tls, form, LIMITS);
    }

    SyslogDelivery(SinkSettings.Syslog settings, SSLContext tls, SyslogForm form, ClosingTls.Limits limits) {
        this.settings = settings;
        this.tls = tls;
        this.form = form;
        this.limits = limits;
    }

    @Override
    public EntryForm form() {
        return form;
    }

    @Override
    public void send(Batch batch) throws IOException {
        ClosingTls connection = new ClosingTls(tls, settings.host(), settings.port(), limits);
        present = connection;
        try {
            if (closed) {
                throw new IOException("the console is stopping");
            }
            connection.connect();
            for (byte[] message : batch.entries()) {
                connection.write(message);
            }
            connection.finish(settings.end());
        } catch (ClosingTls.EndedException e) {
            throw new IOException(
                    e.getMessage() + ", so that it is not known whether it has taken what was sent"
                            + " (veilgate.log-sink.syslog.end)",
                    e);
        } finally {
            present = null;
            connection.release();
        }
    }

    @Override
    public void close() {
        closed = true;
        ClosingTls now = present;
        if (now != null) {
            now.close();
        }
    }
}
