package dev.veilgate.gateway.status;

import org.jspecify.annotations.Nullable;

/**
 * How much there is of something at a time; null what was not measured.
 *
 * @param envelopes stored of a tenant, at last
 * @param waiting   actions of a tenant's routes, at most
 * @param backlog   bytes that the machine took and did not store yet, at most
 * @param free      bytes on the machine's disk, at least
 */
record Levels(
        @Nullable Long envelopes,
        @Nullable Long waiting,
        @Nullable Long backlog,
        @Nullable Long free) {
    static Levels ofTenant(@Nullable Long envelopes, @Nullable Long waiting) {
        return new Levels(envelopes, waiting, null, null);
    }

    static Levels ofMachine(long backlog, long free) {
        return new Levels(null, null, backlog, free);
    }
}
