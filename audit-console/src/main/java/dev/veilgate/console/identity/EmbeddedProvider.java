package dev.veilgate.console.identity;

import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import dev.veilgate.console.http.Headers;
import dev.veilgate.console.identity.LoginSettings.Login;
import dev.veilgate.console.settings.ConsoleSettings;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.interfaces.RSAPublicKey;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.crypto.factory.PasswordEncoderFactories;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.core.oidc.endpoint.OidcParameterNames;
import org.springframework.security.oauth2.server.authorization.client.InMemoryRegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.settings.AuthorizationServerSettings;
import org.springframework.security.oauth2.server.authorization.settings.ClientSettings;
import org.springframework.security.oauth2.server.authorization.token.JwtEncodingContext;
import org.springframework.security.oauth2.server.authorization.token.OAuth2TokenCustomizer;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.LoginUrlAuthenticationEntryPoint;
import org.springframework.security.web.context.HttpSessionSecurityContextRepository;

/**
 * An OpenID provider within the console, with a list of users: nothing to set up. Its login is another one than the console's, kept under a name of its own in the session:
 * who has typed a password here is logged in at the console only through the protocol.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "veilgate.login.issuer", matchIfMissing = true, havingValue = "none")
class EmbeddedProvider {
    static final String CLIENT = "veilgate-console";
    static final String LOGIN_PAGE = "/provider/login";
    private static final int KEY_BITS = 2048;

    @Bean
    @Order(1)
    SecurityFilterChain provider(HttpSecurity http) {
        HttpSessionSecurityContextRepository own = new HttpSessionSecurityContextRepository();
        own.setSpringSecurityContextKey("VEILGATE_PROVIDER_CONTEXT");
        return http.oauth2AuthorizationServer(server -> server.oidc(oidc -> {}))
                .securityMatcher(
                        "/oauth2/authorize",
                        "/oauth2/token",
                        "/oauth2/jwks",
                        "/userinfo",
                        "/connect/logout",
                        "/.well-known/**",
                        "/provider/**")
                .authorizeHttpRequests(requests -> requests.requestMatchers(LOGIN_PAGE, "/provider/*.css")
                        .permitAll()
                        .anyRequest()
                        .authenticated())
                .securityContext(context -> context.securityContextRepository(own))
                .formLogin(form -> form.loginPage(LOGIN_PAGE)
                        .failureHandler(
                                (request, response, failure) -> response.sendRedirect(LOGIN_PAGE + why(failure))))
                .exceptionHandling(
                        handling -> handling.authenticationEntryPoint(new LoginUrlAuthenticationEntryPoint(LOGIN_PAGE)))
                .headers(headers -> headers.contentSecurityPolicy(
                        policy -> policy.policyDirectives(Headers.contentSecurityPolicy())))
                .build();
    }

    @Bean
    RegisteredClientRepository registeredClients(ConsoleSettings console, EmbeddedSecret secret) {
        return new InMemoryRegisteredClientRepository(RegisteredClient.withId(
                        UUID.randomUUID().toString())
                .clientId(CLIENT)
                .clientSecret("{noop}" + secret.value())
                .clientAuthenticationMethod(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
                .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
                .redirectUri(console.base() + "/login/oauth2/code/" + ClientConfiguration.REGISTRATION)
                .postLogoutRedirectUri(console.base() + "/")
                .scope("openid")
                .scope("profile")
                .clientSettings(ClientSettings.builder().requireProofKey(true).build())
                .build());
    }

    private static String why(AuthenticationException failure) {
        return failure instanceof TooManyLoginsException tooMany ? "?wait=" + tooMany.seconds() : "?wrong";
    }

    /** The only one that looks at passwords: another one beside it would not be slowed down. */
    @Bean
    AuthenticationProvider passwords(
            LoginSettings login, ConsoleSettings console, Clock clock, ApplicationEventPublisher events) {
        return slowed(
                login.usersAt(console),
                PasswordEncoderFactories.createDelegatingPasswordEncoder(),
                clock,
                events::publishEvent);
    }

    static AuthenticationProvider slowed(
            List<Login> users, PasswordEncoder verifier, Clock clock, Consumer<LoginEvent> tell) {
        DaoAuthenticationProvider passwords =
                new DaoAuthenticationProvider(new InMemoryUserDetailsManager(users.stream()
                        .map(user -> User.withUsername(user.name())
                                .password(user.password())
                                .authorities(List.of())
                                .build())
                        .toList()));
        passwords.setPasswordEncoder(
                new EqualWork(verifier, users.stream().map(Login::password).toList()));
        List<String> names = users.stream().map(Login::name).toList();
        return new SlowedLogin(passwords, new LoginAttempts(names, clock, tell));
    }

    @Bean
    OAuth2TokenCustomizer<JwtEncodingContext> claims(LoginSettings login, ConsoleSettings console) {
        Map<String, Login> users =
                login.usersAt(console).stream().collect(Collectors.toMap(Login::name, Function.identity()));
        return context -> {
            // who logged in: there is no token without somebody
            Login user = users.get(Objects.requireNonNull(context.<Authentication>getPrincipal())
                    .getName());
            if (user != null && context.getTokenType().getValue().equals(OidcParameterNames.ID_TOKEN)) {
                context.getClaims()
                        .claim("preferred_username", user.name())
                        .claim("name", user.displayName().isEmpty() ? user.name() : user.displayName())
                        .claim(LoginSettings.ROLES_CLAIM, user.roles())
                        .claim(LoginSettings.ATTRIBUTES_CLAIM, user.attributes());
            }
        };
    }

    @Bean
    AuthorizationServerSettings serverSettings(ConsoleSettings console) {
        return AuthorizationServerSettings.builder().issuer(console.base()).build();
    }

    /** Drawn at every start: tokens live for minutes. */
    @Bean
    JWKSource<SecurityContext> signingKeys() throws NoSuchAlgorithmException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(KEY_BITS);
        KeyPair pair = generator.generateKeyPair();
        return new ImmutableJWKSet<>(new JWKSet(new RSAKey.Builder((RSAPublicKey) pair.getPublic())
                .privateKey(pair.getPrivate())
                .keyID(UUID.randomUUID().toString())
                .build()));
    }
}
