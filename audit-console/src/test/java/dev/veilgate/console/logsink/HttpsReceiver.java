package dev.veilgate.console.logsink;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Receiver of JSON lines, which drops repeats by the Idempotency-Key alone, and fails as it is told. */
final class HttpsReceiver implements AutoCloseable {
    /** Fault of one request. */
    enum Fault {
        /** Takes it, and closes without an answer. */
        ANSWER_LOST(0),
        UNAVAILABLE(500),
        /** Asks to wait a second. */
        TOO_MANY(429),
        TOO_LARGE(413);

        private final int status;

        Fault(int status) {
            this.status = status;
        }
    }

    private final HttpsServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final List<String> keys = new CopyOnWriteArrayList<>();
    private final List<String> tokens = new CopyOnWriteArrayList<>();
    private final List<Fault> faults = new CopyOnWriteArrayList<>();
    private final Set<String> seen = new HashSet<>();

    HttpsReceiver(SSLContext tls) throws IOException {
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        server.setExecutor(threads);
        server.createContext("/log", this::take);
        server.start();
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
            keys.add(key);
            tokens.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
            Fault fault = faults.isEmpty() ? null : faults.removeFirst();
            if (fault != null && fault != Fault.ANSWER_LOST) {
                if (fault == Fault.TOO_MANY) {
                    exchange.getResponseHeaders().set("Retry-After", "1");
                }
                exchange.sendResponseHeaders(fault.status, -1);
                return;
            }
            synchronized (seen) {
                if (seen.add(key)) {
                    body.lines().forEach(lines::add);
                }
            }
            if (fault == null) {
                exchange.sendResponseHeaders(204, -1);
            }
        }
    }

    SinkSettings.Https settings(@Nullable Path token, boolean keywords) {
        URI url = URI.create("https://localhost:" + server.getAddress().getPort() + "/log");
        return new SinkSettings.Https(url, token, false, keywords);
    }

    /** Has the next requests fail so, one after the other. */
    void fail(Fault... next) {
        faults.addAll(List.of(next));
    }

    /** Lines that were kept. */
    List<String> lines() {
        return new ArrayList<>(lines);
    }

    List<String> keys() {
        return new ArrayList<>(keys);
    }

    List<String> tokens() {
        return new ArrayList<>(tokens);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
