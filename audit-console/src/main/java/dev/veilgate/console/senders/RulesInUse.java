package dev.veilgate.console.senders;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rules by which senders make keywords, as the interface has it.
 *
 * @param next    the tenant's later rules; absent if it has none
 * @param senders by name, registered ones and others; the last may be without a name, for all mail that no sender of
 *                the tenant signed
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record RulesInUse(@Nullable Next next, List<Seen> senders) {
    /**
     * Later rules in the tenant's bundle.
     *
     * @param rules    their number; absent if this software does not know them
     * @param from     the first epoch of which they are used
     * @param onlyFrom the epoch from which on they are taken alone; absent if those of before are, too
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Next(
            @Nullable Integer rules, String from, @Nullable String onlyFrom) {}

    /**
     * When a sender was last seen to make keywords.
     *
     * @param name   empty for all mail that no sender of the tenant signed
     * @param former by rules 1; absent if it never was
     * @param later  by later rules; absent if it never was
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Seen(
            String name, @Nullable Instant former, @Nullable Instant later) {
        Seen with(int rules, Instant sealed) {
            return rules == 1
                    ? new Seen(name, sealed, later)
                    : new Seen(name, former, later == null || sealed.isAfter(later) ? sealed : later);
        }
    }
}
