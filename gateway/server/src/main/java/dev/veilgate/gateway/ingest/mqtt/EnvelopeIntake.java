package dev.veilgate.gateway.ingest.mqtt;

import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.broker.EnvelopeSink;
import dev.veilgate.gateway.broker.PublishMeters;
import dev.veilgate.gateway.broker.TenantTopics;
import dev.veilgate.gateway.broker.TopicPublisher;
import dev.veilgate.gateway.ingest.Ingestion;
import dev.veilgate.gateway.ingest.Receipt;
import dev.veilgate.gateway.ingest.Refusal;
import dev.veilgate.gateway.ingest.RefusedException;
import dev.veilgate.gateway.ingest.Submission;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Submits what the broker hands over. What is refused for good is copied to the dead-letter topic before anybody is told. */
final class EnvelopeIntake implements EnvelopeSink {
    private static final Logger LOG = LoggerFactory.getLogger(EnvelopeIntake.class);

    private final Ingestion ingestion;
    private final TopicPublisher publisher;
    private final TenantTopics topics;
    private final String deadLetterTopic;
    private final PublishMeters publishes;
    private final Counter deadLetters;
    private final Counter lostDeadLetters;

    /** @param deadLetterTopic as it is set; empty for none */
    EnvelopeIntake(
            Ingestion ingestion,
            TopicPublisher publisher,
            TenantTopics topics,
            String deadLetterTopic,
            MeterRegistry meters) {
        this.ingestion = ingestion;
        this.publisher = publisher;
        this.topics = topics;
        this.deadLetterTopic = deadLetterTopic;
        this.publishes = new PublishMeters(meters);
        this.deadLetters = deadLetters(meters, "published");
        this.lostDeadLetters = deadLetters(meters, "not_taken");
    }

    private static Counter deadLetters(MeterRegistry meters, String result) {
        return Counter.builder("veilgate.mqtt.dead.letters")
                .tag("result", result)
                .description(
                        "copies of refused envelopes for the dead-letter topic; not taken: the broker did not, the sender is told to come again")
                .register(meters);
    }

    @Override
    public CompletableFuture<Optional<RefusedException>> take(Principal sender, byte[] envelope) {
        return submit(sender, envelope)
                .handle((receipt, failure) -> failure == null ? Optional.<RefusedException>empty() : refused(failure))
                .thenApply(this::counted)
                .thenCompose(refused ->
                        refused.isPresent() && !refused.get().refusal().temporary()
                                ? deadLetter(sender, envelope, refused.get()).thenApply(Optional::of)
                                : CompletableFuture.completedFuture(refused));
    }

    private CompletableFuture<Receipt> submit(Principal sender, byte[] envelope) {
        try {
            return ingestion.submit(new Submission.OfEnvelope(sender, envelope));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private Optional<RefusedException> counted(Optional<RefusedException> refused) {
        publishes.count(refused.map(each -> each.refusal().name().toLowerCase(Locale.ROOT))
                .orElse("taken"));
        return refused;
    }

    private static Optional<RefusedException> refused(Throwable failure) {
        Throwable cause = failure instanceof CompletionException wrapped && wrapped.getCause() != null
                ? wrapped.getCause()
                : failure;
        if (cause instanceof RefusedException refused) {
            return Optional.of(refused);
        }
        LOG.error("An envelope that came by MQTT could not be submitted", cause);
        return Optional.of(new RefusedException(Refusal.UNAVAILABLE, "an error of the gateway; try again"));
    }

    /** Completes with the refusal, or, if the broker does not take the dead letter now, with a temporary one. */
    private CompletableFuture<RefusedException> deadLetter(
            Principal sender, byte[] envelope, RefusedException refused) {
        String reason = refused.refusal().name().toLowerCase(Locale.ROOT).replace('_', '-');
        LOG.info("Refused an envelope of {}/{} by MQTT for good: {}", sender.tenant(), sender.name(), reason);
        if (deadLetterTopic.isEmpty()) {
            return CompletableFuture.completedFuture(refused);
        }
        Map<String, String> properties = Map.of(
                "reason", reason,
                "detail", refused.getMessage(),
                "tenant", sender.tenant(),
                "sender", sender.name());
        String topic = topics.topic(sender.tenant(), deadLetterTopic);
        return publisher.publish(topic, envelope, properties).handle((done, failure) -> {
            if (failure == null) {
                deadLetters.increment();
                return refused;
            }
            lostDeadLetters.increment();
            LOG.warn("The broker did not take a dead letter: {}", failure.toString());
            return new RefusedException(Refusal.UNAVAILABLE, "refused, and the dead-letter topic cannot be reached");
        });
    }
}
