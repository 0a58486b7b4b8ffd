package dev.veilgate.console.rules;

import dev.veilgate.authority.EpochPolicy;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** How far back epochs lie. */
@FunctionalInterface
interface EpochReach {
    /** How far ahead of the present one a route may ask; anything there is not in the past. */
    int AHEAD = 64;

    /** Whether none of the epochs is earlier than so many before the present one. */
    boolean reaches(List<String> epochs, int back);

    /** By the clock. */
    static EpochReach at(EpochPolicy policy, Instant now) {
        return (epochs, back) -> {
            Set<String> near = new HashSet<>();
            var epoch = policy.at(now);
            for (int i = 0; i <= back; i++) {
                near.add(epoch.name());
                epoch = policy.at(epoch.from().minusMillis(1));
            }
            epoch = policy.at(now);
            for (int i = 0; i < AHEAD; i++) {
                epoch = policy.at(epoch.to());
                near.add(epoch.name());
            }
            return near.containsAll(epochs);
        };
    }
}
