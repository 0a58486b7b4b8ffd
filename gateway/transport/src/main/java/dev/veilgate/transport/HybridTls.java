package dev.veilgate.transport;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.security.GeneralSecurityException;
import java.security.KeyManagementException;
import java.security.Provider;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509KeyManager;
import org.conscrypt.Conscrypt;
import org.jspecify.annotations.Nullable;

/**
 * TLS whose key exchange is X25519MLKEM768 (draft-ietf-tls-ecdhe-mlkem) with every peer that has it too, by
 * BoringSSL through Conscrypt. The
 * provider is used by name and is not among those of the Java runtime, so that nothing else changes. Certificates,
 * names and revocation are
 * checked by the runtime's trust managers, and no protocol version or cipher suite is enabled that the runtime
 * would not enable.
 *
 * <p>To be removed when the runtime has the group itself (JEP 527).
 */
final class HybridTls {
    /** Set to {@code false}, the runtime's own TLS is used. */
    static final String SWITCH = "veilgate.tls.hybrid";

    static final String GROUP = "X25519MLKEM768";

    private static final List<String> KEY_TYPES =
            List.of("RSA", "EC", "RSASSA-PSS", "EdDSA", "Ed25519", "Ed448", "DSA");
    private static final Set<Integer> CURVE_BITS = Set.of(256, 384);

    private static final Found FOUND = find();

    private HybridTls() {}

    private record Found(@Nullable Provider provider, String status, boolean intended) {}

    private static Found find() {
        if (System.getProperty(SWITCH, "true").equalsIgnoreCase("false")) {
            return new Found(null, "without " + GROUP + ", since " + SWITCH + " is false", true);
        }
        String groups = System.getProperty("jdk.tls.namedGroups", "");
        if (!groups.isBlank() && !groups.toUpperCase(Locale.ROOT).contains(GROUP)) {
            return new Found(null, "without " + GROUP + ", since jdk.tls.namedGroups does not name it", true);
        }
        try {
            Conscrypt.checkAvailability();
            Provider provider = Conscrypt.newProviderBuilder()
                    .setName("VeilgateTls")
                    .provideTrustManager(false)
                    .build();
            SSLContext.getInstance("TLS", provider).init(null, null, null);
            Conscrypt.Version version = Conscrypt.version();
            String name = version == null
                    ? "Conscrypt"
                    : "Conscrypt " + version.major() + "." + version.minor() + "." + version.patch();
            return new Found(provider, GROUP + " is offered first (" + name + ")", true);
        } catch (GeneralSecurityException | LinkageError | RuntimeException e) {
            return new Found(null, "without " + GROUP + ", since Conscrypt cannot be used here: " + e, false);
        }
    }

    /** Tells if X25519MLKEM768 is offered by contexts of this class. */
    static boolean isOffered() {
        return FOUND.provider() != null;
    }

    /** Tells if TLS is as the operator asked for: false if the hybrid group is missed and nobody switched it off. */
    static boolean isAsIntended() {
        return FOUND.intended();
    }

    /** For a log or a person: whether the group is offered, and why not. */
    static String status() {
        return FOUND.status();
    }

    /**
     * A context; without the group, the runtime's own, where it cannot be offered: see {@link #status}, or with
     * keys or trust
     * managers that BoringSSL cannot use.
     *
     * @param keys  null for none
     * @param trust null for that of the machine
     */
    static SSLContext context(KeyManager @Nullable [] keys, TrustManager @Nullable [] trust)
            throws GeneralSecurityException {
        SSLContext runtime = SSLContext.getInstance("TLS");
        runtime.init(keys, trust, null);
        Provider provider = FOUND.provider();
        TrustManager[] trusted = trust == null ? TrustedAuthorities.machine() : trust;
        if (provider == null || !RuntimeTrust.fits(trusted) || !fits(keys)) {
            return runtime;
        }
        SSLContext context = SSLContext.getInstance("TLS", provider);
        context.init(keys == null ? new KeyManager[0] : keys, RuntimeTrust.of(trusted), null);
        return new Context(new Spi(context, Enabled.by(runtime, context)), provider, runtime);
    }

    /** Tells if BoringSSL signs with all keys of the managers: RSA, and of elliptic curves P-256 and P-384. */
    private static boolean fits(KeyManager @Nullable [] keys) {
        if (keys == null) {
            return true;
        }
        for (KeyManager manager : keys) {
            if (!(manager instanceof X509KeyManager x509)) {
                return false;
            }
            for (String type : KEY_TYPES) {
                String[] aliases = x509.getServerAliases(type, null);
                for (String alias : aliases == null ? new String[0] : aliases) {
                    X509Certificate[] chain = x509.getCertificateChain(alias);
                    if (chain == null || chain.length == 0 || !fits(chain[0].getPublicKey())) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    private static boolean fits(PublicKey key) {
        return key instanceof ECPublicKey curve
                ? CURVE_BITS.contains(curve.getParams().getCurve().getField().getFieldSize())
                : key.getAlgorithm().equals("RSA");
    }

    /** The runtime's own context with the same keys and trust; the same context if it is the runtime's. */
    static SSLContext runtime(SSLContext context) {
        return context instanceof Context hybrid ? hybrid.runtime : context;
    }

    /**
     * An engine of a client that closes both of its directions itself, each in its turn: other than one of the
     * context, it reads on after it has closed what it sends ({@link ReleasedEngine}).
     */
    static SSLEngine closingByTurns(SSLContext context, String host, int port) {
        return context instanceof Context hybrid
                ? hybrid.spi.enabled.applied(hybrid.spi.context.createSSLEngine(host, port))
                : context.createSSLEngine(host, port);
    }

    /** Tells if a context offers X25519MLKEM768. */
    static boolean isOfferedBy(SSLContext context) {
        return context instanceof Context;
    }

    /** Protocols and cipher suites that both implementations enable, in the order of the Java runtime. */
    private record Enabled(String[] protocols, String[] suites) {
        static Enabled by(SSLContext runtime, SSLContext context) {
            SSLParameters wanted = runtime.getDefaultSSLParameters();
            SSLParameters had = context.getSupportedSSLParameters();
            return new Enabled(
                    both(wanted.getProtocols(), had.getProtocols()),
                    both(wanted.getCipherSuites(), had.getCipherSuites()));
        }

        private static String[] both(String[] wanted, String[] had) {
            List<String> possible = Arrays.asList(had);
            return Arrays.stream(wanted).filter(possible::contains).toArray(String[]::new);
        }

        SSLEngine applied(SSLEngine engine) {
            engine.setEnabledProtocols(protocols);
            engine.setEnabledCipherSuites(suites);
            return engine;
        }

        /** Parameters as enabled, made here: Conscrypt would open a socket for them, and leave it. */
        SSLParameters parameters() {
            return new SSLParameters(suites.clone(), protocols.clone());
        }
    }

    private static final class Context extends SSLContext {
        private final Spi spi;
        private final SSLContext runtime;

        Context(Spi spi, Provider provider, SSLContext runtime) {
            super(spi, provider, "TLS");
            this.spi = spi;
            this.runtime = runtime;
        }
    }

    private static final class Spi extends SSLContextSpi {
        private final SSLContext context;
        private final Enabled enabled;

        Spi(SSLContext context, Enabled enabled) {
            this.context = context;
            this.enabled = enabled;
        }

        @Override
        protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random)
                throws KeyManagementException {
            throw new KeyManagementException("it is initialized already");
        }

        @Override
        protected SSLSocketFactory engineGetSocketFactory() {
            return new AdjustedSockets(context.getSocketFactory(), AdjustedSockets.Adjustment.ofTls(socket -> {
                socket.setEnabledProtocols(enabled.protocols());
                socket.setEnabledCipherSuites(enabled.suites());
            }));
        }

        @Override
        protected SSLServerSocketFactory engineGetServerSocketFactory() {
            return new ServerSockets(context.getServerSocketFactory(), enabled);
        }

        @Override
        protected SSLEngine engineCreateSSLEngine() {
            return new ReleasedEngine(() -> enabled.applied(context.createSSLEngine()), enabled.parameters());
        }

        @Override
        protected SSLEngine engineCreateSSLEngine(String host, int port) {
            return new ReleasedEngine(
                    host, port, () -> enabled.applied(context.createSSLEngine(host, port)), enabled.parameters());
        }

        @Override
        protected SSLSessionContext engineGetServerSessionContext() {
            return context.getServerSessionContext();
        }

        @Override
        protected SSLSessionContext engineGetClientSessionContext() {
            return context.getClientSessionContext();
        }

        @Override
        protected SSLParameters engineGetDefaultSSLParameters() {
            return enabled.parameters();
        }

        @Override
        protected SSLParameters engineGetSupportedSSLParameters() {
            return enabled.parameters();
        }
    }

    private static final class ServerSockets extends SSLServerSocketFactory {
        private final SSLServerSocketFactory factory;
        private final Enabled enabled;

        ServerSockets(SSLServerSocketFactory factory, Enabled enabled) {
            this.factory = factory;
            this.enabled = enabled;
        }

        private ServerSocket adjusted(ServerSocket socket) {
            SSLServerSocket tls = (SSLServerSocket) Objects.requireNonNull(socket);
            tls.setEnabledProtocols(enabled.protocols());
            tls.setEnabledCipherSuites(enabled.suites());
            return tls;
        }

        @Override
        public ServerSocket createServerSocket() throws IOException {
            return adjusted(factory.createServerSocket());
        }

        @Override
        public ServerSocket createServerSocket(int port) throws IOException {
            return adjusted(factory.createServerSocket(port));
        }

        @Override
        public ServerSocket createServerSocket(int port, int backlog) throws IOException {
            return adjusted(factory.createServerSocket(port, backlog));
        }

        @Override
        public ServerSocket createServerSocket(int port, int backlog, InetAddress address) throws IOException {
            return adjusted(factory.createServerSocket(port, backlog, address));
        }

        @Override
        public String[] getDefaultCipherSuites() {
            return enabled.suites().clone();
        }

        @Override
        public String[] getSupportedCipherSuites() {
            return enabled.suites().clone();
        }
    }
}
