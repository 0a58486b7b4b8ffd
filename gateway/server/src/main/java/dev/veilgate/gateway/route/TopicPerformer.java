package dev.veilgate.gateway.route;

import dev.veilgate.gateway.broker.TenantTopics;
import dev.veilgate.gateway.broker.TopicPublisher;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** A notice to a topic of the broker, one of the tenant. */
@Component
final class TopicPerformer implements ActionPerformer {
    private static final long TIMEOUT_SECONDS = 15;

    private final TopicPublisher publisher;
    private final TenantTopics topics;
    private final ActionQueue queue;
    private final JsonMapper json;

    TopicPerformer(TopicPublisher publisher, TenantTopics topics, ActionQueue queue, JsonMapper json) {
        this.publisher = publisher;
        this.topics = topics;
        this.queue = queue;
        this.json = json;
    }

    @Override
    public RouteAction.Kind kind() {
        return RouteAction.Kind.TOPIC;
    }

    @Override
    public String needs(Route route) {
        return "mqtt";
    }

    @Override
    public boolean isOurs() {
        return true;
    }

    @Override
    public void perform(Route route, ActionQueue.Taken taken) throws Exception {
        byte[] notice = json.writeValueAsBytes(taken.notice().json());
        CompletableFuture<Void> published =
                publisher.publish(topics.topic(route.tenant(), route.action().target()), notice);
        try {
            published.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new UnreachableException(Objects.requireNonNull(e.getCause())); // a future always says why
        } catch (TimeoutException e) {
            throw new UnreachableException(e);
        }
        queue.done(taken);
    }
}
