package dev.veilgate.console.logsink;

import dev.veilgate.transport.ClosingTls;
import dev.veilgate.transport.TlsContext;
import dev.veilgate.transport.TlsKeys;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Settings of the receiver that the issuing log is sent to: one of syslog, or one of HTTPS. */
final class SinkSettings {
    private SinkSettings() {}

    /**
     * Receiver of syslog (RFC 5424) over TLS (RFC 5425).
     *
     * @param address          `host:port` of a receiver, such as `logs.example.org:6514`, whose certificate has that
     * name; without it nothing is sent by syslog
     * @param end              how the receiver says that it has taken everything: `close-notify`, as RFC 5425 demands,
     * or `end-of-stream` for one that closes the connection without it, such as rsyslog with its driver gtls
     * @param enterpriseNumber number behind the @ of the structured data, one of yours at IANA; the default is the one
     * for examples
     * @param maxBytes         longest message that the receiver takes, at least 2048; of a longer entry the sealed part
     * is left out, then the longest details
     */
    @ConfigurationProperties("veilgate.log-sink.syslog")
    record Syslog(
            @Nullable String address,
            @DefaultValue("close-notify") ClosingTls.Ending end,
            @DefaultValue("32473") long enterpriseNumber,
            @DefaultValue("8192") int maxBytes) {
        private static final Pattern ADDRESS = Pattern.compile("(\\[[0-9a-fA-F:.]+]|[A-Za-z0-9.-]+):(\\d{1,5})");
        private static final int LEAST_BYTES = 2048;
        private static final int MOST_BYTES = 1 << 20;
        private static final int MOST_PORT = 65_535;
        private static final long MOST_NUMBER = 4_294_967_295L;

        /** @throws IllegalArgumentException naming the key */
        Syslog {
            if (address != null && !address.isBlank() && port(address) < 1) {
                throw new IllegalArgumentException(
                        "veilgate.log-sink.syslog.address must be like logs.example.org:6514, not " + address);
            }
            if (maxBytes < LEAST_BYTES || maxBytes > MOST_BYTES) {
                throw new IllegalArgumentException("veilgate.log-sink.syslog.max-bytes must be 2048 to 1048576");
            }
            if (enterpriseNumber < 1 || enterpriseNumber > MOST_NUMBER) {
                throw new IllegalArgumentException(
                        "veilgate.log-sink.syslog.enterprise-number must be a private enterprise number of IANA");
            }
        }

        boolean isSet() {
            return address != null && !address.isBlank();
        }

        String host() {
            Matcher parts = ADDRESS.matcher(String.valueOf(address));
            return parts.matches() ? parts.group(1).replace("[", "").replace("]", "") : "";
        }

        int port() {
            return port(String.valueOf(address));
        }

        private static int port(String address) {
            Matcher parts = ADDRESS.matcher(address);
            int port = parts.matches() ? Integer.parseInt(parts.group(2)) : 0;
            return port <= MOST_PORT ? port : 0;
        }
    }

    /**
     * Receiver of JSON lines by POST over HTTPS.
     *
     * @param url       address that is posted to, such as `https://logs.example.org/veilgate`; without it nothing is
     * sent by HTTPS
     * @param tokenFile file whose first line is sent as a bearer token; it is read each time
     * @param plain     whether `http` is allowed, to a receiver on this machine (`127.0.0.1`, `[::1]` or `localhost`)
     * @param keywords  whether queries and keywords that no rule hides are sent, and the digests of entries, by which
     * they could be guessed
     */
    @ConfigurationProperties("veilgate.log-sink.https")
    record Https(
            @Nullable URI url,
            @Nullable Path tokenFile,
            @DefaultValue("false") boolean plain,
            @DefaultValue("false") boolean keywords) {
        /** @throws IllegalArgumentException naming the key */
        Https {
            if (url != null && !url.toString().isBlank()) {
                check(url, plain);
            }
        }

        private static void check(URI url, boolean plain) {
            boolean isTls = "https".equalsIgnoreCase(url.getScheme());
            boolean isPlain = "http".equalsIgnoreCase(url.getScheme());
            if (url.getHost() == null || !isTls && !isPlain) {
                throw new IllegalArgumentException(
                        "veilgate.log-sink.https.url must be like https://logs.example.org/veilgate");
            }
            if (url.getRawUserInfo() != null || url.getRawFragment() != null) {
                throw new IllegalArgumentException("veilgate.log-sink.https.url has no user, password or #;"
                        + " veilgate.log-sink.https.token-file is for what the receiver asks for");
            }
            if (isPlain && !(plain && isLoopback(url.getHost()))) {
                throw new IllegalArgumentException("veilgate.log-sink.https.url is without TLS: that is for a receiver"
                        + " on this machine only, such as http://127.0.0.1:8686/, with veilgate.log-sink.https.plain");
            }
        }

        private static boolean isLoopback(String host) {
            if (host.equalsIgnoreCase("localhost")) {
                return true;
            }
            try {
                return (host.startsWith("[") || host.matches("[0-9.]+"))
                        && InetAddress.getByName(host).isLoopbackAddress();
            } catch (UnknownHostException e) {
                return false;
            }
        }

        boolean isSet() {
            return url != null && !url.toString().isBlank();
        }
    }

    /**
     * TLS to the receiver.
     *
     * @param ca          PEM of authorities to trust at the receiver instead of the system's
     * @param certificate PEM of the certificate that the console shows, with those that signed it
     * @param key         PEM of the key to it; may be the same file
     */
    @ConfigurationProperties("veilgate.log-sink.tls")
    record Tls(
            @Nullable Path ca,
            @Nullable Path certificate,
            @Nullable Path key) {
        /** @throws IllegalArgumentException naming the key */
        Tls {
            if ((certificate == null) != (key == null)) {
                throw new IllegalArgumentException(
                        "veilgate.log-sink.tls.certificate and veilgate.log-sink.tls.key belong together");
            }
        }

        /** @throws IOException naming the file and what it should hold */
        SSLContext context() throws IOException {
            try {
                return TlsContext.client(
                        ca, certificate == null || key == null ? null : TlsKeys.ofPem(certificate, key));
            } catch (IOException e) {
                throw new IOException("veilgate.log-sink.tls: " + e.getMessage(), e);
            }
        }
    }
}
