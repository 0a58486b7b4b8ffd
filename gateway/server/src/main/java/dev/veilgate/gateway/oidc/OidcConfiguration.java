package dev.veilgate.gateway.oidc;

import dev.veilgate.gateway.access.IssuedTokens;
import java.time.Clock;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class OidcConfiguration {
    @Bean
    IssuedTokens issuedTokens(OidcSettings settings, ObjectProvider<SslBundles> bundles, Clock clock) {
        if (settings.issuer().isEmpty()) {
            return IssuedTokens.NONE;
        }
        Supplier<@Nullable SSLContext> trust = () -> null;
        if (!settings.sslBundle().isEmpty()) {
            SslBundle bundle = bundles.getObject().getBundle(settings.sslBundle());
            trust = bundle::createSslContext;
        }
        return new IssuerTokens(settings, trust, clock);
    }
}
