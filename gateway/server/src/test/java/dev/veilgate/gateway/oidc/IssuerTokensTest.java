package dev.veilgate.gateway.oidc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.veilgate.application.TestClock;
import dev.veilgate.gateway.access.IssuerUnavailableException;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.access.RefusedTokenException;
import dev.veilgate.gateway.access.Right;
import dev.veilgate.gateway.access.TokenRefusal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose tokens are taken, with real keys, signatures and an issuer that answers over HTTP. */
class IssuerTokensTest {
    private final TestClock clock = new TestClock();
    private TestIssuer issuer;
    private IssuerTokens tokens;

    @BeforeEach
    void start() throws IOException {
        issuer = new TestIssuer(clock);
        tokens = tokens("");
    }

    @AfterEach
    void stop() {
        issuer.close();
    }

    private IssuerTokens tokens(String fixedTenant) {
        OidcSettings settings = new OidcSettings(
                issuer.issuer(),
                "veilgate-gateway",
                fixedTenant,
                "veilgate_tenant",
                "veilgate_scopes",
                "",
                Duration.ofSeconds(30),
                "",
                false);
        return new IssuerTokens(settings, () -> null, clock);
    }

    private void refuses(TokenRefusal reason, String token) {
        assertThatExceptionOfType(RefusedTokenException.class)
                .isThrownBy(() -> tokens.principal(token))
                .satisfies(e -> assertThat(e.refusal()).isEqualTo(reason))
                .satisfies(e ->
                        assertThat(e.toString()).doesNotContain(token.substring(0, Math.min(20, token.length()))));
    }

    private void refuses(TokenRefusal reason, Consumer<JWTClaimsSet.Builder> change) {
        refuses(reason, issuer.token(change));
    }

    private static Date in(TestClock clock, Duration time) {
        return Date.from(clock.instant().plus(time));
    }

    @Test
    void knowsTheHolderOfAGoodToken() throws Exception {
        assertThat(tokens.principal(issuer.token(claims -> {})))
                .isEqualTo(new Principal(Principal.Kind.TOKEN, "oidc:ada", "acme", Set.of(Right.SEARCH), Set.of()));
        assertThat(tokens.principal(issuer.token(claims -> claims.claim("veilgate_scopes", List.of("plant-7", "a b"))
                        .claim("scope", "veilgate.status veilgate.retention veilgate.status other"))))
                .isEqualTo(new Principal(
                        Principal.Kind.TOKEN,
                        "oidc:ada",
                        "acme",
                        Set.of(Right.STATUS, Right.RETENTION),
                        Set.of("plant-7", "a b")));
    }

    @ParameterizedTest
    @EnumSource
    void eachRightHasAScope(Right right) throws Exception {
        String token = issuer.token(claims -> claims.claim("scope", right.scope()));
        assertThat(tokens.principal(token).rights()).containsExactly(right);
    }

    @Test
    void withoutAScopeOfTheGatewayThereIsNoRight() throws Exception {
        for (String scope :
                new String[] {"", "openid", "search", "veilgate.SEARCH", "veilgate.searches", "veilgate."}) {
            assertThat(tokens.principal(issuer.token(claims -> claims.claim("scope", scope)))
                            .rights())
                    .as(scope)
                    .isEmpty();
        }
        assertThat(tokens.principal(issuer.token(claims -> claims.claim("scope", null)))
                        .rights())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"RS256", "RS384", "RS512", "PS256", "PS384", "PS512"})
    void takesTheAlgorithmsOfRsa(String algorithm) throws Exception {
        RSAKey key = TestIssuer.rsa("rsa");
        issuer.rotate(key);
        String token = TestIssuer.sign(
                header(algorithm, "rsa").build(), key, issuer.claims().build());
        assertThat(tokens.principal(token).name()).isEqualTo("oidc:ada");
    }

    @Test
    void refusesAnotherIssuerOrAudience() {
        refuses(TokenRefusal.ISSUER, claims -> claims.issuer("https://elsewhere.example/realm"));
        refuses(TokenRefusal.ISSUER, claims -> claims.issuer(issuer.issuer() + "/"));
        refuses(TokenRefusal.ISSUER, claims -> claims.issuer(null));
        refuses(TokenRefusal.AUDIENCE, claims -> claims.audience("veilgate-console"));
        refuses(TokenRefusal.AUDIENCE, claims -> claims.audience(List.of()));
    }

    @Test
    void refusesWhatIsOverOrToComeBeyondTheSkew() throws Exception {
        Duration skew = Duration.ofSeconds(30);
        Duration less = Duration.ofSeconds(29);
        refuses(TokenRefusal.EXPIRED, claims -> claims.expirationTime(in(clock, skew.negated())));
        refuses(TokenRefusal.NOT_YET_VALID, claims -> claims.notBeforeTime(in(clock, skew.plusSeconds(1))));
        refuses(TokenRefusal.NOT_YET_VALID, claims -> claims.issueTime(in(clock, skew.plusSeconds(1))));
        refuses(TokenRefusal.MALFORMED, claims -> claims.expirationTime(null));
        assertThat(tokens.principal(issuer.token(claims -> claims.expirationTime(in(clock, less.negated()))
                        .notBeforeTime(in(clock, less))
                        .issueTime(in(clock, less)))))
                .isNotNull();
        String token = issuer.token(claims -> {});
        clock.advance(Duration.ofSeconds(331));
        refuses(TokenRefusal.EXPIRED, token);
    }

    @Test
    void refusesATokenWithoutASignature() {
        refuses(TokenRefusal.MALFORMED, new PlainJWT(issuer.claims().build()).serialize());
        String good = issuer.token(claims -> {});
        refuses(TokenRefusal.MALFORMED, good.substring(0, good.lastIndexOf('.') + 1));
        String none = encode("{\"alg\":\"none\",\"kid\":\"first\"}") + good.substring(good.indexOf('.'));
        refuses(TokenRefusal.MALFORMED, none);
    }

    @Test
    void refusesAPublicKeyTakenForASharedSecret() throws Exception {
        RSAKey key = TestIssuer.rsa("rsa");
        issuer.rotate(key);
        byte[] der = key.toRSAPublicKey().getEncoded();
        String pem = "-----BEGIN PUBLIC KEY-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der) + "\n-----END PUBLIC KEY-----\n";
        for (byte[] secret : List.of(
                der,
                pem.getBytes(StandardCharsets.US_ASCII),
                key.toPublicJWK().toJSONString().getBytes(StandardCharsets.UTF_8))) {
            SignedJWT forged = new SignedJWT(
                    header("HS256", "rsa").build(), issuer.claims().build());
            forged.sign(new MACSigner(secret));
            refuses(TokenRefusal.ALGORITHM, forged.serialize());
        }
    }

    @Test
    void refusesASharedSecretThatTheIssuerPublishes() throws Exception {
        JWK shared = new OctetSequenceKey.Builder(new byte[32]).keyID("shared").build();
        issuer.rotate(issuer.key(), shared);
        SignedJWT forged =
                new SignedJWT(header("HS256", "shared").build(), issuer.claims().build());
        forged.sign(new MACSigner(new byte[32]));
        refuses(TokenRefusal.ALGORITHM, forged.serialize());
    }

    @Test
    void refusesAForeignKeyThatCallsItselfTheIssuers() {
        JWK foreign = TestIssuer.ec("first");
        refuses(
                TokenRefusal.SIGNATURE,
                TestIssuer.sign(
                        header("ES256", "first").build(),
                        foreign,
                        issuer.claims().build()));
        JWSHeader embedded = header("ES256", "first").jwk(foreign.toPublicJWK()).build();
        refuses(
                TokenRefusal.SIGNATURE,
                TestIssuer.sign(embedded, foreign, issuer.claims().build()));
    }

    @Test
    void refusesKeysThatAreWeakOrForEncryption() {
        RSAKey weak = TestIssuer.rsa("weak", 1024);
        RSAKey wrapping = new RSAKey.Builder(TestIssuer.rsa("enc"))
                .keyUse(KeyUse.ENCRYPTION)
                .build();
        issuer.rotate(issuer.key(), weak.toPublicJWK(), wrapping);
        refuses(
                TokenRefusal.UNKNOWN_KEY,
                TestIssuer.sign(
                        header("ES256", "weak").build(),
                        issuer.key(),
                        issuer.claims().build()));
        refuses(
                TokenRefusal.UNKNOWN_KEY,
                TestIssuer.sign(
                        header("RS256", "enc").build(),
                        TestIssuer.rsa("enc"),
                        issuer.claims().build()));
        refuses(TokenRefusal.UNKNOWN_KEY, encode("{\"alg\":\"RS256\",\"kid\":\"weak\"}") + ".e30.AAAA");
    }

    @Test
    void refusesWhatIsNoAccessToken() {
        for (String kind : List.of("ID", "Refresh", "Offline", "Logout", "DPoP")) {
            refuses(TokenRefusal.NOT_ACCESS, claims -> claims.claim("typ", kind));
        }
        JWSHeader logout =
                header("ES256", "first").type(new JOSEObjectType("logout+jwt")).build();
        refuses(
                TokenRefusal.NOT_ACCESS,
                TestIssuer.sign(logout, issuer.key(), issuer.claims().build()));
        refuses(TokenRefusal.BOUND, claims -> claims.claim("cnf", Map.of("jkt", "x")));
        refuses(TokenRefusal.MALFORMED, claims -> claims.subject(null));
    }

    @Test
    void refusesWithoutATenant() throws Exception {
        for (Object wrong : Arrays.asList(null, "", " ", 7, List.of(), List.of("acme", "globex"), Map.of("a", "b"))) {
            refuses(TokenRefusal.TENANT, claims -> claims.claim("veilgate_tenant", wrong));
        }
        String list = issuer.token(claims -> claims.claim("veilgate_tenant", List.of("globex")));
        assertThat(tokens.principal(list).tenant()).isEqualTo("globex");
    }

    @Test
    void aFixedTenantNeedsNoClaimAndTakesNoOther() throws Exception {
        tokens = tokens("acme");
        assertThat(tokens.principal(issuer.token(claims -> claims.claim("veilgate_tenant", null)))
                        .tenant())
                .isEqualTo("acme");
        assertThat(tokens.principal(issuer.token(claims -> {})).tenant()).isEqualTo("acme");
        refuses(TokenRefusal.TENANT, claims -> claims.claim("veilgate_tenant", "globex"));
    }

    /** A restriction that cannot be read must not become none. */
    @Test
    void refusesScopesThatCannotBeRead() throws Exception {
        for (Object wrong : List.of(List.of(), List.of(7), List.of(""), "", Map.of(), Arrays.asList("a", null))) {
            refuses(TokenRefusal.SCOPES, claims -> claims.claim("veilgate_scopes", wrong));
        }
        String one = issuer.token(claims -> claims.claim("veilgate_scopes", "plant-7"));
        assertThat(tokens.principal(one).scopes()).containsExactly("plant-7");
    }

    @Test
    void takesUpANewKeyAndDropsTheOldOne() throws Exception {
        String old = issuer.token(claims -> {});
        tokens.principal(old);
        clock.advance(IssuerKeys.PAUSE);
        issuer.rotate(TestIssuer.rsa("second"));
        assertThat(tokens.principal(issuer.token(claims -> {}))).isNotNull();
        refuses(TokenRefusal.UNKNOWN_KEY, old);
        assertThat(issuer.fetches).hasValue(2);
    }

    @Test
    void aKeyThatIsWithdrawnIsNotTakenForLong() throws Exception {
        String token = issuer.token(claims -> claims.expirationTime(in(clock, Duration.ofDays(1))));
        tokens.principal(token);
        issuer.rotate(TestIssuer.ec("second"));
        clock.advance(IssuerKeys.FRESH);
        refuses(TokenRefusal.UNKNOWN_KEY, token);
    }

    @Test
    void unknownKeysDoNotMakeItAskOften() throws Exception {
        tokens.principal(issuer.token(claims -> {}));
        for (int i = 0; i < 50; i++) {
            JWK foreign = TestIssuer.ec("foreign-" + i);
            refuses(
                    TokenRefusal.UNKNOWN_KEY,
                    TestIssuer.sign(
                            header("ES256", foreign.getKeyID()).build(),
                            foreign,
                            issuer.claims().build()));
        }
        assertThat(issuer.fetches).hasValue(1);
        clock.advance(IssuerKeys.PAUSE);
        refuses(
                TokenRefusal.UNKNOWN_KEY,
                TestIssuer.sign(
                        header("ES256", "x").build(),
                        TestIssuer.ec("x"),
                        issuer.claims().build()));
        assertThat(issuer.fetches).hasValue(2);
    }

    @Test
    void anIssuerThatIsAwayIsNoReasonToRefuse() throws Exception {
        issuer.leave();
        String token = issuer.token(claims -> {});
        for (int i = 0; i < 3; i++) {
            assertThatExceptionOfType(IssuerUnavailableException.class)
                    .isThrownBy(() -> tokens.principal(token))
                    .withMessageContaining("does not answer");
        }
        issuer.comeBack();
        clock.advance(IssuerKeys.PAUSE);
        assertThat(tokens.principal(token).tenant()).isEqualTo("acme");
    }

    @Test
    void itsKeysStayGoodForAnHourWhileItIsAway() throws Exception {
        String token = issuer.token(claims -> claims.expirationTime(in(clock, Duration.ofDays(1))));
        tokens.principal(token);
        issuer.leave();
        clock.advance(IssuerKeys.USABLE.minusSeconds(1));
        assertThat(tokens.principal(token)).isNotNull();
        clock.advance(IssuerKeys.PAUSE);
        assertThatExceptionOfType(IssuerUnavailableException.class).isThrownBy(() -> tokens.principal(token));
    }

    @Test
    void anAddressThatCallsItselfAnotherIssuerGivesNoKeys() {
        issuer.callItself("https://elsewhere.example");
        assertThatExceptionOfType(IssuerUnavailableException.class)
                .isThrownBy(() -> tokens.principal(issuer.token(claims -> {})));
        assertThat(issuer.fetches).hasValue(0);
    }

    /** A lenient decoder takes these for the same bytes. */
    @Test
    void aSignatureIsWrittenInOneWayOnly() {
        String good = issuer.token(claims -> {});
        while (!good.substring(good.lastIndexOf('.')).contains("-")) {
            good = issuer.token(claims -> claims.jwtID(UUID.randomUUID().toString()));
        }
        int at = good.indexOf('-', good.lastIndexOf('.'));
        for (String other : List.of(
                good.substring(0, at) + '+' + good.substring(at + 1),
                good.substring(0, at) + '!' + good.substring(at),
                good + '=',
                good + '\n')) {
            assertThatExceptionOfType(RefusedTokenException.class).isThrownBy(() -> tokens.principal(other));
        }
    }

    @Test
    void noChangeOfATokenIsTakenAndNoneIsAnError() {
        String good = issuer.token(claims -> {});
        byte[] bytes = good.getBytes(StandardCharsets.US_ASCII);
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 2000; i++) {
            byte[] changed = Arrays.copyOf(bytes, i % 10 == 0 ? random.nextInt(bytes.length) : bytes.length);
            if (changed.length > 0) {
                changed[random.nextInt(changed.length)] = (byte) (33 + random.nextInt(94));
            }
            String token = new String(changed, StandardCharsets.US_ASCII);
            if (isSame(good, token)) {
                continue;
            }
            assertThatExceptionOfType(RefusedTokenException.class)
                    .as("seed %d, turn %d", seed, i)
                    .isThrownBy(() -> tokens.principal(token));
        }
    }

    /** The last character of Base64 holds bits that nothing reads. */
    private static boolean isSame(String one, String other) {
        String[] a = one.split("\\.");
        String[] b = other.split("\\.");
        if (b.length != 3) {
            return false;
        }
        try {
            for (int i = 0; i < 3; i++) {
                if (!MessageDigest.isEqual(
                        Base64.getUrlDecoder().decode(a[i]),
                        Base64.getUrlDecoder().decode(b[i]))) {
                    return false;
                }
            }
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static JWSHeader.Builder header(String algorithm, String key) {
        return new JWSHeader.Builder(JWSAlgorithm.parse(algorithm)).keyID(key);
    }

    private static String encode(String json) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }
}
