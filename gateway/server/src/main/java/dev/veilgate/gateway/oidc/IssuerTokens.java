package dev.veilgate.gateway.oidc;

import dev.veilgate.gateway.access.IssuedTokens;
import dev.veilgate.gateway.access.IssuerUnavailableException;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.access.RefusedTokenException;
import java.time.Clock;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Tokens of the issuer that is set. The first one loads what checks them: a start does not wait for it, nor for the issuer. */
final class IssuerTokens implements IssuedTokens {
    private final OidcSettings settings;
    private final Supplier<@Nullable SSLContext> trust;
    private final Clock clock;
    private volatile @Nullable TokenCheck check;

    /** @param trust what the issuer's certificate is checked by, asked for at each fetch of its keys; null: what the system trusts */
    IssuerTokens(OidcSettings settings, Supplier<@Nullable SSLContext> trust, Clock clock) {
        this.settings = settings;
        this.trust = trust;
        this.clock = clock;
    }

    @Override
    public Principal principal(String token) throws RefusedTokenException, IssuerUnavailableException {
        TokenCheck checked = check;
        return (checked == null ? load() : checked).principal(token);
    }

    private synchronized TokenCheck load() {
        TokenCheck loaded = check;
        if (loaded == null) {
            IssuerClient client = new IssuerClient(settings, trust);
            loaded = new TokenCheck(settings, new IssuerKeys(client, clock), clock);
            check = loaded;
        }
        return loaded;
    }
}
