package dev.veilgate.agent;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** {@code /health} and {@code /metrics} for this machine only. */
final class Monitor implements AutoCloseable {
    private final HttpServer server;

    private Monitor(HttpServer server) {
        this.server = server;
    }

    static Monitor start(int port, HealthReport report) throws IOException {
        InetAddress local = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        HttpServer server = HttpServer.create(new InetSocketAddress(local, port), 16);
        server.createContext("/health", exchange -> {
            int code = report.problems().isEmpty() ? 200 : 503;
            answer(exchange, "/health", code, "application/json", report.json());
        });
        server.createContext(
                "/metrics",
                exchange -> answer(exchange, "/metrics", 200, "text/plain; version=0.0.4", report.metrics()));
        server.start();
        return new Monitor(server);
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
