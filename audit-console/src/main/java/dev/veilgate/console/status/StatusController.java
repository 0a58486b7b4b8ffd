package dev.veilgate.console.status;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.veilgate.client.GatewayException;
import dev.veilgate.client.JsonObject;
import dev.veilgate.console.gateway.Gateway;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import dev.veilgate.console.search.ScanSpeed;
import dev.veilgate.pq.PostQuantum;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** What the gateway says of itself. Rates are between one look and the next. */
@RestController
class StatusController {
    private static final Duration SHORTEST = Duration.ofSeconds(1);

    private final Gateway gateway;
    private final ScanSpeed speed;
    private final Clock clock;
    private @Nullable Look last;
    private @Nullable Double rate;

    /** How many envelopes there were when somebody looked. */
    private record Look(Instant at, long envelopes) {}

    StatusController(Gateway gateway, ScanSpeed speed, Clock clock) {
        this.gateway = gateway;
        this.speed = speed;
        this.clock = clock;
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record GatewayStatus(
            boolean reachable, @Nullable String version, PostQuantumLibraries postQuantum, List<Figure> figures) {}

    /**
     * Which libraries compute the post-quantum algorithms.
     *
     * @param gateway null: it says nothing of it
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record PostQuantumLibraries(String console, @Nullable String gateway) {}

    record Figure(String name, String label, double value, String unit) {}

    @GetMapping("/api/status")
    GatewayStatus status(User user) throws GatewayException, InterruptedException {
        user.require(Role.OPERATOR, Role.KEEPER);
        JsonObject held;
        List<JsonObject> senders;
        List<JsonObject> routes;
        try {
            held = gateway.client().status();
            senders = gateway.client().senders();
            routes = gateway.client().routes();
        } catch (IOException e) {
            return new GatewayStatus(false, null, libraries(null), List.of());
        }
        try {
            return new GatewayStatus(
                    true,
                    held.optionalText("version").orElse(null),
                    libraries(held.optionalText("postQuantum").orElse(null)),
                    figures(held, senders, routes));
        } catch (IOException e) {
            throw ProblemException.gateway(String.valueOf(e.getMessage()));
        }
    }

    private static PostQuantumLibraries libraries(@Nullable String gateway) {
        return new PostQuantumLibraries(PostQuantum.current().description(), gateway);
    }

    private List<Figure> figures(JsonObject held, List<JsonObject> senders, List<JsonObject> routes)
            throws IOException {
        long envelopes = held.number("envelopes");
        List<Figure> figures = new ArrayList<>(List.of(
                new Figure("envelopes", "Envelopes stored", envelopes, "count"),
                new Figure("records", "Records in them", held.number("records"), "count"),
                new Figure("blocks", "Index blocks", held.number("blocks"), "count"),
                new Figure("backlog", "Taken and not indexed yet", held.number("backlogBytes"), "bytes"),
                new Figure("free", "Free on the gateway's disk", held.number("freeBytes"), "bytes"),
                new Figure("senders", "Senders that sent", senders.size(), "count"),
                new Figure("routes", "Standing routes", routes.size(), "count"),
                new Figure("waiting", "Route actions that wait", actions(routes, "waiting"), "count"),
                new Figure("given-up", "Route actions given up", actions(routes, "givenUp"), "count")));
        speed.last()
                .ifPresent(scanned ->
                        figures.add(new Figure("scan", "Envelopes scanned, last search", scanned, "per-second")));
        Double perSecond = rate(envelopes);
        if (perSecond != null) {
            figures.add(1, new Figure("arriving", "Envelopes arriving", perSecond, "per-second"));
        }
        return figures;
    }

    private static long actions(List<JsonObject> routes, String state) throws IOException {
        long sum = 0;
        for (JsonObject route : routes) {
            sum += route.object("actions").number(state);
        }
        return sum;
    }

    private synchronized @Nullable Double rate(long envelopes) {
        Instant now = clock.instant();
        Look before = last;
        if (before == null) {
            last = new Look(now, envelopes);
            return null;
        }
        Duration since = Duration.between(before.at(), now);
        if (since.compareTo(SHORTEST) >= 0) {
            rate = Math.max(0, envelopes - before.envelopes()) * 1000.0 / since.toMillis();
            last = new Look(now, envelopes);
        }
        return rate;
    }
}
