package dev.veilgate.console.logsink;

import dev.veilgate.issuing.LogEntry;
import java.io.IOException;
import java.util.Optional;

/** Log that is sent, as far as it can be read now. */
interface SinkSource {
    /** Number of the last entry of the issuing log, 0 without one; empty as long as the keys are locked. */
    Optional<Long> size();

    /** An entry; empty if there is none of that number. */
    Optional<LogEntry> entry(long number) throws IOException;

    /** The tenant whose log it is. */
    String tenant();
}
