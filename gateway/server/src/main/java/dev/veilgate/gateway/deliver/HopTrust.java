package dev.veilgate.gateway.deliver;

import dev.veilgate.transport.TlsContext;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.util.NoSuchElementException;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslManagerBundle;

/** Which certificates are taken from a next hop. */
final class HopTrust {
    private final @Nullable SslBundles bundles;
    private final SSLContext anybody;

    HopTrust(@Nullable SslBundles bundles) {
        this.bundles = bundles;
        try {
            anybody = TlsContext.of(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers());
        } catch (IOException e) {
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
                return TlsContext.machine();
            }
            if (bundles == null) {
                throw new NoSuchElementException();
            }
            SslManagerBundle managers = bundles.getBundle(relay.sslBundle()).getManagers();
            return TlsContext.of(managers.getKeyManagers(), managers.getTrustManagers());
        } catch (NoSuchElementException | NoSuchSslBundleException e) {
            throw new IOException("the SSL bundle of the next hop cannot be used", e);
        }
    }
}
