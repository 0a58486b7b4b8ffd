package dev.veilgate.console.status;

import dev.veilgate.client.JsonObject;
import dev.veilgate.console.status.Problem.Kind;
import dev.veilgate.console.status.Problem.Source;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Problems that answers of the gateway show, the worst first, and what they do not show. An answer that is not there,
 * or lacks what an earlier gateway does not say, is a source of which nothing is known; it is never taken for all well.
 */
final class GatewayLook {
    static final Duration BEFORE_AN_END = Duration.ofDays(7);
    static final Duration WAITS_LONG = Duration.ofMinutes(15);
    static final Duration CLOCKS = Duration.ofSeconds(30);
    static final long LITTLE_ROOM = 5_000_000_000L;
    /** Bytes that come and go within a moment; a spool of so few is not looked at. */
    static final long SMALL_SPOOL = 1_000_000;

    private final Instant now;
    private final List<Problem> problems = new ArrayList<>();
    private final Set<Source> notKnown = EnumSet.noneOf(Source.class);

    /** @param now by the console's clock, when the gateway was asked */
    GatewayLook(Instant now) {
        this.now = now;
    }

    /** Found, the worst first. */
    List<Problem> problems() {
        return problems.stream().sorted(Comparator.comparing(Problem::kind)).toList();
    }

    /** Sources of which nothing is known. */
    List<Source> notKnown() {
        return List.copyOf(notKnown);
    }

    void add(Problem problem) {
        problems.add(problem);
    }

    void unknown(Source source) {
        notKnown.add(source);
    }

    /** Looks at what the gateway says of itself. */
    void status(JsonObject held) throws IOException {
        Instant ends = FigureSeries.time(held, "bundleEnds");
        if (ends.isBefore(now.plus(BEFORE_AN_END))) {
            add(Problem.at(Kind.BUNDLE_ENDING, ends));
        }
        boolean isFull = false;
        if (held.fields().containsKey("machine")) {
            JsonObject machine = held.object("machine");
            machine.optionalText("trouble")
                    .ifPresent(trouble -> add(new Problem(Kind.NOT_STORING, null, List.of(trouble), null)));
            isFull = machine.bool("diskFull");
            if (isFull) {
                add(new Problem(Kind.DISK_FULL, held.number("freeBytes"), List.of(), null));
            }
            if (machine.number("setAside") > 0) {
                add(new Problem(Kind.SET_ASIDE, machine.number("setAside"), List.of(), null));
            }
            Duration apart =
                    Duration.between(now, FigureSeries.time(machine, "time")).abs();
            if (apart.compareTo(CLOCKS) > 0) {
                add(new Problem(Kind.CLOCKS_DIFFER, apart.toSeconds(), List.of(), null));
            }
        } else {
            unknown(Source.MACHINE);
        }
        if (!isFull && held.number("freeBytes") < LITTLE_ROOM) {
            add(new Problem(Kind.DISK_LOW, held.number("freeBytes"), List.of(), null));
        }
    }

    /** Looks at the certificate that the gateway showed; empty without TLS. */
    void certificate(Optional<Instant> ends) {
        ends.filter(end -> end.isBefore(now.plus(BEFORE_AN_END)))
                .ifPresent(end -> add(Problem.at(Kind.CERTIFICATE_ENDING, end)));
    }

    void senders(List<JsonObject> senders) throws IOException {
        List<String> silent = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        Instant since = now;
        for (JsonObject sender : senders) {
            if (!sender.list("gaps").isEmpty() || sender.number("forks") > 0) {
                missing.add(sender.text("sender"));
            }
            if (sender.optionalText("silentSince").isPresent()) {
                silent.add(sender.text("sender"));
                Instant promised = FigureSeries.time(sender, "silentSince");
                since = promised.isBefore(since) ? promised : since;
            }
        }
        if (!missing.isEmpty()) {
            add(new Problem(Kind.SENDERS_WITH_GAPS, (long) missing.size(), missing, null));
        }
        if (!silent.isEmpty()) {
            add(new Problem(Kind.SENDERS_SILENT, (long) silent.size(), silent, since));
        }
    }

    void routes(List<JsonObject> routes) throws IOException {
        List<String> givenUp = new ArrayList<>();
        List<String> waiting = new ArrayList<>();
        List<String> ending = new ArrayList<>();
        long lost = 0;
        Instant since = now;
        for (JsonObject route : routes) {
            JsonObject actions = route.object("actions");
            String name = route.text("name");
            if (actions.number("givenUp") > 0) {
                givenUp.add(name);
                lost += actions.number("givenUp");
            }
            if (actions.fields().containsKey("waitingSince")) {
                Instant oldest = FigureSeries.time(actions, "waitingSince");
                if (oldest.isBefore(now.minus(WAITS_LONG))) {
                    waiting.add(name);
                    since = oldest.isBefore(since) ? oldest : since;
                }
            } else if (actions.number("waiting") > 0) {
                unknown(Source.ROUTES); // of before: it does not say since when
            }
            if (route.optionalText("lastEpochEnds").isPresent()
                    && FigureSeries.time(route, "lastEpochEnds").isBefore(now.plus(BEFORE_AN_END))) {
                ending.add(name);
            }
        }
        if (!givenUp.isEmpty()) {
            add(new Problem(Kind.DELIVERIES_GIVEN_UP, lost, givenUp, null));
        }
        if (!waiting.isEmpty()) {
            add(new Problem(Kind.DELIVERIES_WAITING, (long) waiting.size(), waiting, since));
        }
        if (!ending.isEmpty()) {
            add(new Problem(Kind.ROUTES_ENDING, (long) ending.size(), ending, null));
        }
    }

    /** Looks at a quarter of an hour of minutes. */
    void figures(FigureSeries minutes) {
        if (!minutes.kept()) {
            unknown(Source.FIGURES);
            return;
        }
        long failed =
                minutes.points().stream().mapToLong(FigureSeries.Point::failed).sum();
        boolean isAnyDone = minutes.points().stream().anyMatch(point -> point.delivered() > 0);
        if (failed > 0 && !isAnyDone) {
            add(new Problem(Kind.DELIVERIES_FAILING, failed, List.of(), null));
        }
        List<FigureSeries.Point> spool = minutes.points().stream()
                .filter(point -> point.backlogBytes() != null)
                .toList();
        if (spool.size() < 3) {
            unknown(Source.FIGURES); // the gateway has run for a moment only
            return;
        }
        List<Long> bytes = spool.stream().map(FigureSeries.Point::backlogBytes).toList();
        long last = bytes.getLast();
        boolean isGrowing = last > SMALL_SPOOL && last > 2 * bytes.getFirst() && last >= bytes.get(bytes.size() / 2);
        if (isGrowing) {
            add(new Problem(
                    Kind.SPOOL_GROWING, last, List.of(), spool.getFirst().begins()));
        }
    }
}
