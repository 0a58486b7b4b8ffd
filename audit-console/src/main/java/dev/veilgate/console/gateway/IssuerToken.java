package dev.veilgate.console.gateway;

import dev.veilgate.client.JsonObject;
import dev.veilgate.console.settings.ConsoleSettings.GatewaySettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.converter.FormHttpMessageConverter;
import org.springframework.security.oauth2.client.endpoint.OAuth2ClientCredentialsGrantRequest;
import org.springframework.security.oauth2.client.endpoint.RestClientClientCredentialsTokenResponseClient;
import org.springframework.security.oauth2.client.http.OAuth2ErrorResponseErrorHandler;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.core.http.converter.OAuth2AccessTokenResponseHttpMessageConverter;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.client.RestClient;

/**
 * Tokens that an issuer signs for the console itself (RFC 6749, section 4.4). One is used until a minute before its end, and to its end while there is no other. The issuer is asked when the first
 * is needed, so that the console starts without it; after a failure it is left alone for {@link #REST}, and then its addresses and the console's secret are read anew. Nobody waits for it longer
 * than twice the patience. Safe for use by several threads.
 */
final class IssuerToken implements GatewayToken {
    /** For so long after a failure there is none at once: whoever asks does not wait for the issuer, one after the other. */
    static final Duration REST = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(IssuerToken.class);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration EARLY = Duration.ofMinutes(1);
    private static final String REGISTRATION = "gateway";
    private static final String METADATA = "/.well-known/openid-configuration";
    private static final List<String> SCOPES =
            List.of("veilgate.search", "veilgate.routes", "veilgate.senders", "veilgate.status", "veilgate.access");

    private final GatewaySettings settings;
    private final Clock clock;
    private final Duration patience;
    private @Nullable ClientRegistration registration;
    private @Nullable Held held;
    private @Nullable Failure failure;

    /** A token, and its end by this clock. */
    private record Held(String value, Instant ends) {
        boolean isGoodAt(Instant time) {
            return time.isBefore(ends);
        }

        @Override
        public String toString() {
            return "Held[until " + ends + "]";
        }
    }

    private record Failure(Exception why, Instant until) {}

    IssuerToken(GatewaySettings settings, Clock clock) {
        this(settings, clock, PATIENCE);
    }

    /** @param patience with the issuer, for its addresses and then for the token */
    IssuerToken(GatewaySettings settings, Clock clock, Duration patience) {
        this.settings = settings;
        this.clock = clock;
        this.patience = patience;
    }

    @Override
    public synchronized String now() throws IOException {
        Instant now = clock.instant();
        Held last = held;
        if (last != null && last.isGoodAt(now.plus(EARLY))) {
            return last.value();
        }
        Failure recent = failure;
        Exception why;
        if (recent != null && now.isBefore(recent.until())) {
            why = recent.why();
        } else {
            try {
                return ask(now);
            } catch (IOException | RuntimeException e) { // of Spring's, of many kinds
                why = e;
                registration = null;
                failure = new Failure(e, clock.instant().plus(REST));
            }
        }
        if (last != null && last.isGoodAt(now)) {
            return last.value();
        }
        throw new IOException(
                settings.issuer() + " (veilgate.gateway.issuer) gives the console no token for the gateway: "
                        + why.getMessage(),
                why);
    }

    private String ask(Instant now) throws IOException {
        ClientRegistration known = registration;
        if (known == null) {
            known = connect();
            registration = known;
        }
        OAuth2AccessToken given = tokens().getTokenResponse(new OAuth2ClientCredentialsGrantRequest(known))
                .getAccessToken();
        Duration lives = Duration.between(
                Objects.requireNonNull(given.getIssuedAt()), Objects.requireNonNull(given.getExpiresAt()));
        held = new Held(given.getTokenValue(), now.plus(lives));
        failure = null;
        return given.getTokenValue();
    }

    @Override
    public synchronized void refused() {
        registration = null;
        held = null;
    }

    private ClientRegistration connect() throws IOException {
        return ClientRegistration.withRegistrationId(REGISTRATION)
                .tokenUri(tokenAddress())
                .clientId(settings.clientId())
                .clientSecret(secret())
                .clientAuthenticationMethod(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
                .authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
                .scope(SCOPES)
                .build();
    }

    /** As the issuer says in its metadata, which stand in one of three places (OpenID Connect Discovery 1.0, section 4; RFC 8414, sections 3 and 5). */
    private String tokenAddress() throws IOException {
        URI issuer = Objects.requireNonNull(settings.issuer());
        String path = String.valueOf(issuer.getRawPath()).replaceAll("(?<!/)/+$", "");
        String host = issuer.getScheme() + "://" + issuer.getRawAuthority();
        RestClient http = RestClient.builder().requestFactory(requests()).build();
        for (String place : List.of(
                host + path + METADATA,
                host + METADATA + path,
                host + "/.well-known/oauth-authorization-server" + path)) {
            try {
                String answer = http.get().uri(URI.create(place)).retrieve().body(String.class);
                JsonObject metadata = JsonObject.parse(String.valueOf(answer).getBytes(StandardCharsets.UTF_8));
                if (!metadata.text("issuer").equals(issuer.toString())) {
                    throw new IOException(place + " speaks of another issuer, " + metadata.text("issuer"));
                }
                return metadata.text("token_endpoint");
            } catch (HttpClientErrorException e) { // it is in another place
                LOG.debug("{} has no metadata of the issuer", place, e);
            }
        }
        throw new IOException("it has no metadata, such as at " + host + path + METADATA);
    }

    private String secret() throws IOException {
        Path file = Objects.requireNonNull(settings.clientSecretFile());
        try {
            List<String> lines = Files.readAllLines(file);
            if (!lines.isEmpty() && !lines.getFirst().isBlank()) {
                return lines.getFirst().strip();
            }
        } catch (IOException e) {
            throw new IOException(file + " (veilgate.gateway.client-secret-file) cannot be read", e);
        }
        throw new IOException(file + " (veilgate.gateway.client-secret-file) must hold the secret in its first line");
    }

    private JdkClientHttpRequestFactory requests() {
        var requests = new JdkClientHttpRequestFactory(
                HttpClient.newBuilder().connectTimeout(patience).build());
        requests.setReadTimeout(patience);
        return requests;
    }

    /** As Spring's own, with an end to waiting. */
    private RestClientClientCredentialsTokenResponseClient tokens() {
        var tokens = new RestClientClientCredentialsTokenResponseClient();
        tokens.setRestClient(RestClient.builder()
                .requestFactory(requests())
                .configureMessageConverters(converters -> converters
                        .addCustomConverter(new FormHttpMessageConverter())
                        .addCustomConverter(new OAuth2AccessTokenResponseHttpMessageConverter()))
                .defaultStatusHandler(new OAuth2ErrorResponseErrorHandler())
                .build());
        return tokens;
    }
}
