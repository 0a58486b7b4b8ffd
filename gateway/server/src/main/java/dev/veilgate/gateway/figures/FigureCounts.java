package dev.veilgate.gateway.figures;

import java.util.HashMap;
import java.util.Map;
import org.springframework.stereotype.Component;

/**
 * Counts events by tenant until somebody takes the numbers away. Costs no statement, and loses at a kill what was not
 * taken. For several threads.
 */
@Component
public final class FigureCounts {
    private Map<String, Counts> counted = new HashMap<>();

    /** Adds what was stored. */
    public void stored(Map<String, Counts> more) {
        more.forEach(this::add);
    }

    /** Counts a search that was started. */
    public void search(String tenant) {
        add(tenant, Counts.SEARCH);
    }

    /** Counts an attempt at an action of a route. */
    public void delivery(String tenant, boolean isDone) {
        add(tenant, isDone ? Counts.DELIVERED : Counts.FAILED);
    }

    private synchronized void add(String tenant, Counts more) {
        counted.merge(tenant, more, Counts::plus);
    }

    /** Numbers since the last call, by tenant. */
    public synchronized Map<String, Counts> take() {
        Map<String, Counts> taken = counted;
        counted = new HashMap<>();
        return taken;
    }
}
