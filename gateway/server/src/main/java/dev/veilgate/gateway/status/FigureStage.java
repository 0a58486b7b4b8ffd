package dev.veilgate.gateway.status;

import dev.veilgate.envelope.Envelope;
import dev.veilgate.gateway.figures.Counts;
import dev.veilgate.gateway.figures.FigureCounts;
import dev.veilgate.gateway.ingest.Applied;
import dev.veilgate.gateway.ingest.ArrivalStage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Counts lines and mails of tenants once their transaction is committed, so that a batch that is tried again is counted
 * once. A restored database is given again what it lacks, and that is counted again, in the minute in which it is
 * stored. Mails without an envelope are of no tenant and not counted.
 */
@Component
@Order(5)
final class FigureStage implements ArrivalStage {
    private final FigureCounts counts;

    FigureStage(FigureCounts counts) {
        this.counts = counts;
    }

    @Override
    public void apply(List<Applied> batch) {
        Map<String, Counts> stored = new HashMap<>();
        for (Applied applied : batch) {
            applied.arrival().ifPresent(arrival -> {
                Envelope envelope = arrival.envelope();
                boolean isMail = applied.message() != null;
                Counts more = new Counts(isMail ? 0 : envelope.recordCount(), isMail ? 1 : 0, 0, 0, 0);
                stored.merge(envelope.tenant(), more, Counts::plus);
            });
        }
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                counts.stored(stored);
            }
        });
    }
}
