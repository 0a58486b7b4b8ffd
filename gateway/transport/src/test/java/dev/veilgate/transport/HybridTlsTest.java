package dev.veilgate.transport;

import static dev.veilgate.transport.TestCertificates.authority;
import static dev.veilgate.transport.TestCertificates.localhost;
import static dev.veilgate.transport.TestCertificates.pair;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.testing.TlsRelay;
import dev.veilgate.transport.TestCertificates.Held;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.Security;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class HybridTlsTest {
    private static final String SECRET = "changeit";

    private static Held ours;
    private static KeyManager[] keys;
    private static TrustManager[] trust;

    @BeforeAll
    static void make() throws Exception {
        ours = authority(pair("EC", 256), "SHA256withECDSA");
        keys = keys(localhost(pair("EC", 256), ours, "SHA256withECDSA"), ours);
        trust = trust(ours);
    }

    private static KeyManager[] keys(Held held, Held signer) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        Certificate[] chain = held == signer
                ? new Certificate[] {held.certificate()}
                : new Certificate[] {held.certificate(), signer.certificate()};
        store.setKeyEntry("own", held.key(), SECRET.toCharArray(), chain);
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, SECRET.toCharArray());
        return factory.getKeyManagers();
    }

    private static TrustManager[] trust(Held authority) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("ca", authority.certificate());
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    /** Context of the Java runtime, as every program of an earlier version has it. */
    private static SSLContext classical(KeyManager[] shown, TrustManager[] trusted) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS", "SunJSSE");
        context.init(shown, trusted, null);
        return context;
    }

    /** A server that answers each byte with the next number, until its clients are gone. */
    private static final class Server implements AutoCloseable {
        private final SSLServerSocket listening;
        private final List<Socket> accepted = new ArrayList<>();

        Server(SSLContext context, Consumer<SSLServerSocket> change) throws IOException {
            listening = (SSLServerSocket)
                    context.getServerSocketFactory().createServerSocket(0, 500, InetAddress.getLoopbackAddress());
            change.accept(listening);
            Thread.ofVirtual().start(() -> {
                while (!listening.isClosed()) {
                    try {
                        Socket one = listening.accept();
                        synchronized (accepted) {
                            accepted.add(one);
                        }
                        Thread.ofVirtual().start(() -> answer(one));
                    } catch (IOException e) {
                        return;
                    }
                }
            });
        }

        Server(SSLContext context) throws IOException {
            this(context, socket -> {});
        }

        private static void answer(Socket socket) {
            try (socket;
                    InputStream in = socket.getInputStream();
                    OutputStream out = socket.getOutputStream()) {
                for (int got = in.read(); got >= 0; got = in.read()) {
                    out.write(got + 1);
                }
            } catch (IOException e) {
                // refused, or gone
            }
        }

        int port() {
            return listening.getLocalPort();
        }

        @Override
        public void close() throws IOException {
            listening.close();
            synchronized (accepted) {
                for (Socket one : accepted) {
                    one.close();
                }
            }
        }
    }

    private static SSLSession session(SSLContext client, int port, String host) throws IOException {
        return session(client, port, host, parameters -> {});
    }

    private static SSLSession session(SSLContext client, int port, String host, Consumer<SSLParameters> change)
            throws IOException {
        Socket raw = new Socket(InetAddress.getLoopbackAddress(), port);
        try (SSLSocket socket = (SSLSocket) client.getSocketFactory().createSocket(raw, host, port, true)) {
            socket.setSoTimeout(20_000);
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            change.accept(parameters);
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            socket.getOutputStream().write(41);
            assertThat(socket.getInputStream().read()).isEqualTo(42);
            return socket.getSession();
        }
    }

    private static int group(SSLContext server, SSLContext client) throws IOException {
        try (Server serving = new Server(server);
                TlsRelay relay = new TlsRelay(serving.port())) {
            assertThat(session(client, relay.port(), "localhost").getProtocol()).isEqualTo("TLSv1.3");
            return relay.groups().getFirst();
        }
    }

    @Test
    void isOfferedHere() {
        assertThat(TlsContext.isHybrid()).as(TlsContext.status()).isTrue();
        assertThat(TlsContext.isAsIntended()).isTrue();
        assertThat(TlsContext.status()).contains("X25519MLKEM768 is offered first");
    }

    @Test
    void bothEndsAgreeOnTheHybridGroup() throws Exception {
        assertThat(group(TlsContext.of(keys, null), TlsContext.of(null, trust))).isEqualTo(TlsRelay.HYBRID);
    }

    @Test
    void hybridGroupIsOfferedFirstAndClassicalOnesBehind() throws Exception {
        try (Server serving = new Server(TlsContext.of(keys, null));
                TlsRelay relay = new TlsRelay(serving.port())) {
            session(TlsContext.of(null, trust), relay.port(), "localhost");
            assertThat(relay.offered())
                    .startsWith(TlsRelay.HYBRID, TlsRelay.X25519)
                    .contains(0x0017);
        }
    }

    @Test
    void peersWithoutItConnectByX25519() throws Exception {
        assertThat(group(classical(keys, null), TlsContext.of(null, trust))).isEqualTo(TlsRelay.X25519);
        assertThat(group(TlsContext.of(keys, null), classical(null, trust))).isEqualTo(TlsRelay.X25519);
    }

    @ParameterizedTest
    @CsvSource({"secp256r1, 0x0017", "secp384r1, 0x0018"})
    void serverOfOneClassicalGroupIsAskedAgainForIt(String named, String group) throws Exception {
        try (Server serving = new Server(classical(keys, null), socket -> {
                    SSLParameters parameters = socket.getSSLParameters();
                    parameters.setNamedGroups(new String[] {named});
                    socket.setSSLParameters(parameters);
                });
                TlsRelay relay = new TlsRelay(serving.port())) {
            session(TlsContext.of(null, trust), relay.port(), "localhost");
            assertThat(relay.groups()).containsExactly(Integer.decode(group));
        }
    }

    @Test
    void olderVersionOfTlsStillConnects() throws Exception {
        try (Server serving = new Server(TlsContext.of(keys, null))) {
            SSLSession session = session(
                    classical(null, trust),
                    serving.port(),
                    "localhost",
                    parameters -> parameters.setProtocols(new String[] {"TLSv1.2"}));
            assertThat(session.getProtocol()).isEqualTo("TLSv1.2");
        }
        try (Server serving =
                new Server(classical(keys, null), socket -> socket.setEnabledProtocols(new String[] {"TLSv1.2"}))) {
            SSLSession session = session(TlsContext.of(null, trust), serving.port(), "localhost");
            assertThat(session.getProtocol()).isEqualTo("TLSv1.2");
        }
    }

    @Test
    void nothingIsEnabledThatTheRuntimeWouldNotEnable() throws Exception {
        SSLContext context = TlsContext.of(keys, trust);
        List<String> allowed =
                Arrays.asList(classical(keys, trust).getDefaultSSLParameters().getCipherSuites());
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket();
                SSLServerSocket listening =
                        (SSLServerSocket) context.getServerSocketFactory().createServerSocket()) {
            for (String[] suites : List.of(
                    socket.getEnabledCipherSuites(),
                    listening.getEnabledCipherSuites(),
                    context.createSSLEngine().getEnabledCipherSuites(),
                    context.createSSLEngine("localhost", 1).getEnabledCipherSuites(),
                    context.getDefaultSSLParameters().getCipherSuites())) {
                assertThat(allowed).contains(suites);
                assertThat(suites).contains("TLS_AES_256_GCM_SHA384", "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384");
                assertThat(suites).noneMatch(suite -> suite.startsWith("TLS_RSA_"));
            }
            assertThat(socket.getEnabledProtocols()).containsExactlyInAnyOrder("TLSv1.2", "TLSv1.3");
            assertThat(listening.getEnabledProtocols()).containsExactlyInAnyOrder("TLSv1.2", "TLSv1.3");
        }
    }

    @Test
    void providersOfTheRuntimeStayAsTheyAre() throws Exception {
        TlsContext.of(null, trust);
        assertThat(Security.getProviders())
                .noneMatch(provider -> provider.getClass().getName().contains("conscrypt"));
        assertThat(SSLContext.getDefault().getProvider().getName()).isEqualTo("SunJSSE");
    }

    @Test
    void certificateOfAnotherNameIsRefused() throws Exception {
        try (Server serving = new Server(TlsContext.of(keys, null))) {
            assertThatThrownBy(() -> session(TlsContext.of(null, trust), serving.port(), "gateway.example.org"))
                    .isInstanceOf(SSLException.class)
                    .hasMessageContaining("gateway.example.org");
            assertThatThrownBy(() -> session(TlsContext.of(null, trust), serving.port(), "127.0.0.1"))
                    .isInstanceOf(SSLException.class)
                    .hasMessageContaining("127.0.0.1");
        }
    }

    @Test
    void certificateOfAnUnknownAuthorityIsRefused() throws Exception {
        Held stranger = authority(pair("EC", 256), "SHA256withECDSA");
        KeyManager[] theirs = keys(localhost(pair("EC", 256), stranger, "SHA256withECDSA"), stranger);
        try (Server serving = new Server(TlsContext.of(theirs, null))) {
            assertRefused(serving, TlsContext.of(null, trust));
            assertRefused(serving, TlsContext.machine());
            assertRefused(serving, TlsContext.of(null, null));
        }
    }

    @Test
    void selfSignedCertificateIsRefused() throws Exception {
        Held self = TestCertificates.selfSigned(pair("EC", 256), "SHA256withECDSA");
        try (Server serving = new Server(TlsContext.of(keys(self, self), null))) {
            assertRefused(serving, TlsContext.of(null, trust));
            assertRefused(serving, TlsContext.machine());
        }
    }

    @Test
    void expiredCertificateIsRefused() throws Exception {
        Held old = TestCertificates.expired(pair("EC", 256), ours, "SHA256withECDSA");
        try (Server serving = new Server(TlsContext.of(keys(old, ours), null))) {
            assertRefused(serving, TlsContext.of(null, trust));
        }
    }

    private static void assertRefused(Server serving, SSLContext client) {
        assertThatThrownBy(() -> session(client, serving.port(), "localhost"))
                .isInstanceOf(SSLException.class)
                .hasCauseInstanceOf(CertificateException.class);
    }

    /** Trust managers are the runtime's: what they would refuse by their own settings is refused. */
    @Test
    void weakSignatureOfACertificateIsRefused() throws Exception {
        Held weak = localhost(pair("RSA", 2048), ours, "SHA1withECDSA");
        try (Server serving = new Server(TlsContext.of(keys(weak, ours), null))) {
            // SHA-1 of an authority of one.s own is for the settings of the runtime: both decide alike
            boolean classical = connects(classical(null, trust), serving.port());
            assertThat(connects(TlsContext.of(null, trust), serving.port())).isEqualTo(classical);
        }
    }

    private static boolean connects(SSLContext client, int port) {
        try {
            session(client, port, "localhost");
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @ParameterizedTest
    @CsvSource({"RSA, 2048", "RSA, 4096", "EC, 256", "EC, 384"})
    void certificatesOfEachKindConnect(String algorithm, int bits) throws Exception {
        KeyManager[] shown = keys(localhost(pair(algorithm, bits), ours, "SHA256withECDSA"), ours);
        assertThat(TlsContext.isHybrid(TlsContext.of(shown, null))).isTrue();
        assertThat(connectsBy(TlsContext.of(shown, null), TlsContext.of(null, trust)))
                .as("both new")
                .isTrue();
        assertThat(connectsBy(TlsContext.of(shown, null), classical(null, trust)))
                .as("old client")
                .isTrue();
        assertThat(connectsBy(classical(shown, null), TlsContext.of(null, trust)))
                .as("old server")
                .isTrue();
    }

    /** BoringSSL has no such signatures: the server goes on serving who came before, and clients are told plainly. */
    @ParameterizedTest
    @CsvSource({"EC, 521", "Ed25519, 0", "RSASSA-PSS, 2048"})
    void certificatesThatBoringSslDoesNotKnowAreServedByTheRuntime(String algorithm, int bits) throws Exception {
        KeyManager[] shown = keys(localhost(pair(algorithm, bits), ours, "SHA256withECDSA"), ours);
        assertThat(TlsContext.isHybrid(TlsContext.of(shown, null))).isFalse();
        assertThat(connectsBy(TlsContext.of(shown, null), classical(null, trust)))
                .isTrue();
        assertThat(connectsBy(TlsContext.of(shown, null), TlsContext.of(null, trust)))
                .as("a limit that docs/operations.md names")
                .isFalse();
    }

    /** Trust managers that do not see the connection check no name: the runtime does it for them. */
    @Test
    void nameIsCheckedForTrustManagersThatDoNotSeeTheConnection() throws Exception {
        X509TrustManager all = new X509TrustManager() {
            @Override
            public void checkClientTrusted(X509Certificate[] chain, String type) {}

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String type) {}

            @Override
            public X509Certificate[] getAcceptedIssuers() {
                return new X509Certificate[0];
            }
        };
        SSLContext client = TlsContext.of(null, new TrustManager[] {all});
        assertThat(TlsContext.isHybrid(client)).isFalse();
        try (Server serving = new Server(TlsContext.of(keys, null))) {
            session(client, serving.port(), "localhost");
            assertThatThrownBy(() -> session(client, serving.port(), "gateway.example.org"))
                    .isInstanceOf(SSLException.class);
        }
    }

    private static boolean connectsBy(SSLContext server, SSLContext client) throws IOException {
        try (Server serving = new Server(server)) {
            return connects(client, serving.port());
        }
    }

    /** Attack: the group is taken out on the line, so that the recorded connection can be opened later. */
    @Test
    void clientHelloWithoutTheGroupEndsTheHandshake() throws Exception {
        try (Server serving = new Server(TlsContext.of(keys, null));
                TlsRelay relay = new TlsRelay(serving.port(), ClientHello::withoutHybridGroup)) {
            assertThatThrownBy(() -> session(TlsContext.of(null, trust), relay.port(), "localhost"))
                    .isInstanceOf(SSLException.class);
            assertThat(relay.groups()).containsExactly(TlsRelay.X25519); // the server was deceived, the client not
        }
    }

    @Test
    void resumedSessionHasAKeyExchangeOfItsOwn() throws Exception {
        SSLContext client = TlsContext.of(null, trust);
        try (Server serving = new Server(TlsContext.of(keys, null));
                TlsRelay relay = new TlsRelay(serving.port())) {
            for (int i = 0; i < 4; i++) {
                session(client, relay.port(), "localhost");
            }
            assertThat(relay.groups()).hasSize(4).containsOnly(TlsRelay.HYBRID);
        }
    }

    /** A ticket that another name's connection brought is no way around the check of the name. */
    @Test
    void resumptionDoesNotSkipTheName() throws Exception {
        SSLContext client = TlsContext.of(null, trust);
        try (Server serving = new Server(TlsContext.of(keys, null))) {
            session(client, serving.port(), "localhost");
            session(client, serving.port(), "localhost");
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> session(client, serving.port(), "gateway.example.org"))
                        .isInstanceOf(SSLException.class);
            }
        }
    }

    @Test
    void silentServerIsGivenUpAfterTheTimeout() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                Socket raw = new Socket(InetAddress.getLoopbackAddress(), silent.getLocalPort());
                SSLSocket socket = (SSLSocket) TlsContext.of(null, trust)
                        .getSocketFactory()
                        .createSocket(raw, "localhost", silent.getLocalPort(), true)) {
            socket.setSoTimeout(300);
            long start = System.nanoTime();
            assertThatThrownBy(socket::startHandshake)
                    .isInstanceOfAny(SocketTimeoutException.class, SSLException.class);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
        }
    }

    @Test
    void brokenHelloEndsThatConnectionOnly() throws Exception {
        try (Server serving = new Server(TlsContext.of(keys, null));
                TlsRelay cut = new TlsRelay(serving.port(), hello -> Arrays.copyOf(hello, hello.length / 2));
                TlsRelay noise = new TlsRelay(serving.port(), ClientHello::withNoise)) {
            assertThatThrownBy(() -> session(TlsContext.of(null, trust), noise.port(), "localhost"))
                    .isInstanceOf(IOException.class);
            Future<?> waiting = Executors.newVirtualThreadPerTaskExecutor()
                    .submit(() -> connects(TlsContext.of(null, trust), cut.port()));
            for (byte[] sent : List.of(
                    new byte[] {22, 3, 1, 127, 127},
                    "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
                    new byte[600])) {
                try (Socket raw = new Socket(InetAddress.getLoopbackAddress(), serving.port())) {
                    raw.getOutputStream().write(sent);
                }
            }
            session(TlsContext.of(null, trust), serving.port(), "localhost");
            assertThat(waiting.isDone()).isFalse();
        }
    }

    @Test
    void twoHundredConnectionsAtOnceAllAgreeOnIt() throws Exception {
        SSLContext client = TlsContext.of(null, trust);
        try (Server serving = new Server(TlsContext.of(keys, null));
                TlsRelay relay = new TlsRelay(serving.port());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<SSLSession>> all = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                all.add(threads.submit(() -> session(client, relay.port(), "localhost")));
            }
            for (Future<SSLSession> one : all) {
                assertThat(one.get(60, TimeUnit.SECONDS).getProtocol()).isEqualTo("TLSv1.3");
            }
            assertThat(relay.groups()).hasSize(200).containsOnly(TlsRelay.HYBRID);
        }
    }

    @Test
    void applicationProtocolIsAgreedOn() throws Exception {
        for (SSLContext server : List.of(TlsContext.of(keys, null), classical(keys, null))) {
            try (SSLServerSocket listening = (SSLServerSocket)
                    server.getServerSocketFactory().createServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
                SSLParameters offered = listening.getSSLParameters();
                offered.setApplicationProtocols(new String[] {"h2", "http/1.1"});
                listening.setSSLParameters(offered);
                Thread.ofVirtual().start(() -> {
                    try (SSLSocket one = (SSLSocket) listening.accept()) {
                        one.startHandshake();
                        one.getInputStream().read();
                    } catch (IOException e) {
                        // the client says it
                    }
                });
                Socket raw = new Socket(InetAddress.getLoopbackAddress(), listening.getLocalPort());
                try (SSLSocket socket = (SSLSocket) TlsContext.of(null, trust)
                        .getSocketFactory()
                        .createSocket(raw, "localhost", listening.getLocalPort(), true)) {
                    SSLParameters wanted = socket.getSSLParameters();
                    wanted.setApplicationProtocols(new String[] {"h2", "http/1.1"});
                    socket.setSSLParameters(wanted);
                    socket.startHandshake();
                    assertThat(socket.getApplicationProtocol()).isEqualTo("h2");
                }
            }
        }
    }

    /** Changes of a ClientHello on its way. */
    private static final class ClientHello {
        private ClientHello() {}

        static byte[] withNoise(byte[] record) {
            byte[] noise = record.clone();
            for (int i = 60; i < noise.length; i += 3) {
                noise[i] ^= 0x55;
            }
            return noise;
        }

        /** The same, but for the hybrid group in supported_groups and its key share. */
        static byte[] withoutHybridGroup(byte[] record) {
            ByteBuffer in = ByteBuffer.wrap(record);
            var out = new ByteArrayOutputStream();
            take(in, out, 5 + 4 + 2 + 32);
            take(in, out, 1 + (in.get(in.position()) & 0xFF));
            take(in, out, 2 + (in.getShort(in.position()) & 0xFFFF));
            take(in, out, 1 + (in.get(in.position()) & 0xFF));
            in.getShort();
            var extensions = new ByteArrayOutputStream();
            while (in.hasRemaining()) {
                int type = in.getShort();
                byte[] content = new byte[in.getShort() & 0xFFFF];
                in.get(content);
                byte[] kept = type == 10 ? groups(content) : type == 51 ? shares(content) : content;
                number(extensions, type);
                number(extensions, kept.length);
                extensions.writeBytes(kept);
            }
            number(out, extensions.size());
            out.writeBytes(extensions.toByteArray());
            byte[] changed = out.toByteArray();
            ByteBuffer.wrap(changed).putShort(3, (short) (changed.length - 5));
            ByteBuffer.wrap(changed).putShort(7, (short) (changed.length - 9));
            return changed;
        }

        private static byte[] groups(byte[] content) {
            ByteBuffer in = ByteBuffer.wrap(content, 2, content.length - 2);
            var kept = new ByteArrayOutputStream();
            while (in.hasRemaining()) {
                int group = in.getShort() & 0xFFFF;
                if (group != TlsRelay.HYBRID) {
                    number(kept, group);
                }
            }
            return counted(kept);
        }

        private static byte[] shares(byte[] content) {
            ByteBuffer in = ByteBuffer.wrap(content, 2, content.length - 2);
            var kept = new ByteArrayOutputStream();
            while (in.hasRemaining()) {
                int group = in.getShort() & 0xFFFF;
                byte[] share = new byte[in.getShort() & 0xFFFF];
                in.get(share);
                if (group != TlsRelay.HYBRID) {
                    number(kept, group);
                    number(kept, share.length);
                    kept.writeBytes(share);
                }
            }
            return counted(kept);
        }

        private static byte[] counted(ByteArrayOutputStream content) {
            var out = new ByteArrayOutputStream();
            number(out, content.size());
            out.writeBytes(content.toByteArray());
            return out.toByteArray();
        }

        private static void take(ByteBuffer in, ByteArrayOutputStream out, int bytes) {
            byte[] taken = new byte[bytes];
            in.get(taken);
            out.writeBytes(taken);
        }

        private static void number(ByteArrayOutputStream out, int value) {
            out.write(value >> 8);
            out.write(value);
        }
    }
}
