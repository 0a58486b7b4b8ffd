package dev.veilgate.settings;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The next mail server.
 *
 * @param host         its name or address; its certificate must bear it
 * @param port         1 to 65,535
 * @param tls          how the connection is protected
 * @param user         name to log in with; null for none
 * @param passwordFile file whose first line is the password
 * @param authorities  PEM file of the certificate authorities to trust instead of the platform's
 * @param timeout      of connecting and of each reply
 */
public record RelaySettings(
        String host,
        int port,
        Tls tls,
        @Nullable String user,
        @Nullable Path passwordFile,
        @Nullable Path authorities,
        Duration timeout) {

    /** How a connection is protected. */
    public enum Tls {
        /** From the first byte: smtps. */
        IMPLICIT,
        /** STARTTLS, or no mail is sent. */
        STARTTLS,
        /** Not at all. */
        NONE
    }

    /** @throws IllegalArgumentException naming what is wrong */
    public RelaySettings {
        require(!host.isBlank(), "the SMTP server needs a host");
        require(port >= 1 && port <= 65535, "a port is 1 to 65535");
        require(
                (user == null) == (passwordFile == null),
                "a user of the SMTP server needs a password file, and the file a user");
        require(
                user == null || tls != Tls.NONE || isLoopback(host),
                "a password is not sent over a connection without TLS");
        require(timeout.isPositive(), "a timeout is positive");
    }

    /**
     * From a URL: {@code smtp://host[:port]} (587, STARTTLS required; none on loopback), {@code smtps://host[:port]} (465) or {@code
     * smtp+plain://host[:port]} (25, without TLS).
     *
     * @throws IllegalArgumentException naming what is wrong
     */
    public static RelaySettings of(
            String url,
            @Nullable String user,
            @Nullable Path passwordFile,
            @Nullable Path authorities,
            Duration timeout) {
        URI uri;
        try {
            uri = new URI(url);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("is not a URL"); // without it: somebody may have put a password there
        }
        String host = uri.getHost();
        require(
                host != null && uri.getUserInfo() == null,
                "write the URL as smtp://host:port; user and password have keys of their own");
        String scheme = String.valueOf(uri.getScheme());
        int port = uri.getPort();
        return switch (scheme) {
            case "smtps" ->
                new RelaySettings(host, port < 0 ? 465 : port, Tls.IMPLICIT, user, passwordFile, authorities, timeout);
            case "smtp" ->
                new RelaySettings(
                        host,
                        port < 0 ? 587 : port,
                        isLoopback(host) ? Tls.NONE : Tls.STARTTLS,
                        user,
                        passwordFile,
                        authorities,
                        timeout);
            case "smtp+plain" ->
                new RelaySettings(host, port < 0 ? 25 : port, Tls.NONE, user, passwordFile, authorities, timeout);
            default -> throw new IllegalArgumentException("the URL must begin with smtp://, smtps:// or smtp+plain://");
        };
    }

    /** Whether an address or name is this machine's own; a name that cannot be resolved is not. */
    public static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}
