package dev.veilgate.gateway.deliver;

import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.NoSuchElementException;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundles;

/** Which certificates are taken from a next hop. */
final class HopTrust {
    private final @Nullable SslBundles bundles;
    private final SSLContext anybody;

    HopTrust(@Nullable SslBundles bundles) {
        this.bundles = bundles;
        try {
            anybody = SSLContext.getInstance("TLS");
            anybody.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** @throws IOException if the bundle cannot be used */
    SSLContext context(DeliverSettings.Relay relay) throws IOException {
        try {
            if (!relay.tls().isVerified()) {
                return anybody;
            }
            if (relay.sslBundle().isEmpty()) {
                return SSLContext.getDefault();
            }
            if (bundles == null) {
                throw new NoSuchElementException();
            }
            return bundles.getBundle(relay.sslBundle()).createSslContext();
        } catch (GeneralSecurityException | NoSuchElementException | NoSuchSslBundleException e) {
            throw new IOException("the SSL bundle of the next hop cannot be used", e);
        }
    }
}
