package dev.veilgate.gateway.ingest;

import java.io.Serial;
import org.springframework.dao.NonTransientDataAccessResourceException;

/** Another gateway with the same id has moved the position in the database on: going by it would pass over what was taken here. */
final class ForeignPositionException extends NonTransientDataAccessResourceException {
    @Serial
    private static final long serialVersionUID = 1;

    /** @param known of the gateway that throws it, when it was last asked for */
    ForeignPositionException(String gateway, long position, long known) {
        super("the database is at " + position + " for gateway " + gateway + ", which was at " + known + " here:"
                + " another gateway runs on a copy of this data folder. Stop it, give it an empty folder, and set the position back to "
                + known + " before this one is started again, or what waits here is passed over");
    }
}
