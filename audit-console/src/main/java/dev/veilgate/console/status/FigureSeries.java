package dev.veilgate.console.status;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.veilgate.client.JsonObject;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Figures over time, as the gateway kept them.
 *
 * @param kept        whether the gateway keeps any; one of before does not
 * @param stepMinutes length of a step
 * @param from        beginning of the first step
 * @param to          end of the last one, which is not over
 * @param points      oldest first; steps of which nothing is known are not among them
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record FigureSeries(
        boolean kept,
        @Nullable Integer stepMinutes,
        @Nullable Instant from,
        @Nullable Instant to,
        List<Point> points) {
    private static final int MOST = 400;

    /** Figures of one step, as the gateway's interface says; null what was not measured. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Point(
            Instant begins,
            long minutes,
            long lines,
            long mails,
            long searches,
            long delivered,
            long failed,
            @Nullable Long envelopes,
            @Nullable Long waiting,
            @Nullable Long backlogBytes,
            @Nullable Long freeBytes) {
        static Point of(JsonObject point) throws IOException {
            return new Point(
                    time(point, "begins"),
                    point.number("minutes"),
                    point.number("lines"),
                    point.number("mails"),
                    point.number("searches"),
                    point.number("delivered"),
                    point.number("failed"),
                    optional(point, "envelopes"),
                    optional(point, "waiting"),
                    optional(point, "backlogBytes"),
                    optional(point, "freeBytes"));
        }
    }

    static FigureSeries none() {
        return new FigureSeries(false, null, null, null, List.of());
    }

    static FigureSeries of(JsonObject answer) throws IOException {
        List<JsonObject> given = answer.list("points");
        if (given.size() > MOST) {
            throw new IOException("the gateway's answer has more than " + MOST + " points");
        }
        List<Point> points = new ArrayList<>();
        for (JsonObject point : given) {
            points.add(Point.of(point));
        }
        return new FigureSeries(
                true,
                Math.toIntExact(Math.clamp(answer.number("stepMinutes"), 1, 1440)),
                time(answer, "from"),
                time(answer, "to"),
                points);
    }

    private static @Nullable Long optional(JsonObject of, String name) throws IOException {
        return of.fields().containsKey(name) ? of.number(name) : null;
    }

    static Instant time(JsonObject of, String name) throws IOException {
        try {
            return Instant.parse(of.text(name));
        } catch (DateTimeParseException e) {
            throw new IOException("the gateway's answer: " + name + " must be a time", e);
        }
    }
}
