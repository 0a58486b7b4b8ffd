package dev.veilgate.application.tls;

import dev.veilgate.transport.TlsContext;
import java.io.IOException;
import java.security.KeyManagementException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509KeyManager;
import javax.net.ssl.X509TrustManager;
import org.apache.tomcat.util.net.SSLContext;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.apache.tomcat.util.net.SSLUtil;
import org.apache.tomcat.util.net.jsse.JSSEImplementation;
import org.apache.tomcat.util.net.jsse.JSSEUtil;
import org.jspecify.annotations.Nullable;

/**
 * Tomcat's TLS with contexts of {@link TlsContext}. Certificates, their renewal and all that is set of them is Tomcat's
 * and Spring Boot's as before. Tomcat makes it by its name.
 */
public final class TomcatTls extends JSSEImplementation {
    @Override
    public SSLUtil getSSLUtil(SSLHostConfigCertificate certificate) {
        return new Util(certificate);
    }

    private static final class Util extends JSSEUtil {
        Util(SSLHostConfigCertificate certificate) {
            super(certificate);
        }

        @Override
        protected Set<String> getImplementedProtocols() {
            return Set.of(TlsContext.machine().getSupportedSSLParameters().getProtocols());
        }

        @Override
        protected Set<String> getImplementedCiphers() {
            return Set.of(TlsContext.machine().getSupportedSSLParameters().getCipherSuites());
        }

        @Override
        public SSLContext createSSLContextInternal(List<String> negotiableProtocols) {
            return new Context();
        }
    }

    private static final class Context implements SSLContext {
        private javax.net.ssl.@Nullable SSLContext context;
        private @Nullable X509KeyManager keys;
        private @Nullable X509TrustManager trust;

        private javax.net.ssl.SSLContext context() {
            return Objects.requireNonNull(context, "initialized before it is used");
        }

        @Override
        public void init(KeyManager @Nullable [] shown, TrustManager @Nullable [] trusted, SecureRandom random)
                throws KeyManagementException {
            try {
                context = TlsContext.of(shown, trusted == null || trusted.length == 0 ? null : trusted);
            } catch (IOException e) {
                throw new KeyManagementException(e);
            }
            for (KeyManager manager : shown == null ? new KeyManager[0] : shown) {
                keys = manager instanceof X509KeyManager x509 ? x509 : keys;
            }
            for (TrustManager manager : trusted == null ? new TrustManager[0] : trusted) {
                trust = manager instanceof X509TrustManager x509 ? x509 : trust;
            }
        }

        @Override
        public void destroy() {}

        @Override
        public SSLSessionContext getServerSessionContext() {
            return context().getServerSessionContext();
        }

        @Override
        public SSLEngine createSSLEngine() {
            return context().createSSLEngine();
        }

        @Override
        public SSLServerSocketFactory getServerSocketFactory() {
            return context().getServerSocketFactory();
        }

        @Override
        public SSLParameters getSupportedSSLParameters() {
            return context().getSupportedSSLParameters();
        }

        @Override
        public X509Certificate @Nullable [] getCertificateChain(String alias) {
            return keys == null ? null : keys.getCertificateChain(alias);
        }

        @Override
        public X509Certificate @Nullable [] getAcceptedIssuers() {
            return trust == null ? null : trust.getAcceptedIssuers();
        }
    }
}
