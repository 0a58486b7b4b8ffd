package dev.veilgate.console.gateway;

import dev.veilgate.console.settings.ConsoleSettings.GatewaySettings;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.converter.FormHttpMessageConverter;
import org.springframework.security.oauth2.client.AuthorizedClientServiceOAuth2AuthorizedClientManager;
import org.springframework.security.oauth2.client.ClientCredentialsOAuth2AuthorizedClientProvider;
import org.springframework.security.oauth2.client.InMemoryOAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.OAuth2AuthorizeRequest;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClientManager;
import org.springframework.security.oauth2.client.endpoint.RestClientClientCredentialsTokenResponseClient;
import org.springframework.security.oauth2.client.http.OAuth2ErrorResponseErrorHandler;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrations;
import org.springframework.security.oauth2.client.registration.InMemoryClientRegistrationRepository;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.core.http.converter.OAuth2AccessTokenResponseHttpMessageConverter;
import org.springframework.web.client.RestClient;

/**
 * Tokens that an issuer signs for the console itself (RFC 6749, section 4.4). One is used until a minute before its end. The issuer is asked when the first is needed, so that the
 * console starts without it; after a failure its addresses and the console's secret are read anew. Safe for use by several threads.
 */
final class IssuerToken implements GatewayToken {
    private static final String REGISTRATION = "gateway";
    private static final String CONSOLE = "console";
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final List<String> SCOPES =
            List.of("veilgate.search", "veilgate.routes", "veilgate.senders", "veilgate.status", "veilgate.access");

    private final GatewaySettings settings;
    private @Nullable OAuth2AuthorizedClientManager manager;

    IssuerToken(GatewaySettings settings) {
        this.settings = settings;
    }

    @Override
    public synchronized String now() throws IOException {
        OAuth2AuthorizeRequest request = OAuth2AuthorizeRequest.withClientRegistrationId(REGISTRATION)
                .principal(CONSOLE)
                .build();
        try {
            OAuth2AuthorizedClientManager known = manager;
            if (known == null) {
                known = connect();
                manager = known;
            }
            OAuth2AuthorizedClient authorized = Objects.requireNonNull(known.authorize(request));
            return authorized.getAccessToken().getTokenValue();
        } catch (RuntimeException e) { // of Spring's, of many kinds
            manager = null;
            throw new IOException(
                    settings.issuer() + " (veilgate.gateway.issuer) gives the console no token for the gateway: "
                            + e.getMessage(),
                    e);
        }
    }

    @Override
    public synchronized void refused() {
        manager = null;
    }

    private OAuth2AuthorizedClientManager connect() throws IOException {
        ClientRegistration registration = ClientRegistrations.fromIssuerLocation(String.valueOf(settings.issuer()))
                .registrationId(REGISTRATION)
                .clientId(settings.clientId())
                .clientSecret(secret())
                .clientAuthenticationMethod(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
                .authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
                .scope(SCOPES)
                .build();
        var registrations = new InMemoryClientRegistrationRepository(registration);
        var provider = new ClientCredentialsOAuth2AuthorizedClientProvider();
        provider.setAccessTokenResponseClient(tokens());
        var made = new AuthorizedClientServiceOAuth2AuthorizedClientManager(
                registrations, new InMemoryOAuth2AuthorizedClientService(registrations));
        made.setAuthorizedClientProvider(provider);
        return made;
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

    /** As Spring's own, with an end to waiting. */
    private static RestClientClientCredentialsTokenResponseClient tokens() {
        var requests = new JdkClientHttpRequestFactory(
                HttpClient.newBuilder().connectTimeout(PATIENCE).build());
        requests.setReadTimeout(PATIENCE);
        var tokens = new RestClientClientCredentialsTokenResponseClient();
        tokens.setRestClient(RestClient.builder()
                .requestFactory(requests)
                .configureMessageConverters(converters -> converters
                        .addCustomConverter(new FormHttpMessageConverter())
                        .addCustomConverter(new OAuth2AccessTokenResponseHttpMessageConverter()))
                .defaultStatusHandler(new OAuth2ErrorResponseErrorHandler())
                .build());
        return tokens;
    }
}
