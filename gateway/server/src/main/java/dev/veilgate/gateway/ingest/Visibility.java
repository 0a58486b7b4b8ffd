package dev.veilgate.gateway.ingest;

import java.time.Duration;

/** Whether searches find what was acknowledged: it is durable first, and stored a moment later. */
public interface Visibility {
    /** How long somebody who asks waits for what was acknowledged just before; usually it is some milliseconds. */
    Duration MOST_BEHIND = Duration.ofSeconds(1);

    /**
     * Waits until searches find all of a tenant that was acknowledged before the call, but for what is set aside. Not while something keeps what was taken from being stored: then they find
     * what is stored. What others send is not waited for, unless it came before.
     *
     * @param most how long
     * @return whether they do
     */
    boolean await(String tenant, Duration most) throws InterruptedException;
}
