package dev.veilgate.console.query;

import dev.veilgate.extract.KeywordQuery;
import dev.veilgate.extract.QueryReadings;
import dev.veilgate.query.Filter;
import dev.veilgate.reading.EventTime;
import java.util.List;

/**
 * What somebody wants to ask: a query that was read, and what it takes to answer it.
 *
 * @param text    as typed
 * @param readings the query, as the tenant's profiles read it
 * @param filter  time and senders, as asked for; a gateway is asked for more ({@link #asked})
 * @param epochs  for which trapdoors are needed; one at least
 * @param purpose what for
 */
public record Intent(QueryText text, QueryReadings readings, Filter filter, List<String> epochs, Purpose purpose) {
    /** What trapdoors are for. */
    public enum Purpose {
        /** To look now. */
        SEARCH,
        /** To be tested on whatever arrives. */
        ROUTE
    }

    /** Copies. */
    public Intent {
        epochs = List.copyOf(epochs);
    }

    /** The query that trapdoors are issued for, which finds what it means by each profile of its epochs. */
    public KeywordQuery query() {
        return readings.asked();
    }

    /** What a gateway is asked for: of a search all in which something of its time can be. */
    public Filter asked() {
        return purpose == Purpose.SEARCH ? EventTime.widened(filter) : filter;
    }
}
