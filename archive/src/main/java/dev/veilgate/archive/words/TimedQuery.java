package dev.veilgate.archive.words;

import dev.veilgate.sse.RefusedException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** A query for documents of a span of time. */
public final class TimedQuery {
    private TimedQuery() {}

    /**
     * A query whose answers are those of another which are of a span of time, to the minute.
     *
     * @param from if present, documents of that minute or later
     * @param to   if present, documents before that time, or of its minute if it is not the beginning of one
     * @throws RefusedException if the query has a bracket or quote without the other; in quotes they are text
     */
    public static String of(String query, Optional<Instant> from, Optional<Instant> to) throws RefusedException {
        if (from.isEmpty() && to.isEmpty()) {
            return query;
        }
        QueryText.parts(query); // whose brackets would else reach out of these
        StringBuilder timed = new StringBuilder("(").append(query).append(" )"); // apart: a word may have its own
        from.ifPresent(time -> timed.append(" time:>=").append(TimeWords.minute(time)));
        to.ifPresent(time -> timed.append(time.equals(time.truncatedTo(ChronoUnit.MINUTES)) ? " time:<" : " time:<=")
                .append(TimeWords.minute(time)));
        return timed.toString();
    }
}
