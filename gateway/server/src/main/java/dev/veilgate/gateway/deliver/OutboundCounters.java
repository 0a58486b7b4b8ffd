package dev.veilgate.gateway.deliver;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** What is measured of mail on its way out. */
final class OutboundCounters {
    private final Counter sent;
    private final Counter retried;
    private final Counter failed;
    private final Counter unreported;

    OutboundCounters(MeterRegistry meters, StoredQueue queue) {
        sent = counter(meters, "sent");
        retried = counter(meters, "retried");
        failed = counter(meters, "failed");
        unreported = Counter.builder("veilgate.outbound.unreported")
                .description(
                        "recipients given up of which nobody could be told: a report, or mail from a sender who did not log in")
                .register(meters);
        // Micrometer reports NaN while the database does not answer.
        Gauge.builder("veilgate.outbound.waiting", queue, StoredQueue::depth)
                .description("recipients that wait for a mail")
                .register(meters);
        Gauge.builder("veilgate.outbound.oldest", queue, each -> each.oldest().toMillis() / 1000.0)
                .description("age of the oldest mail")
                .baseUnit("seconds")
                .register(meters);
    }

    private static Counter counter(MeterRegistry meters, String outcome) {
        return Counter.builder("veilgate.outbound.recipients")
                .tag("outcome", outcome)
                .register(meters);
    }

    void unreported(int givenUp) {
        unreported.increment(givenUp);
    }

    void settled(int taken, int later, int givenUp) {
        sent.increment(taken);
        retried.increment(later);
        failed.increment(givenUp);
    }
}
