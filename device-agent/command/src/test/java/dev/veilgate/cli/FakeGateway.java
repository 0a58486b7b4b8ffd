package dev.veilgate.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.veilgate.encoding.CborSequence;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.TransformAnswer;
import dev.veilgate.envelope.TransformRequest;
import dev.veilgate.envelope.WrapTransformer;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.query.IndexAdmission;
import dev.veilgate.query.PreparedSearch;
import dev.veilgate.query.SearchRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The gateway's HTTP interface over real sockets, as far as commands use it, with real Tests of real envelopes; and
 * what can go wrong there.
 */
final class FakeGateway implements AutoCloseable {
    static final String TOKEN = "t0ken";

    final Map<UUID, byte[]> envelopes = new LinkedHashMap<>();
    final Map<UUID, byte[]> contents = new ConcurrentHashMap<>();
    final Map<UUID, byte[]> swapped = new ConcurrentHashMap<>();
    /** Envelopes whose ids others have, too. */
    final List<byte[]> others = new CopyOnWriteArrayList<>();

    /** Whether hits name digests, by which envelopes are then asked for; gateways of before do not. */
    boolean namesDigests;

    final Map<String, String> routes = new TreeMap<>();

    /** Whether routes are told with their rules; gateways of before do not. */
    boolean saysRules;

    /** Whether the tenant has later rules than 1. */
    boolean hasLaterRules;

    final List<String> requests = new CopyOnWriteArrayList<>();
    final Set<String> removed = ConcurrentHashMap.newKeySet();
    final CountDownLatch firstHit = new CountDownLatch(1);
    String senders = "[]";

    /** Rules by which senders were seen to seal; empty for a gateway of before, which does not say. */
    String rules = "";

    String outcome = "complete";
    int failFetches;
    /** Hits after which a connection is cut; 0: never. */
    int cutAfter;
    /** Whether its hits are none that anybody can read. */
    boolean spoilsHits;
    /** Whether a search goes on until it is removed. */
    boolean endless;
    /** Status that requests for transformations are refused with; 0: they are answered. */
    int refuseTransforms;
    /** What becomes of the answers to them. */
    UnaryOperator<List<TransformAnswer>> transformed = UnaryOperator.identity();

    final List<TransformRequest> transforms = new CopyOnWriteArrayList<>();

    private final Map<String, SearchRequest> searches = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server;
    private final String scheme;

    FakeGateway() throws IOException {
        this(null);
    }

    FakeGateway(@Nullable SSLContext tls) throws IOException {
        InetSocketAddress local = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        scheme = tls == null ? "http" : "https";
        if (tls == null) {
            server = HttpServer.create(local, 0);
        } else {
            HttpsServer https = HttpsServer.create(local, 0);
            https.setHttpsConfigurator(new HttpsConfigurator(tls));
            server = https;
        }
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    String url() {
        return scheme + "://localhost:" + server.getAddress().getPort();
    }

    /** Stores the envelopes of a file. */
    void store(Path file) throws Exception {
        try (InputStream in = Files.newInputStream(file)) {
            CborSequence sequence = new CborSequence("envelope", in, Envelope.MAX_BYTES);
            for (Optional<byte[]> next = sequence.next(); next.isPresent(); next = sequence.next()) {
                envelopes.put(Envelope.decode(next.get()).id(), next.get());
            }
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getRawPath();
            String asked = exchange.getRequestMethod() + " " + path;
            String after = exchange.getRequestHeaders().getFirst("Last-Event-ID");
            requests.add(asked + (after == null ? "" : " after " + after));
            byte[] body = exchange.getRequestBody().readAllBytes();
            if (!("Bearer " + TOKEN).equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
                problem(exchange, 401, "a bearer token is needed");
            } else if (!path.startsWith("/v1/tenants/acme/")) {
                problem(exchange, 404, "the tenant is not known here");
            } else {
                String[] parts = path.substring("/v1/tenants/acme/".length()).split("/");
                switch (exchange.getRequestMethod() + " " + parts[0] + (parts.length > 2 ? " " + parts[2] : "")) {
                    case "POST searches" -> start(exchange, body);
                    case "POST transforms" -> transform(exchange, body);
                    case "GET searches events" -> events(exchange, parts[1], after == null ? 0 : Long.parseLong(after));
                    case "DELETE searches" -> {
                        removed.add(parts[1]);
                        send(exchange, 204, "text/plain", new byte[0]);
                    }
                    case "GET envelopes" -> fetch(exchange, UUID.fromString(parts[1]), envelopes);
                    case "GET envelopes content" -> fetch(exchange, UUID.fromString(parts[1]), contents);
                    case "PUT routes" -> putRoute(exchange, parts[1], new String(body, StandardCharsets.UTF_8));
                    case "GET routes" -> json(exchange, 200, "[" + String.join(",", routes.values()) + "]");
                    case "DELETE routes" -> {
                        if (routes.remove(parts[1]) == null) {
                            problem(exchange, 404, "the route is not known here");
                        } else {
                            send(exchange, 204, "text/plain", new byte[0]);
                        }
                    }
                    case "GET senders" -> json(exchange, 200, senders);
                    case "GET rules" -> {
                        if (rules.isEmpty()) {
                            problem(exchange, 404, "nothing is there");
                        } else {
                            json(exchange, 200, rules);
                        }
                    }
                    default -> problem(exchange, 404, "nothing is there");
                }
            }
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    private void start(HttpExchange exchange, byte[] body) throws Exception {
        if (!SearchRequest.MEDIA_TYPE.equals(exchange.getRequestHeaders().getFirst("Content-Type"))) {
            problem(exchange, 415, "must be a search");
            return;
        }
        String id = UUID.randomUUID().toString();
        searches.put(id, SearchRequest.decode(body));
        exchange.getResponseHeaders().add("Location", "/v1/tenants/acme/searches/" + id);
        json(exchange, 201, "{\"id\":\"" + id + "\"}");
    }

    private void transform(HttpExchange exchange, byte[] body) throws Exception {
        if (refuseTransforms != 0) {
            problem(exchange, refuseTransforms, "not here");
            return;
        }
        TransformRequest request = TransformRequest.decode(body);
        transforms.add(request);
        WrapTransformer transformer = WrapTransformer.of(request);
        List<TransformAnswer> answers = new ArrayList<>();
        for (TransformRequest.Place place : request.places()) {
            byte[] envelope = envelopes.get(place.envelope());
            answers.add(
                    !transformer.mayFind()
                            ? TransformAnswer.Refusal.LATER
                            : envelope == null
                                    ? TransformAnswer.Refusal.NOT_FOUND
                                    : transformer.transform(Envelope.decode(envelope), place.wrap()));
        }
        send(exchange, 200, TransformAnswer.MEDIA_TYPE, TransformAnswer.encode(transformed.apply(answers)));
    }

    private void events(HttpExchange exchange, String id, long after) throws Exception {
        exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        PreparedSearch search = PreparedSearch.of(searches.get(id), IndexSchemes.load());
        OutputStream out = exchange.getResponseBody();
        long hits = 0;
        long records = 0;
        write(out, ": hello\n\n");
        List<byte[]> all = new ArrayList<>(envelopes.values());
        all.addAll(others);
        for (byte[] bytes : all) {
            Envelope envelope = Envelope.decode(bytes);
            RecordSet found = search.match(envelope, IndexAdmission.trust(envelope, IndexSchemes.load()));
            if (found.isEmpty()) {
                continue;
            }
            hits++;
            records += found.size();
            if (hits > after) {
                String hit = spoilsHits ? "{}" : hit(envelope, found);
                write(out, "event: progress\ndata: {" + progress(hits, hits, records) + "}\n\n");
                write(out, "id: " + hits + "\nevent: hit\ndata: " + hit + "\n\n");
                firstHit.countDown();
                if (hits == cutAfter) {
                    return;
                }
            }
            write(out, "event: progress\r\ndata: {" + progress(hits, hits, records) + "}\r\n\r\n");
        }
        while (endless && !removed.contains(id)) {
            write(out, ": alive\n\n");
            TimeUnit.MILLISECONDS.sleep(20);
        }
        write(
                out,
                "event: end\ndata: {" + progress(envelopes.size(), hits, records) + ",\ndata: \"outcome\":\"" + outcome
                        + "\",\"millis\":12}\n\n");
    }

    private String hit(Envelope envelope, RecordSet found) {
        Map<String, Object> hit = new LinkedHashMap<>(Map.of(
                "envelope", envelope.id().toString(),
                "sender", envelope.sender(),
                "sequence", envelope.sequence(),
                "first", envelope.first().toString(),
                "last", envelope.last().toString(),
                "detached", envelope.detachedDigest().isPresent(),
                "records", found.ordinals().boxed().toList()));
        if (namesDigests) {
            hit.put("digest", digest(envelope));
        }
        return Json.of(hit);
    }

    private static String digest(Envelope envelope) {
        return HexFormat.of().formatHex(envelope.digest());
    }

    /** The one of an id whose digest is asked for. */
    private byte @Nullable [] named(UUID id, String query) throws Exception {
        List<byte[]> all = new ArrayList<>(envelopes.values());
        all.addAll(others);
        for (byte[] bytes : all) {
            Envelope envelope = Envelope.decode(bytes);
            if (envelope.id().equals(id) && query.equals("digest=" + digest(envelope))) {
                return bytes;
            }
        }
        return null;
    }

    private String progress(long done, long hits, long records) {
        return "\"envelopes\":" + envelopes.size() + ",\"envelopesDone\":" + done + ",\"blocksTested\":" + done
                + ",\"blocksRemembered\":0,\"hits\":" + hits + ",\"records\":" + records;
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    private synchronized void fetch(HttpExchange exchange, UUID id, Map<UUID, byte[]> from) throws Exception {
        if (failFetches > 0) {
            failFetches--;
            problem(exchange, 503, "busy");
            return;
        }
        String query = exchange.getRequestURI().getQuery();
        byte[] found = from == envelopes && query != null ? named(id, query) : from.get(id);
        if (from == envelopes && swapped.containsKey(id)) {
            found = swapped.get(id);
        }
        if (found == null) {
            problem(exchange, 404, "the envelope is not known here");
        } else {
            send(exchange, 200, "application/octet-stream", found);
        }
    }

    private void putRoute(HttpExchange exchange, String name, String json) throws IOException {
        boolean webhook = json.contains("\"type\":\"webhook\"");
        String action = json.substring(json.indexOf("\"action\":"), json.indexOf('}') + 1);
        String rules = saysRules ? rules(json) : "";
        routes.put(
                name, "{\"name\":\"" + name + "\"," + action + rules + ",\"lastEpochEnds\":\"2027-01-01T00:00:00Z\"}");
        requests.add(json);
        String secret = webhook ? "\"secret\":\"s3cret\"," : "";
        json(exchange, 201, "{" + secret + "\"lastEpochEnds\":\"2027-01-01T00:00:00Z\"}");
    }

    private String rules(String json) {
        int at = json.indexOf("\"rules\":");
        String rules = at < 0 ? "[1]" : json.substring(json.indexOf('[', at), json.indexOf(']', at) + 1);
        boolean isFormer = hasLaterRules && rules.equals("[1]");
        return ",\"rules\":" + rules + ",\"formerRules\":" + isFormer;
    }

    private static void problem(HttpExchange exchange, int status, String detail) throws IOException {
        String json = "{\"type\":\"urn:veilgate:problem:x\",\"status\":" + status + ",\"detail\":\"" + detail + "\"}";
        send(exchange, status, "application/problem+json", json.getBytes(StandardCharsets.UTF_8));
    }

    private static void json(HttpExchange exchange, int status, String json) throws IOException {
        send(exchange, status, "application/json", json.getBytes(StandardCharsets.UTF_8));
    }

    private static void send(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().add("Content-Type", type);
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
    }

    /** Requests of a method. */
    List<String> asked(String method) {
        List<String> found = new ArrayList<>(requests);
        found.removeIf(request -> !request.startsWith(method + " "));
        return found;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
