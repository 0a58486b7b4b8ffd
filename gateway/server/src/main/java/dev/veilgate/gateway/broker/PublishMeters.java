package dev.veilgate.gateway.broker;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.LongAdder;

/** What is measured of messages that devices publish, by what became of them; never by who published them. */
public final class PublishMeters {
    private final MeterRegistry meters;
    private final LongAdder keptFromBroker = new LongAdder();

    /** Has those that matter in any case shown from the start. */
    public PublishMeters(MeterRegistry meters) {
        this.meters = meters;
        counter("taken");
    }

    /** @param result one of a few names */
    public void count(String result) {
        counter(result).increment();
    }

    /** Called for each message that the broker is kept from delivering, which it counts as dropped. */
    void countKeptFromBroker() {
        keptFromBroker.increment();
    }

    /** Number of messages that the broker was kept from delivering. */
    long keptFromBroker() {
        return keptFromBroker.sum();
    }

    private Counter counter(String result) {
        return Counter.builder("veilgate.mqtt.publishes")
                .tag("result", result)
                .description("messages that devices published, by what became of them")
                .register(meters);
    }
}
