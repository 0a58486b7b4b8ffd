package dev.veilgate.gateway.figures;

import java.util.Map;

/** How many actions of routes wait now, by tenant. */
@FunctionalInterface
public interface WaitingActions {
    /** Actions of all gateways of the database. A tenant of whom none waits need not be there. */
    Map<String, Long> now();
}
