package dev.veilgate.transport.smtp;

import java.nio.file.Path;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A mail server to send to.
 *
 * @param host  its name or address; its certificate must bear it where it is verified
 * @param port  of its SMTP
 * @param tls   how it is spoken to
 * @param trust what its certificate is checked by; of {@link SmtpTls#OPPORTUNISTIC} one that verifies nothing
 * @param login null for none
 */
public record SmtpHop(
        String host,
        int port,
        SmtpTls tls,
        SSLContext trust,
        @Nullable Login login) {
    /** The same with other TLS. */
    SmtpHop by(SSLContext other) {
        return new SmtpHop(host, port, tls, other, login);
    }

    /**
     * Who logs in.
     *
     * @param passwordFile holds the password in its first line
     */
    public record Login(String user, Path passwordFile) {}

    /**
     * How long a server is waited for.
     *
     * @param connect until there is a connection to one of its addresses
     * @param answer  for each reply, and for the handshake of TLS
     */
    public record Patience(Duration connect, Duration answer) {}
}
