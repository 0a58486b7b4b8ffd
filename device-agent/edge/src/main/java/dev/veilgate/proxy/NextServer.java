package dev.veilgate.proxy;

import dev.veilgate.settings.RelaySettings;
import dev.veilgate.transport.TlsContext;
import dev.veilgate.transport.smtp.SmtpConnection;
import dev.veilgate.transport.smtp.SmtpHop;
import dev.veilgate.transport.smtp.SmtpTls;
import java.io.IOException;
import java.nio.file.Path;

/**
 * What the next mail server said of itself when it was spoken to last: how long a mail it takes (SIZE, RFC 1870). For
 * several threads.
 */
final class NextServer {
    /** Bytes of a base64 line with its CR LF, and of what it carries. */
    private static final int LINE_BYTES = 78;

    private static final int LINE_CONTENT_BYTES = 57;

    private volatile long maxBytes = Long.MAX_VALUE;

    /**
     * Connects to it, and logs in.
     *
     * @throws IOException if it fails; the message holds the server's code and no password
     */
    static SmtpConnection connect(RelaySettings settings, String ourName) throws IOException {
        SmtpTls tls = switch (settings.tls()) {
            case IMPLICIT -> SmtpTls.IMPLICIT;
            case STARTTLS -> SmtpTls.REQUIRED;
            case NONE -> SmtpTls.NONE;
        };
        String user = settings.user();
        Path password = settings.passwordFile();
        SmtpHop.Login login = user == null || password == null ? null : new SmtpHop.Login(user, password);
        var hop = new SmtpHop(settings.host(), settings.port(), tls, TlsContext.client(settings.authorities()), login);
        return SmtpConnection.open(hop, ourName, new SmtpHop.Patience(settings.timeout(), settings.timeout()));
    }

    /** @param announced bytes; 0 or less if it announced no limit */
    void announced(long announced) {
        maxBytes = announced > 0 ? announced : Long.MAX_VALUE;
    }

    /** Most bytes of a sealed mail; {@link Long#MAX_VALUE} while nothing is known. */
    long maxBytes() {
        return maxBytes;
    }

    /**
     * Most bytes of a message whose sealed form could still be taken: sealing makes base64 of it twice, of what is
     * signed
     * and of what is encrypted, and adds to that.
     */
    long maxPlainBytes() {
        long max = maxBytes;
        long signed = max / LINE_BYTES * LINE_CONTENT_BYTES;
        return max == Long.MAX_VALUE ? max : signed / LINE_BYTES * LINE_CONTENT_BYTES;
    }
}
