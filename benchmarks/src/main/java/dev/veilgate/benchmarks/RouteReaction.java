package dev.veilgate.benchmarks;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.veilgate.benchmarks.SealedSet.Mail;
import dev.veilgate.benchmarks.gateway.Gateway;
import dev.veilgate.benchmarks.gateway.Programs;
import dev.veilgate.benchmarks.gateway.RawMail;
import dev.veilgate.envelope.Envelope;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How long after a mail's acknowledgement the webhook of a route is called, with many other routes that find nothing. Mails come at a steady pace. */
final class RouteReaction {
    private static final int A_SECOND = 50;
    private static final Pattern ENVELOPE = Pattern.compile("\"envelope\":\"([0-9a-f-]{36})\"");
    private static final Pattern INDEX = Pattern.compile(
            "application/vnd\\.veilgate\\.index\\+cbor.*?\\r\\n\\r\\n([A-Za-z0-9+/=\\r\\n]+)", Pattern.DOTALL);

    private final SealedSet sealed;
    private final Gateway gateway;
    private final SealedSet.Size size;
    private final MailIngestion mails;
    private final Map<UUID, Long> called = new ConcurrentHashMap<>();

    RouteReaction(SealedSet sealed, Gateway gateway, SealedSet.Size size) throws Exception {
        this.sealed = sealed;
        this.gateway = gateway;
        this.size = size;
        this.mails = new MailIngestion(sealed, gateway);
    }

    List<String> rows(Programs programs) throws Exception {
        HttpServer pager = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        pager.createContext("/", this::call);
        pager.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        pager.start();
        try (RawMail connection = mails.connect()) {
            install(pager.getAddress().getPort());
            send(programs, connection, 0, size.mails()); // to warm up
            List<Double> millis = send(programs, connection, size.mails(), 2 * size.mails());
            String of = "%d calls of one route among %d; %d mails a second";
            return List.of(
                    GatewayFigures.row(
                            "acknowledgement to webhook p50",
                            millis.get(millis.size() / 2),
                            "ms",
                            "<= 1000",
                            of,
                            millis.size(),
                            size.routes(),
                            A_SECOND),
                    GatewayFigures.row(
                            "acknowledgement to webhook p99",
                            millis.get(millis.size() * 99 / 100),
                            "ms",
                            "<= 1000",
                            of,
                            millis.size(),
                            size.routes(),
                            A_SECOND));
        } finally {
            pager.stop(0);
        }
    }

    private void call(HttpExchange exchange) throws IOException {
        long now = System.nanoTime();
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            Matcher envelope = ENVELOPE.matcher(body);
            if (envelope.find()) {
                called.putIfAbsent(UUID.fromString(envelope.group(1)), now);
            }
            exchange.sendResponseHeaders(204, -1);
        }
    }

    private void install(int port) throws Exception {
        for (int i = 0; i < size.routes(); i++) {
            String search = Base64.getEncoder()
                    .encodeToString(Files.readAllBytes(sealed.folder().resolve("routes/" + i)));
            String json = "{\"search\":\"" + search
                    + "\",\"action\":{\"type\":\"webhook\",\"target\":\"http://127.0.0.1:" + port + "/\"}}";
            HttpResponse<byte[]> put = gateway.send(
                    HttpRequest.newBuilder(gateway.uri("/v1/tenants/" + SealedSet.TENANT + "/routes/r" + i))
                            .header("Content-Type", "application/json")
                            .PUT(HttpRequest.BodyPublishers.ofString(json)));
            if (put.statusCode() != 201) {
                throw new IOException("the route is refused: " + put.statusCode());
            }
        }
    }

    /** Milliseconds from acknowledgement to call, sorted. */
    private List<Double> send(Programs programs, RawMail connection, int from, int to) throws Exception {
        List<Mail> all = sealed.mails();
        Map<UUID, Long> acknowledged = new HashMap<>();
        long start = System.nanoTime();
        for (int i = from; i < to; i++) {
            Mail mail = all.get(i);
            long due = start + (i - from) * TimeUnit.SECONDS.toNanos(1) / A_SECOND;
            TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
            connection.send(MailIngestion.sender(i), SealedSet.MAILBOX, mail.bytes());
            if (mail.routed()) {
                acknowledged.put(id(mail.bytes()), System.nanoTime());
            }
        }
        programs.await("calls", () -> called.keySet().containsAll(acknowledged.keySet()));
        List<Double> millis = new ArrayList<>();
        acknowledged.forEach((id, at) -> millis.add((Objects.requireNonNull(called.get(id)) - at) / 1e6));
        millis.sort(null);
        return millis;
    }

    /** Of the envelope that a sealed mail's index is. */
    private static UUID id(byte[] mail) throws Exception {
        Matcher index = INDEX.matcher(new String(mail, StandardCharsets.ISO_8859_1));
        if (!index.find()) {
            throw new IOException("a mail without an index");
        }
        return Envelope.decode(Base64.getMimeDecoder().decode(index.group(1))).id();
    }
}
