package dev.veilgate.console.search;

import java.util.OptionalDouble;
import org.springframework.stereotype.Component;

/** How fast the gateway went through its envelopes for the last search that it completed. Safe for use by several threads. */
@Component
public final class ScanSpeed {
    private volatile OptionalDouble last = OptionalDouble.empty();

    ScanSpeed() {}

    void tookPart(SearchState ended) {
        if (ended.state().equals(SearchJob.COMPLETE) && ended.perSecond() > 0) {
            last = OptionalDouble.of(ended.perSecond());
        }
    }

    /** Envelopes a second, from the question to the last row; empty if nobody has searched since the start. */
    public OptionalDouble last() {
        return last;
    }
}
