package dev.veilgate.console.query;

import dev.veilgate.extract.KeywordQuery;
import dev.veilgate.query.Filter;
import java.util.List;

/**
 * What somebody wants to ask: a query that was read, and what it takes to answer it.
 *
 * @param text    as typed
 * @param query   read by the tenant's profile
 * @param filter  clear metadata
 * @param epochs  for which trapdoors are needed; one at least
 * @param purpose what for
 */
public record Intent(QueryText text, KeywordQuery query, Filter filter, List<String> epochs, Purpose purpose) {
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
}
