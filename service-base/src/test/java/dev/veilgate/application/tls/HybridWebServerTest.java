package dev.veilgate.application.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.testing.BrokenConnections;
import dev.veilgate.testing.TlsRelay;
import dev.veilgate.transport.TlsContext;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.Http2;
import org.springframework.boot.web.server.Ssl;
import org.springframework.boot.web.server.WebServer;

@Timeout(120)
class HybridWebServerTest {
    @TempDir
    private static Path folder;

    private static final DefaultSslBundleRegistry BUNDLES = new DefaultSslBundleRegistry();
    private static final AtomicReference<WebCertificate> SHOWN = new AtomicReference<>();
    private static WebServer server;

    @BeforeAll
    static void start() throws Exception {
        SHOWN.set(certificate("first"));
        BUNDLES.registerBundle("web", bundle(SHOWN.get().store()));
        TomcatServletWebServerFactory factory = new TomcatServletWebServerFactory(0);
        factory.setAddress(InetAddress.getLoopbackAddress());
        factory.setSsl(Ssl.forBundle("web"));
        factory.setSslBundles(BUNDLES);
        Http2 http2 = new Http2();
        http2.setEnabled(true);
        factory.setHttp2(http2);
        new HybridWebServer().customize(factory);
        server = factory.getWebServer();
        server.start();
    }

    @AfterAll
    static void stop() {
        server.stop();
        server.destroy();
    }

    private static SslBundle bundle(KeyStore store) {
        return SslBundle.of(SslStoreBundle.of(store, WebCertificate.PASSWORD, null));
    }

    private static WebCertificate certificate(String name) throws Exception {
        return WebCertificate.make(folder.resolve(name + ".p12"), name);
    }

    private static TrustManager[] trusting() throws Exception {
        return SHOWN.get().trusting();
    }

    private static SSLContext older() throws Exception {
        return SHOWN.get().client();
    }

    private static HttpResponse<String> get(SSLContext tls, HttpClient.Version version, String host, int port)
            throws Exception {
        try (HttpClient client = HttpClient.newBuilder()
                .sslContext(tls)
                .version(version)
                .connectTimeout(Duration.ofSeconds(20))
                .build()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create("https://" + host + ":" + port + "/none"))
                            .timeout(Duration.ofSeconds(20))
                            .build(),
                    BodyHandlers.ofString());
        }
    }

    @Test
    void clientOfOursAgreesOnTheHybridGroup() throws Exception {
        try (TlsRelay relay = new TlsRelay(server.getPort())) {
            SSLContext ours = TlsContext.of(null, trusting());
            HttpResponse<String> answer = get(ours, HttpClient.Version.HTTP_1_1, "localhost", relay.port());
            assertThat(answer.statusCode()).isEqualTo(404);
            assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_1_1);
            assertThat(relay.groups()).containsExactly(TlsRelay.HYBRID);
        }
    }

    @Test
    void applicationProtocolIsAgreedOnAsBefore() throws Exception {
        for (SSLContext tls : new SSLContext[] {TlsContext.of(null, trusting()), older()}) {
            for (HttpClient.Version version : HttpClient.Version.values()) {
                if (version.name().equals("HTTP_3")) {
                    continue; // not over TCP
                }
                assertThat(get(tls, version, "localhost", server.getPort()).version())
                        .isEqualTo(version);
            }
        }
    }

    @Test
    void olderClientConnectsByX25519() throws Exception {
        try (TlsRelay relay = new TlsRelay(server.getPort())) {
            assertThat(get(older(), HttpClient.Version.HTTP_1_1, "localhost", relay.port())
                            .statusCode())
                    .isEqualTo(404);
            assertThat(relay.groups()).containsExactly(TlsRelay.X25519);
        }
    }

    @Test
    void clientOfOursRefusesAnotherNameAndAnotherAuthority() throws Exception {
        SSLContext ours = TlsContext.of(null, trusting());
        assertThatThrownBy(() -> get(ours, HttpClient.Version.HTTP_1_1, "127.0.0.1", server.getPort()))
                .isInstanceOf(SSLException.class);
        assertThatThrownBy(() -> get(TlsContext.machine(), HttpClient.Version.HTTP_1_1, "localhost", server.getPort()))
                .isInstanceOf(SSLException.class);
    }

    /** Attack: connections that break off, so that the descriptors of the process are used up. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void brokenConnectionsLeaveNoFileDescriptors() throws Exception {
        SSLContext older = older();
        System.gc();
        int before = BrokenConnections.descriptors();
        BrokenConnections.open(server.getPort(), 2000);
        for (int i = 0; i < 200; i++) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.getPort())) {
                socket.getOutputStream().write(new byte[300]); // no ClientHello
                socket.getInputStream().read();
            } catch (SocketException e) {
                // reset by the server
            }
            Socket reset = new Socket(InetAddress.getLoopbackAddress(), server.getPort());
            reset.setSoLinger(true, 0);
            ((SSLSocket) older.getSocketFactory().createSocket(reset, "localhost", server.getPort(), false))
                    .startHandshake();
            reset.close();
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.getPort())) {
                socket.getOutputStream().write(new byte[] {22, 3, 1, 2, 0, 1, 0});
            }
        }
        assertThat(BrokenConnections.descriptorsBelow(before + 50)).isLessThan(before + 50);
    }

    @Test
    void renewedCertificateIsShownWithTheHybridGroup() throws Exception {
        SHOWN.set(certificate("second"));
        BUNDLES.updateBundle("web", bundle(SHOWN.get().store()));
        try (TlsRelay relay = new TlsRelay(server.getPort())) {
            SSLContext ours = TlsContext.of(null, trusting());
            HttpResponse<String> answer = get(ours, HttpClient.Version.HTTP_1_1, "localhost", relay.port());
            Certificate shown = answer.sslSession().orElseThrow().getPeerCertificates()[0];
            assertThat(shown).isEqualTo(SHOWN.get().store().getCertificate("server"));
            assertThat(relay.groups()).containsExactly(TlsRelay.HYBRID);
        }
    }
}
