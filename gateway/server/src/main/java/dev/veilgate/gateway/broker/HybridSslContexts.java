package dev.veilgate.gateway.broker;

import com.hivemq.configuration.service.entity.Tls;
import com.hivemq.security.ssl.SslContextFactory;
import dev.veilgate.transport.TlsContext;
import dev.veilgate.transport.TlsKeys;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.IdentityCipherSuiteFilter;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * Makes the TLS of the broker's listeners by {@link TlsContext}, from the key store that HiveMQ would read. No client
 * is asked for a certificate: the configuration that we write has nothing of it.
 */
final class HybridSslContexts extends SslContextFactory {
    @Override
    public SslContext createSslContext(Tls tls) {
        try {
            SSLContext context = TlsContext.server(TlsKeys.ofPkcs12(
                    Path.of(tls.getKeystorePath()), tls.getKeystorePassword().toCharArray()));
            SSLParameters enabled = context.getDefaultSSLParameters();
            return new JdkSslContext(
                    context,
                    false,
                    List.of(enabled.getCipherSuites()),
                    IdentityCipherSuiteFilter.INSTANCE,
                    ApplicationProtocolConfig.DISABLED,
                    ClientAuth.NONE,
                    tls.getProtocols().toArray(String[]::new),
                    false);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // HiveMQ logs it, and keeps the certificate that it has
        }
    }
}
