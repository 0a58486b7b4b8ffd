package dev.veilgate.sender;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** A console's address of the bundle. */
public final class BundleServer implements AutoCloseable {
    /** What it answers. */
    public volatile byte[] bundle = new byte[0];

    volatile int status = 200;
    volatile boolean tags = true;
    final AtomicInteger asked = new AtomicInteger();
    final AtomicInteger unchanged = new AtomicInteger();
    private final HttpServer server;
    private final String scheme;

    /** On this machine. */
    public BundleServer() throws IOException {
        this(0, null);
    }

    BundleServer(int port, @Nullable SSLContext tls) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        if (tls == null) {
            server = HttpServer.create(address, 0);
            scheme = "http";
        } else {
            HttpsServer secure = HttpsServer.create(address, 0);
            secure.setHttpsConfigurator(new HttpsConfigurator(tls));
            server = secure;
            scheme = "https";
        }
        server.createContext("/bundle", this::answer);
        server.start();
    }

    private void answer(HttpExchange exchange) throws IOException {
        asked.incrementAndGet();
        byte[] now = bundle;
        String tag = '"' + HexFormat.of().toHexDigits(java.util.Arrays.hashCode(now)) + '"';
        if (tags) {
            exchange.getResponseHeaders().set("ETag", tag);
        }
        if (status == 302) {
            exchange.getResponseHeaders().set("Location", "/elsewhere");
        }
        if (status == 200 && tag.equals(exchange.getRequestHeaders().getFirst("If-None-Match"))) {
            unchanged.incrementAndGet();
            exchange.sendResponseHeaders(304, -1);
        } else {
            exchange.sendResponseHeaders(status, now.length == 0 ? -1 : now.length);
            try {
                exchange.getResponseBody().write(now);
            } catch (IOException e) {
                // whoever asked has had enough
            }
        }
        exchange.close();
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** Its address. */
    public String url() {
        return scheme + "://localhost:" + port() + "/bundle";
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
