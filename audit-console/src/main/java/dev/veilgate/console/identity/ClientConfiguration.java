package dev.veilgate.console.identity;

import dev.veilgate.console.settings.ConsoleSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.registration.ClientRegistrations;
import org.springframework.security.oauth2.client.registration.InMemoryClientRegistrationRepository;
import org.springframework.security.oauth2.client.registration.SupplierClientRegistrationRepository;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.core.oidc.IdTokenClaimNames;

/** The console as a client of the provider. */
@Configuration(proxyBeanMethods = false)
class ClientConfiguration {
    static final String REGISTRATION = "veilgate";

    /** Asked when somebody logs in: the console starts without its provider. */
    @Bean
    ClientRegistrationRepository clients(LoginSettings login, ConsoleSettings console, EmbeddedSecret embedded) {
        return new SupplierClientRegistrationRepository(() -> new InMemoryClientRegistrationRepository(
                login.issuer() == null ? embedded(console, login.ownAddress(), embedded) : external(login, console)));
    }

    private static ClientRegistration external(LoginSettings login, ConsoleSettings console) {
        try {
            return common(
                            ClientRegistrations.fromIssuerLocation(String.valueOf(login.issuer()))
                                    .registrationId(REGISTRATION),
                            console)
                    .clientId(login.clientId())
                    .clientSecret(Files.readAllLines(login.clientSecretFile()).getFirst())
                    .build();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ClientRegistration embedded(
            ConsoleSettings console, @Nullable URI ownAddress, EmbeddedSecret secret) {
        String base = console.base();
        String own = ownAddress == null ? base : ownAddress.toString().replaceAll("/$", "");
        return common(ClientRegistration.withRegistrationId(REGISTRATION), console)
                .clientId(EmbeddedProvider.CLIENT)
                .clientSecret(secret.value())
                .authorizationUri(base + "/oauth2/authorize")
                .tokenUri(own + "/oauth2/token")
                .jwkSetUri(own + "/oauth2/jwks")
                .issuerUri(base)
                .build();
    }

    private static ClientRegistration.Builder common(ClientRegistration.Builder builder, ConsoleSettings console) {
        return builder.clientAuthenticationMethod(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
                .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
                .redirectUri(console.base() + "/login/oauth2/code/" + REGISTRATION)
                .scope("openid", "profile")
                .userNameAttributeName(IdTokenClaimNames.SUB);
    }
}
