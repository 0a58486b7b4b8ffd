package dev.veilgate.gateway.status;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.access.Right;
import dev.veilgate.gateway.figures.Counts;
import dev.veilgate.gateway.http.ProblemException;
import dev.veilgate.gateway.http.Rights;
import dev.veilgate.gateway.status.FigureStore.Point;
import dev.veilgate.gateway.tenant.Tenants;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
class FigureController {
    private final FigureStore store;
    private final Tenants tenants;
    private final Clock clock;

    FigureController(FigureStore store, Tenants tenants, Clock clock) {
        this.store = store;
        this.tenants = tenants;
        this.clock = clock;
    }

    /**
     * Figures of the latest steps; those of which nothing is known are not among them.
     *
     * @param from beginning of the first step that was asked for
     * @param to   end of the last one, which is not over
     */
    record Series(String step, int stepMinutes, Instant from, Instant to, List<Figures> points) {}

    /** Figures of one step, as {@link Point} says. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Figures(
            Instant begins,
            int minutes,
            long lines,
            long mails,
            long searches,
            long delivered,
            long failed,
            @Nullable Long envelopes,
            @Nullable Long waiting,
            @Nullable Long backlogBytes,
            @Nullable Long freeBytes) {
        static Figures of(Point point) {
            Counts counts = point.counts();
            Levels levels = point.levels();
            return new Figures(
                    point.begins(),
                    point.minutes(),
                    counts.lines(),
                    counts.mails(),
                    counts.searches(),
                    counts.delivered(),
                    counts.failed(),
                    levels.envelopes(),
                    levels.waiting(),
                    levels.backlog(),
                    levels.free());
        }
    }

    @GetMapping("/v1/tenants/{tenant}/figures")
    Series figures(
            Principal principal,
            @PathVariable String tenant,
            @RequestParam(defaultValue = "minute") String step,
            @RequestParam(defaultValue = "60") int count) {
        Rights.require(principal, Right.STATUS, tenant, tenants);
        Step wanted = Step.of(step).orElseThrow(() -> ProblemException.malformed("step must be minute, hour or day"));
        if (count < 1 || count > wanted.kept()) {
            throw ProblemException.malformed("count must be 1 to " + wanted.kept() + " for this step");
        }
        Instant now = clock.instant();
        Instant last = wanted.begin(now);
        return new Series(
                wanted.label(),
                wanted.minutes(),
                last.minus(wanted.length().multipliedBy(count - 1L)),
                last.plus(wanted.length()),
                store.points(tenant, wanted, count, now).stream()
                        .map(Figures::of)
                        .toList());
    }
}
