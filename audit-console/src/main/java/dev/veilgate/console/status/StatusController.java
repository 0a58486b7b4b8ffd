package dev.veilgate.console.status;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.veilgate.client.GatewayClient;
import dev.veilgate.client.GatewayException;
import dev.veilgate.client.JsonObject;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.gateway.Gateway;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import dev.veilgate.console.search.ScanSpeed;
import dev.veilgate.console.status.Problem.Kind;
import dev.veilgate.console.status.Problem.Source;
import dev.veilgate.pq.PostQuantum;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What the gateway says of itself. Rates are between one look and the next. */
@RestController
class StatusController {
    private static final Duration SHORTEST = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(StatusController.class);

    private static final int QUARTER = 16;

    private final Custody custody;
    private final Gateway gateway;
    private final ScanSpeed speed;
    private final Clock clock;
    private @Nullable Look last;
    private @Nullable Double rate;

    /** How many envelopes there were when somebody looked. */
    private record Look(Instant at, long envelopes) {}

    StatusController(Custody custody, Gateway gateway, ScanSpeed speed, Clock clock) {
        this.custody = custody;
        this.gateway = gateway;
        this.speed = speed;
        this.clock = clock;
    }

    /**
     * How the gateway is.
     *
     * @param problems the worst first
     * @param notKnown sources of which nothing is known: that nothing is wrong with them is not said
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record GatewayStatus(
            boolean reachable,
            @Nullable String version,
            PostQuantumLibraries postQuantum,
            List<Figure> figures,
            List<Problem> problems,
            List<Source> notKnown) {}

    /**
     * Which libraries compute the post-quantum algorithms.
     *
     * @param gateway null: it says nothing of it
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record PostQuantumLibraries(String console, @Nullable String gateway) {}

    record Figure(String name, String label, double value, String unit) {}

    /** Something that is asked of the gateway, and read. */
    @FunctionalInterface
    private interface Asked<T> {
        T ask() throws IOException, GatewayException, InterruptedException;
    }

    @GetMapping("/api/status")
    GatewayStatus status(User user) throws GatewayException, InterruptedException {
        user.require(Role.OPERATOR, Role.KEEPER);
        GatewayLook look = new GatewayLook(clock.instant());
        if (custody.isLocked()) {
            look.add(Problem.of(Kind.KEYS_LOCKED));
            EnumSet.allOf(Source.class).forEach(look::unknown);
            return new GatewayStatus(false, null, libraries(null), List.of(), look.problems(), look.notKnown());
        }
        GatewayClient client = gateway.client();
        JsonObject held;
        try {
            held = client.status();
        } catch (IOException e) {
            look.add(Problem.of(Kind.GATEWAY_AWAY));
            List.of(Source.GATEWAY, Source.SENDERS, Source.ROUTES, Source.FIGURES, Source.MACHINE)
                    .forEach(look::unknown);
            return new GatewayStatus(false, null, libraries(null), List.of(), look.problems(), look.notKnown());
        }
        try {
            look.status(held);
            look.certificate(client.certificateEnds());
            List<JsonObject> senders = part(look, Source.SENDERS, client::senders);
            if (senders != null) {
                look.senders(senders);
            }
            List<JsonObject> routes = part(look, Source.ROUTES, client::routes);
            if (routes != null) {
                look.routes(routes);
            }
            FigureSeries minutes = part(look, Source.FIGURES, () -> kept(client, "minute", QUARTER));
            if (minutes != null) {
                look.figures(minutes);
            }
            return new GatewayStatus(
                    true,
                    held.optionalText("version").orElse(null),
                    libraries(held.optionalText("postQuantum").orElse(null)),
                    figures(held, senders, routes),
                    look.problems(),
                    look.notKnown());
        } catch (IOException e) {
            throw ProblemException.gateway(String.valueOf(e.getMessage()));
        }
    }

    /** Null, and nothing known of it, if the gateway does not give it. */
    private static <T> @Nullable T part(GatewayLook look, Source source, Asked<T> asked) throws InterruptedException {
        try {
            return asked.ask();
        } catch (IOException | GatewayException e) {
            LOG.warn("the status is told without {}: {}", source.label(), e.getMessage());
            look.unknown(source);
            return null;
        }
    }

    /**
     * Figures of an hour by minutes, a day by hours, or a month by days of UTC.
     *
     * @param span hour, day or month
     */
    @GetMapping("/api/status/figures")
    FigureSeries series(User user, @RequestParam(defaultValue = "hour") String span) {
        user.require(Role.OPERATOR, Role.KEEPER);
        return switch (span) {
            case "hour" -> gateway.ask(client -> kept(client, "minute", 60));
            case "day" -> gateway.ask(client -> kept(client, "hour", 24));
            case "month" -> gateway.ask(client -> kept(client, "day", 31));
            default -> throw ProblemException.malformed("span must be hour, day or month");
        };
    }

    private static FigureSeries kept(GatewayClient client, String step, int count)
            throws IOException, GatewayException, InterruptedException {
        try {
            return FigureSeries.of(client.figures(step, count));
        } catch (GatewayException e) {
            if (e.status() == HttpStatus.NOT_FOUND.value()) {
                return FigureSeries.none(); // of before
            }
            throw e;
        }
    }

    private static PostQuantumLibraries libraries(@Nullable String gateway) {
        return new PostQuantumLibraries(PostQuantum.current().description(), gateway);
    }

    private List<Figure> figures(JsonObject held, @Nullable List<JsonObject> senders, @Nullable List<JsonObject> routes)
            throws IOException {
        long envelopes = held.number("envelopes");
        List<Figure> figures = new ArrayList<>(List.of(
                new Figure("envelopes", "Envelopes stored", envelopes, "count"),
                new Figure("records", "Records in them", held.number("records"), "count"),
                new Figure("blocks", "Index blocks", held.number("blocks"), "count"),
                new Figure("backlog", "Taken and not indexed yet", held.number("backlogBytes"), "bytes"),
                new Figure("free", "Free on the gateway's disk", held.number("freeBytes"), "bytes")));
        if (senders != null) {
            figures.add(new Figure("senders", "Senders that sent", senders.size(), "count"));
        }
        if (routes != null) {
            figures.add(new Figure("routes", "Standing routes", routes.size(), "count"));
            figures.add(new Figure("waiting", "Route actions that wait", actions(routes, "waiting"), "count"));
            figures.add(new Figure("given-up", "Route actions given up", actions(routes, "givenUp"), "count"));
        }
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
