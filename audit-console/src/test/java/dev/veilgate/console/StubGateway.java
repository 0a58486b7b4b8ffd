package dev.veilgate.console;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.veilgate.client.JsonObject;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.query.SearchRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Answers as a gateway does where no search is needed: status, senders, routes, access. It tests nothing; that the
 * console and a real one agree, the journeys show.
 */
public final class StubGateway {
    /** What was installed, by name. */
    public static final Map<String, SearchRequest> ROUTES = new ConcurrentSkipListMap<>();

    /** What they do, as JSON, by name. */
    private static final Map<String, String> ACTIONS = new ConcurrentSkipListMap<>();

    /** Rules of keywords, by which they were issued, by name; of others it says nothing, as gateways of before. */
    public static final Map<String, List<Integer>> ROUTE_RULES = new ConcurrentSkipListMap<>();

    /** Whether the tenant's bundle has later rules. */
    public static final AtomicBoolean LATER_RULES = new AtomicBoolean();

    /** Kind and name of who was given access. */
    public static final Set<String> ACCESS = new ConcurrentSkipListSet<>();

    /** What the gateway gives out. */
    public static final String SECRET = "vg_a-secret-of-the-gateway";

    /** A name that it refuses. */
    public static final String TAKEN = "another-tenants";

    /** Answers about searches and envelopes, for who needs that. */
    public static final AtomicReference<HttpHandler> SEARCHING = new AtomicReference<>(StubGateway::nothing);

    /** Figures over time, as JSON; null as at a gateway of before, which keeps none. */
    public static final AtomicReference<@Nullable String> FIGURES = new AtomicReference<>();

    private static final String STATUS =
            "{\"tenant\": \"acme\", \"version\": \"0.1.0\", \"postQuantum\": \"liboqs 0.13.0\", \"bundleSerial\": 1, \"bundleEnds\": \"2027-01-01T00:00:00Z\", \"envelopes\": 7, \"records\": 70,"
                    + " \"blocks\": 9, \"backlogBytes\": 4096, \"freeBytes\": 1000}";
    private static final String SENDERS_AT_FIRST = """
            [{"sender": "press-4", "envelopes": 9, "highestSequence": 12, "gaps": [{"from": 3, "to": 3}, {"from": 5, "to": 6}], "forks": 0,
              "findings": [], "lastSealed": "2026-11-22T10:00:00Z", "lastArrived": "2026-11-22T10:00:01Z", "silentSince": null}]""";

    /** What it says of senders' chains. */
    public static final AtomicReference<String> SENDERS = new AtomicReference<>(SENDERS_AT_FIRST);

    private static final String RULES = """
            [{"sender": "", "rules": 1, "lastSealed": "2026-11-20T10:00:00Z"},
             {"sender": "gate-9", "rules": 2, "lastSealed": "2026-11-20T10:00:00Z"},
             {"sender": "gate-9", "rules": 3, "lastSealed": "2026-11-22T08:00:00Z"},
             {"sender": "press-4", "rules": 1, "lastSealed": "2026-11-21T10:00:00Z"},
             {"sender": "press-4", "rules": 2, "lastSealed": "2026-11-22T10:00:00Z"}]""";

    private StubGateway() {}

    static URI start() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        String root = "/v1/tenants/" + TestConsole.TENANT;
        server.createContext(root + "/status", exchange -> answer(exchange, 200, STATUS));
        server.createContext(root + "/senders", exchange -> answer(exchange, 200, SENDERS.get()));
        server.createContext(root + "/rules", exchange -> answer(exchange, 200, RULES));
        server.createContext(root + "/figures", StubGateway::figures);
        server.createContext(root + "/routes", StubGateway::routes);
        server.createContext(root + "/access", StubGateway::access);
        server.createContext(root, exchange -> SEARCHING.get().handle(exchange));
        server.setExecutor(
                Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory())); // one may wait
        server.start();
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Says again of chains what it says at first. */
    public static void resetSenders() {
        SENDERS.set(SENDERS_AT_FIRST);
    }

    /** Nothing is here. */
    public static void nothing(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(404, -1);
        exchange.close();
    }

    private static void figures(HttpExchange exchange) throws IOException {
        String figures = FIGURES.get();
        if (figures == null) {
            nothing(exchange);
        } else {
            answer(exchange, 200, figures);
        }
    }

    private static void routes(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String name = path.substring(path.lastIndexOf('/') + 1);
        switch (exchange.getRequestMethod()) {
            case "PUT" -> put(exchange, name);
            case "DELETE" -> {
                ROUTES.remove(name);
                exchange.sendResponseHeaders(204, -1);
                exchange.close();
            }
            default ->
                answer(
                        exchange,
                        200,
                        ROUTES.keySet().stream()
                                .map(each -> route(each, ""))
                                .collect(Collectors.joining(",", "[", "]")));
        }
    }

    private static void access(HttpExchange exchange) throws IOException {
        switch (exchange.getRequestMethod()) {
            case "POST" -> {
                JsonObject body = JsonObject.parse(exchange.getRequestBody().readAllBytes());
                if (body.text("name").equals(TAKEN)) {
                    exchange.getResponseHeaders().set("Content-Type", "application/problem+json");
                    answer(exchange, 409, "{\"detail\": \"this name is taken\"}");
                    return;
                }
                ACCESS.add(body.text("kind") + " " + body.text("name"));
                answer(exchange, 201, "{\"secret\": \"" + SECRET + "\"}");
            }
            case "DELETE" -> {
                String[] query = exchange.getRequestURI().getQuery().split("[=&]");
                exchange.sendResponseHeaders(ACCESS.remove(query[1] + " " + query[3]) ? 204 : 404, -1);
                exchange.close();
            }
            default ->
                answer(
                        exchange,
                        200,
                        ACCESS.stream()
                                .map(each -> "{\"kind\": \"" + each.replace(" ", "\", \"name\": \"")
                                        + "\", \"rights\": [\"ingest\"]}")
                                .collect(Collectors.joining(",", "[", "]")));
        }
    }

    private static void put(HttpExchange exchange, String name) throws IOException {
        JsonObject body = JsonObject.parse(exchange.getRequestBody().readAllBytes());
        try {
            ROUTES.put(name, SearchRequest.decode(Base64.getDecoder().decode(body.text("search"))));
            JsonObject action = body.object("action");
            ACTIONS.put(name, action(action.text("type"), action.text("target")));
            if (body.fields().get("rules") instanceof List<?> rules) {
                ROUTE_RULES.put(
                        name,
                        rules.stream().map(each -> ((Number) each).intValue()).toList());
            }
            answer(exchange, 201, route(name, ", \"secret\": \"vgw_secret\""));
        } catch (MalformedEncodingException e) {
            answer(exchange, 400, "{}");
        }
    }

    private static String route(String name, String more) {
        List<Integer> rules = ROUTE_RULES.get(name);
        String ofRules = rules == null
                ? ""
                : ", \"rules\": " + rules + ", \"formerRules\": " + (LATER_RULES.get() && rules.equals(List.of(1)));
        return "{\"name\": \"" + name + "\", \"action\": "
                + ACTIONS.getOrDefault(name, action("topic", "alarms")) + ofRules
                + ", \"installed\": \"2026-11-22T10:00:00Z\","
                + " \"lastEpochEnds\": \"2027-01-01T00:00:00Z\", \"actions\": {\"waiting\": 2, \"done\": 7, \"givenUp\": 3}, \"lastMatch\": \"2026-11-22T09:00:00Z\","
                + " \"warnings\": []" + more + "}";
    }

    /** Has a route do something else, as a command would that puts another in its place. */
    public static void act(String name, String type, String target) {
        ACTIONS.put(name, action(type, target));
    }

    private static String action(String type, String target) {
        return "{\"type\": \"" + type + "\", \"target\": \"" + target + "\"}";
    }

    private static void answer(HttpExchange exchange, int status, String json) throws IOException {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().putIfAbsent("Content-Type", List.of("application/json"));
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
