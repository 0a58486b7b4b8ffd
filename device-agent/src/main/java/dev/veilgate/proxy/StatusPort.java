package dev.veilgate.proxy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Answers /health (200 or 503) and /metrics on loopback. */
final class StatusPort implements AutoCloseable {
    private final HttpServer server;

    StatusPort(int port, BooleanSupplier healthy, Supplier<String> metrics) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/health", exchange -> {
            boolean good = healthy.getAsBoolean();
            answer(exchange, good ? 200 : 503, good ? "ok\n" : "not able to take mail\n");
        });
        server.createContext("/metrics", exchange -> answer(exchange, 200, metrics.get()));
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    private static void answer(HttpExchange exchange, int code, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
        exchange.sendResponseHeaders(code, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
