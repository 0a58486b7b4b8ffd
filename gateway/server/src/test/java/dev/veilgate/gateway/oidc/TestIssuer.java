package dev.veilgate.gateway.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.factories.DefaultJWSSignerFactory;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import dev.veilgate.testing.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An issuer with real keys and a real server, which can be away and come back, and changes its keys. */
public final class TestIssuer implements AutoCloseable {
    /** How often its keys were asked for. */
    public final AtomicInteger fetches = new AtomicInteger();

    private final Clock clock;
    private final int port;
    private volatile List<JWK> keys;
    private volatile String called;
    private @Nullable HttpServer server;

    /** Starts it. */
    public TestIssuer(Clock clock) throws IOException {
        this.clock = clock;
        this.keys = List.of(ec("first"));
        this.port = listen(FreePort.choose()); // it may leave and come back
        this.called = issuer();
    }

    private int listen(int wanted) throws IOException {
        HttpServer started = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), wanted), 0);
        started.createContext("/realm/", exchange -> {
            boolean isKeys = exchange.getRequestURI().getPath().endsWith("/keys");
            if (isKeys) {
                fetches.incrementAndGet();
            }
            byte[] body = (isKeys
                            ? new JWKSet(keys).toString(true)
                            : "{\"issuer\":\"" + called + "\",\"jwks_uri\":\"" + issuer() + "/keys\"}")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            try (exchange) {
                exchange.getResponseBody().write(body);
            }
        });
        started.start();
        server = started;
        return started.getAddress().getPort();
    }

    /** What is in {@code iss}. */
    public String issuer() {
        return "http://127.0.0.1:" + port + "/realm";
    }

    /** Says in its configuration that it is another. */
    void callItself(String issuer) {
        called = issuer;
    }

    /** Publishes these in place of those before, and signs with the first. */
    void rotate(JWK... now) {
        keys = List.of(now);
    }

    JWK key() {
        return keys.getFirst();
    }

    /** Stops answering. */
    void leave() {
        HttpServer running = server;
        if (running != null) {
            running.stop(0);
        }
    }

    /** At the same address. */
    void comeBack() throws IOException {
        listen(port);
    }

    static RSAKey rsa(String id) {
        return rsa(id, 2048);
    }

    static RSAKey rsa(String id, int bits) {
        try {
            return new RSAKeyGenerator(bits, true).keyID(id).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    static ECKey ec(String id) {
        try {
            return new ECKeyGenerator(Curve.P_256).keyID(id).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A good token for the tenant acme, changed as is said. */
    public JWTClaimsSet.Builder claims() {
        Instant now = clock.instant();
        return new JWTClaimsSet.Builder()
                .issuer(issuer())
                .subject("ada")
                .audience(List.of("veilgate-gateway", "account"))
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plusSeconds(300)))
                .claim("typ", "Bearer")
                .claim("veilgate_tenant", "acme")
                .claim("scope", "openid veilgate.search");
    }

    /** A token that differs from a good one in this. */
    public String token(Consumer<JWTClaimsSet.Builder> change) {
        JWTClaimsSet.Builder claims = claims();
        change.accept(claims);
        JWK key = key();
        JWSAlgorithm algorithm = key instanceof ECKey ? JWSAlgorithm.ES256 : JWSAlgorithm.RS256;
        return sign(new JWSHeader.Builder(algorithm).keyID(key.getKeyID()).build(), key, claims.build());
    }

    static String sign(JWSHeader header, JWK key, JWTClaimsSet claims) {
        try {
            SignedJWT jwt = new SignedJWT(header, claims);
            jwt.sign(new DefaultJWSSignerFactory().createJWSSigner(key, header.getAlgorithm()));
            return jwt.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        leave();
    }
}
