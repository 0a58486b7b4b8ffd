package dev.veilgate.service;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** {@code /health} (200, or 503 if there is a problem) and {@code /metrics}, for this machine only. */
public final class Monitor implements AutoCloseable {
    private final HttpServer server;

    /** What is asked of a service. Called by the monitor's thread. */
    public interface Subject {
        /** How it is. */
        Health health();

        /** Numbers, in the text format of Prometheus. */
        String metrics();
    }

    private Monitor(HttpServer server) {
        this.server = server;
    }

    /**
     * Begins to answer on 127.0.0.1.
     *
     * @param port 0 takes a free one
     */
    public static Monitor start(int port, Subject subject) throws IOException {
        InetAddress local = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        HttpServer server = HttpServer.create(new InetSocketAddress(local, port), 16);
        server.createContext("/health", exchange -> {
            Health health = subject.health();
            answer(exchange, "/health", health.isGood() ? 200 : 503, "application/json", health.json());
        });
        server.createContext(
                "/metrics",
                exchange -> answer(exchange, "/metrics", 200, "text/plain; version=0.0.4", subject.metrics()));
        server.start();
        return new Monitor(server);
    }

    /** Where it answers. */
    public int port() {
        return server.getAddress().getPort();
    }

    private static void answer(HttpExchange exchange, String path, int code, String type, String text)
            throws IOException {
        try (exchange) {
            boolean found = exchange.getRequestURI().getPath().equals(path);
            boolean get = exchange.getRequestMethod().equals("GET");
            byte[] body = found && get ? text.getBytes(StandardCharsets.UTF_8) : new byte[0];
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(!found ? 404 : !get ? 405 : code, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
