package dev.veilgate.console.settings;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What belongs to the console as a whole.
 *
 * @param dataDir where the database, the published bundle and the sealed rows of searches are kept; the issuing log is
 * in the key folder
 * @param url     the address that browsers use, without a path; logins come back to it
 * @param session how long a login lasts without being used
 * @param longest how long a login lasts at most: roles and attributes are asked for anew at the next one
 */
@ConfigurationProperties("veilgate")
public record ConsoleSettings(
        @DefaultValue("veilgate-console-data") Path dataDir,
        @DefaultValue("http://localhost:8090") URI url,
        @DefaultValue("30m") Duration session,
        @DefaultValue("12h") Duration longest) {
    /** @throws IllegalArgumentException naming the key */
    public ConsoleSettings {
        boolean isWeb = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
        if (!isWeb || url.getHost() == null || !url.getPath().replace("/", "").isEmpty()) {
            throw new IllegalArgumentException("veilgate.url must be like https://audit.example.org, without a path");
        }
        if (session.compareTo(Duration.ofMinutes(1)) < 0 || session.compareTo(Duration.ofHours(24)) > 0) {
            throw new IllegalArgumentException("veilgate.session must be 1m to 24h");
        }
        if (longest.compareTo(session) < 0) {
            throw new IllegalArgumentException("veilgate.longest must not be shorter than veilgate.session");
        }
    }

    /** The address without a slash at its end. */
    public String base() {
        return url.toString().replaceAll("(?<!/)/+$", "");
    }

    /** Whether browsers come by TLS. */
    public boolean isSecure() {
        return "https".equals(url.getScheme());
    }

    /**
     * Libraries of this machine's own code.
     *
     * @param liboqs library that computes ML-KEM, ML-DSA and FrodoKEM, such as /usr/local/lib/veilgate/liboqs.so, which
     * native/install-liboqs makes; without it, Java's libraries. One that is unfit stops the start
     */
    @ConfigurationProperties("veilgate.native")
    public record NativeSettings(@Nullable Path liboqs) {}

    /**
     * The tenant's keys.
     *
     * @param folder         the key folder, as {@code veilgate keys init} makes it; the console holds it against
     * changes by others while the keys are open
     * @param passphraseFile file whose first line is the passphrase; without it a keeper opens the keys in the browser
     * after every start
     */
    @ConfigurationProperties("veilgate.keys")
    public record KeySettings(
            @DefaultValue("veilgate-keys") Path folder,
            @Nullable Path passphraseFile) {}

    /**
     * The gateway that is searched, and how the console shows it who it is: by a token of its access file, or by those
     * that an issuer gives the console itself.
     *
     * @param url              its address
     * @param tokenFile        file whose first line is a token with the rights search, routes, senders, status and
     * access, made by {@code veilgate-gateway access token}
     * @param issuer           of tokens instead, such as https://login.example.org/realms/veilgate: the one that the
     * gateway's veilgate.oidc.issuer names
     * @param clientId         of the console at that issuer: a client with a service account and the gateway's scopes
     * @param clientSecretFile file whose first line is that client's secret
     * @param ca               PEM of authorities to trust at the gateway instead of the system's
     */
    @ConfigurationProperties("veilgate.gateway")
    public record GatewaySettings(
            @DefaultValue("http://127.0.0.1:8080") URI url,
            @Nullable Path tokenFile,
            @Nullable URI issuer,
            @DefaultValue("veilgate-console-gateway") String clientId,
            @Nullable Path clientSecretFile,
            @Nullable Path ca) {
        /** @throws IllegalArgumentException naming the key */
        public GatewaySettings {
            if (issuer != null && (clientSecretFile == null || clientId.isBlank())) {
                throw new IllegalArgumentException(
                        "veilgate.gateway.client-id and client-secret-file are needed with veilgate.gateway.issuer");
            }
            if (issuer != null && tokenFile != null) {
                throw new IllegalArgumentException(
                        "veilgate.gateway has token-file or issuer: a token of the access file, or those of an issuer");
            }
        }
    }
}
