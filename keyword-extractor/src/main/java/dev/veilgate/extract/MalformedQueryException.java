package dev.veilgate.extract;

import java.io.Serial;

/** A query cannot be understood or asks for what the profile does not index. The message never repeats the query. */
public final class MalformedQueryException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * @param term what is wrong, by its place: 1 for the first term; 0 for the whole query
     * @param why  what is allowed
     */
    MalformedQueryException(int term, String why) {
        super(term == 0 ? "the query " + why : "term " + term + " of the query " + why);
    }
}
