package dev.veilgate.gateway.oidc;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.util.JSONObjectUtils;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Fetches the issuer's public keys over HTTP, without following redirects, within limits of time and size. */
final class IssuerClient {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int MAX_BYTES = 512 << 10;
    private static final int LEAST_RSA_BITS = 2048;
    private static final String CONFIGURATION = "/.well-known/openid-configuration";

    private final OidcSettings settings;
    private final Supplier<@Nullable SSLContext> trust;

    IssuerClient(OidcSettings settings, Supplier<@Nullable SSLContext> trust) {
        this.settings = settings;
        this.trust = trust;
    }

    /** Whose. */
    String issuer() {
        return settings.issuer();
    }

    /** @throws IOException if it does not answer, or not with keys; the message quotes nothing of the answer */
    JWKSet fetch() throws IOException {
        HttpClient client = client();
        try {
            String from = settings.jwkSetUri().isEmpty() ? discover(client) : settings.jwkSetUri();
            return usable(JWKSet.parse(get(client, URI.create(from))));
        } catch (ParseException e) {
            throw new IOException("its answer is no JSON of a key set", e);
        } finally {
            client.shutdownNow();
        }
    }

    /** A new one for each fetch: they are minutes apart, and certificates may have changed. */
    private HttpClient client() {
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(TIMEOUT);
        SSLContext context = trust.get();
        return (context == null ? builder : builder.sslContext(context)).build();
    }

    private String discover(HttpClient client) throws IOException, ParseException {
        String issuer = settings.issuer();
        String base = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
        Map<String, Object> configuration = JSONObjectUtils.parse(get(client, URI.create(base + CONFIGURATION)));
        if (!issuer.equals(JSONObjectUtils.getString(configuration, "issuer"))) {
            throw new IOException("it calls itself otherwise than veilgate.oidc.issuer");
        }
        URI keys = JSONObjectUtils.getURI(configuration, "jwks_uri");
        if (keys == null || keys.getHost() == null || !settings.mayAsk(keys)) {
            throw new IOException("its jwks_uri is not an address with https");
        }
        return keys.toString();
    }

    private static String get(HttpClient client, URI address) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(address)
                .timeout(TIMEOUT)
                .header("Accept", "application/json")
                .build();
        CompletableFuture<HttpResponse<byte[]>> future =
                client.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_BYTES));
        try {
            HttpResponse<byte[]> answer = future.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            if (answer.statusCode() != 200) {
                throw new IOException(address + " answers " + answer.statusCode());
            }
            return new String(answer.body(), StandardCharsets.UTF_8);
        } catch (ExecutionException e) {
            Throwable cause = Objects.requireNonNull(e.getCause()); // a future always says why
            throw new IOException(address + ": " + cause.getClass().getSimpleName() + " " + cause.getMessage(), e);
        } catch (TimeoutException e) {
            throw new IOException(address + " does not answer within " + TIMEOUT.toSeconds() + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static JWKSet usable(JWKSet all) throws IOException {
        List<JWK> keys = all.toPublicJWKSet().getKeys().stream()
                .filter(key -> !(key instanceof RSAKey rsa) || rsa.size() >= LEAST_RSA_BITS)
                .toList();
        if (keys.isEmpty()) {
            throw new IOException("its key set holds no public key that is taken here");
        }
        return new JWKSet(keys);
    }
}
