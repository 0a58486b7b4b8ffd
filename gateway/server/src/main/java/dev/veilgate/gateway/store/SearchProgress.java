package dev.veilgate.gateway.store;

/**
 * How far a search is.
 *
 * @param envelopes        to be looked at: of the tenant and of a scope that is searched, and not ruled out by a clear filter
 * @param envelopesDone    looked at
 * @param blocksTested     index blocks on which Test ran
 * @param blocksRemembered index blocks whose answer was remembered from an earlier search
 * @param hits             envelopes found
 * @param records          records found
 */
public record SearchProgress(
        long envelopes, long envelopesDone, long blocksTested, long blocksRemembered, long hits, long records) {}
