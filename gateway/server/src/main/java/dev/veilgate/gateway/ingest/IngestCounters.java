package dev.veilgate.gateway.ingest;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Metrics of what arrives: by channel and reason, never by who sent it. */
final class IngestCounters {
    private final MeterRegistry metrics;

    IngestCounters(MeterRegistry metrics) {
        this.metrics = metrics;
    }

    CompletableFuture<Receipt> taken(Submission submission, CompletableFuture<Receipt> future) {
        long from = System.nanoTime();
        String kind = kind(submission);
        return future.whenComplete((receipt, failure) -> {
            if (failure instanceof RefusedException e) {
                refused(submission, e.refusal());
            } else if (receipt != null) {
                metrics.timer("veilgate.ingest", "kind", kind, "result", receipt.repeated() ? "repeated" : "taken")
                        .record(System.nanoTime() - from, TimeUnit.NANOSECONDS);
            }
        });
    }

    void refused(Submission submission, Refusal refusal) {
        metrics.counter(
                        "veilgate.ingest.refused",
                        "kind",
                        kind(submission),
                        "reason",
                        refusal.name().toLowerCase(Locale.ROOT))
                .increment();
    }

    private static String kind(Submission submission) {
        return submission instanceof Submission.OfMail ? "mail" : "envelope";
    }
}
