package dev.veilgate.application.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.application.tls.HybridWebServer;
import dev.veilgate.application.tls.WebCertificate;
import dev.veilgate.testing.BrokenConnections;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.net.ssl.SSLContext;
import org.apache.catalina.valves.RemoteIpValve;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.Http2;
import org.springframework.boot.web.server.Ssl;
import org.springframework.boot.web.server.WebServer;

/** The limit in Tomcat as the services have it, with HTTP/2. */
class HttpConnectionsTest extends ConnectionLimitContract {
    private static final String CLIENT = "127.0.0.4";

    @TempDir
    private static Path folder;

    private static WebCertificate certificate;
    private static final HttpConnections CONNECTIONS = new HttpConnections(rules());
    private static final AtomicInteger WAITING = new AtomicInteger();
    private static final Semaphore ANSWERS = new Semaphore(0);
    private static WebServer server;

    /** A request that is answered when the test says so. */
    private static final class Waiting extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            if (request.getQueryString() == null) {
                await(response);
                return;
            }
            request.startAsync();
            Thread.ofVirtual().start(() -> {
                await(response);
                request.getAsyncContext().complete();
            });
        }

        private static void await(HttpServletResponse response) {
            WAITING.incrementAndGet();
            ANSWERS.acquireUninterruptibly();
            WAITING.decrementAndGet();
            response.setStatus(204);
        }
    }

    @BeforeAll
    static void start() throws Exception {
        certificate = WebCertificate.make(folder.resolve("server.p12"), "server");
        server = start(CONNECTIONS, InetAddress.getLoopbackAddress());
    }

    @AfterAll
    static void stop() {
        server.stop();
        server.destroy();
    }

    @AfterEach
    void answerWhatStillWaits() throws InterruptedException {
        ANSWERS.release(WAITING.get());
        await(() -> WAITING.get() == 0);
        ANSWERS.drainPermits();
    }

    private static WebServer start(HttpConnections connections, InetAddress address) {
        DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry();
        bundles.registerBundle(
                "web", SslBundle.of(SslStoreBundle.of(certificate.store(), WebCertificate.PASSWORD, null)));
        TomcatServletWebServerFactory factory = new TomcatServletWebServerFactory(0);
        factory.setAddress(address);
        factory.setSsl(Ssl.forBundle("web"));
        factory.setSslBundles(bundles);
        Http2 http2 = new Http2();
        http2.setEnabled(true);
        factory.setHttp2(http2);
        RemoteIpValve proxies = new RemoteIpValve();
        proxies.setInternalProxies(PROXY.replace(".", "\\."));
        factory.addEngineValves(proxies);
        factory.addConnectorCustomizers(connector -> connector.setProperty("maxConnections", String.valueOf(MOST)));
        new HybridWebServer().customize(factory);
        connections.customize(factory);
        WebServer made = factory.getWebServer(context -> {
            var waiting = context.addServlet("waiting", new Waiting());
            waiting.setAsyncSupported(true);
            waiting.addMapping("/wait");
        });
        made.start();
        return made;
    }

    @Override
    protected int port() {
        return server.getPort();
    }

    @Override
    protected HttpConnections connections() {
        return CONNECTIONS;
    }

    @Override
    protected SSLContext tls() {
        try {
            return certificate.client();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private TestClient client() throws Exception {
        return TestClient.connect(CLIENT, port()).secure(tls().getSocketFactory());
    }

    private static void close(List<TestClient> clients) throws Exception {
        for (TestClient client : clients) {
            client.close();
        }
    }

    /** A request in progress, also one that holds no thread, is no reason to be closed; the new connection is. */
    @Test
    void connectionsInARequestAreKeptAndTheNewOneIsRefused() throws Exception {
        double before = closed("refused");
        List<TestClient> busy = new ArrayList<>();
        try {
            for (int i = 0; i < LIMIT; i++) {
                TestClient client = client();
                busy.add(client);
                client.ask(i % 2 == 0 ? "/wait" : "/wait?async");
            }
            await(() -> WAITING.get() == LIMIT);
            try (TestClient refused = TestClient.connect(CLIENT, port())) {
                refused.requireClosed();
            }
            assertThat(closed("refused")).isEqualTo(before + 1);
            ANSWERS.release(LIMIT);
            for (TestClient client : busy) {
                assertThat(client.status()).isEqualTo(204);
            }
        } finally {
            close(busy);
        }
    }

    /** Longer than a header may take. */
    @Test
    void requestInProgressMayTakeItsTime() throws Exception {
        try (TestClient slow = client();
                TestClient silent = client()) {
            slow.ask("/wait?async");
            await(() -> WAITING.get() == 1);
            silent.requireClosed(); // the time of a header is over, for one that began after it
            ANSWERS.release();
            assertThat(slow.status()).isEqualTo(204);
        }
    }

    @Test
    void clientOfHttp2KeepsItsConnection() throws Exception {
        try (HttpClient client = HttpClient.newBuilder()
                .sslContext(tls())
                .version(HttpClient.Version.HTTP_2)
                .localAddress(InetAddress.getByName(CLIENT))
                .build()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("https://localhost:" + port() + "/wait"))
                    .build();
            CompletableFuture<HttpResponse<Void>> answer = client.sendAsync(request, BodyHandlers.discarding());
            await(() -> WAITING.get() == 1);
            List<TestClient> others = new ArrayList<>();
            try {
                for (int i = 0; i < 2 * LIMIT; i++) {
                    others.add(TestClient.connect(CLIENT, port()));
                }
                others.getFirst().requireClosed();
            } finally {
                close(others);
            }
            ANSWERS.release();
            assertThat(answer.get().statusCode()).isEqualTo(204);
            assertThat(answer.get().version()).isEqualTo(HttpClient.Version.HTTP_2);
        }
    }

    /** Attack: so many connections of one address that Tomcat has not looked at those that are closed for others. */
    @Test
    void floodOfOneAddressWritesNoErrorsOfTomcat() throws Exception {
        List<String> errors = Collections.synchronizedList(new ArrayList<>());
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord entry) {
                if (entry.getLevel().intValue() >= Level.WARNING.intValue()) {
                    errors.add(entry.getMessage());
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger log = Logger.getLogger("org.apache.tomcat.util.net");
        log.addHandler(handler);
        double before = closed("displaced");
        List<TestClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 5000; i++) {
                clients.add(TestClient.connect(CLIENT, port()));
                if (clients.size() > 3 * LIMIT) {
                    clients.removeFirst().close();
                }
            }
            await(() -> closed("displaced") > before);
        } finally {
            close(clients);
        }
        awaitNobody();
        log.removeHandler(handler);
        assertThat(errors).isEmpty();
    }

    /** Attack: connections that end as they are accepted, so that one stays counted and its address is shut out. */
    @Test
    void noConnectionThatEndsStaysCounted() throws Exception {
        for (int i = 0; i < 3_000; i++) {
            BrokenConnections.reset(InetAddress.getByName("127.0.1." + (1 + i % 50)), port());
        }
        awaitNobody();
        assertThat(CONNECTIONS.addresses()).isZero();
    }

    /** The address of the client is 16 bytes there, of which the first 8 are the same for all of IPv4. */
    @Test
    void clientsOfIpv4AreToldApartWhereTheServerListensForIpv6() throws Exception {
        HttpConnections both = new HttpConnections(rules());
        WebServer wide = start(both, InetAddress.getByName("::"));
        List<TestClient> clients = new ArrayList<>();
        try {
            for (String from : new String[] {"127.0.0.5", "127.0.0.6", PROXY}) {
                clients.add(TestClient.connect(from, wide.getPort()));
            }
            await(() -> both.size() == clients.size());
            assertThat(both.addresses()).as("without the proxy").isEqualTo(2);
        } finally {
            close(clients);
            wide.stop();
            wide.destroy();
        }
    }

    @Test
    void nothingIsCountedAfterAStop() throws Exception {
        HttpConnections other = new HttpConnections(new ConnectionRules(LIMIT, Duration.ofHours(1), address -> false));
        WebServer stopped = start(other, InetAddress.getLoopbackAddress());
        List<TestClient> held = new ArrayList<>();
        try {
            for (int i = 0; i < LIMIT; i++) {
                held.add(TestClient.connect(CLIENT, stopped.getPort()));
            }
            await(() -> other.size() == LIMIT);
            held.getFirst().secure(tls().getSocketFactory());
            CompletableFuture<Object> graceful = new CompletableFuture<>();
            stopped.shutDownGracefully(graceful::complete);
            graceful.get();
            stopped.stop();
            assertThat(other.size()).isZero();
            assertThat(other.addresses()).isZero();
        } finally {
            close(held);
            stopped.destroy();
        }
    }
}
