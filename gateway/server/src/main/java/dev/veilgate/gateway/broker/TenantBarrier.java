package dev.veilgate.gateway.broker;

import com.hivemq.extension.sdk.api.auth.SubscriptionAuthorizer;
import com.hivemq.extension.sdk.api.auth.parameter.SubscriptionAuthorizerInput;
import com.hivemq.extension.sdk.api.auth.parameter.SubscriptionAuthorizerOutput;
import com.hivemq.extension.sdk.api.interceptor.publish.PublishOutboundInterceptor;
import com.hivemq.extension.sdk.api.interceptor.publish.parameter.PublishOutboundInput;
import com.hivemq.extension.sdk.api.interceptor.publish.parameter.PublishOutboundOutput;
import com.hivemq.extension.sdk.api.packets.subscribe.SubackReasonCode;
import com.hivemq.extension.sdk.api.services.subscription.SubscriptionStore;
import com.hivemq.extension.sdk.api.services.subscription.TopicSubscription;
import dev.veilgate.gateway.access.Principal;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps topics of one tenant from devices of another, whatever the access file lets them subscribe to: when they subscribe, when they come back to a session with older subscriptions, and
 * before each message that they get.
 */
final class TenantBarrier implements SubscriptionAuthorizer, PublishOutboundInterceptor {
    private static final Logger LOG = LoggerFactory.getLogger(TenantBarrier.class);

    private final TenantTopics topics;
    private volatile @Nullable SubscriptionStore store;

    TenantBarrier(TenantTopics topics) {
        this.topics = topics;
    }

    /** Before anybody connects. */
    void use(SubscriptionStore subscriptions) {
        store = subscriptions;
    }

    @Override
    public void authorizeSubscribe(SubscriptionAuthorizerInput input, SubscriptionAuthorizerOutput output) {
        Optional<Principal> device =
                DeviceExtension.device(input.getConnectionInformation().getConnectionAttributeStore());
        String filter = input.getSubscription().getTopicFilter();
        if (device.isPresent() && topics.maySubscribe(device.get().tenant(), filter)) {
            output.nextExtensionOrDefault(); // which asks for the topics of the access file
        } else {
            output.failAuthorization(
                    SubackReasonCode.NOT_AUTHORIZED, "a device subscribes to its tenant's topics only");
        }
    }

    @Override
    public void onOutboundPublish(PublishOutboundInput input, PublishOutboundOutput output) {
        boolean own = DeviceExtension.device(input.getConnectionInformation().getConnectionAttributeStore())
                .filter(device ->
                        topics.mayRead(device.tenant(), input.getPublishPacket().getTopic()))
                .isPresent();
        if (!own) {
            output.preventPublishDelivery();
        }
    }

    /** Takes subscriptions out of a session that are not for the tenant, or not any more; completes when none is left. */
    CompletableFuture<Void> cleanSession(String client, Principal device) {
        SubscriptionStore subscribed = Objects.requireNonNull(store);
        return subscribed.getSubscriptions(client).thenCompose(subscriptions -> {
            Set<String> foreign = subscriptions.stream()
                    .map(TopicSubscription::getTopicFilter)
                    .filter(filter -> !topics.maySubscribe(device.tenant(), filter))
                    .collect(Collectors.toSet());
            if (foreign.isEmpty()) {
                return CompletableFuture.completedFuture(null);
            }
            LOG.warn(
                    "MQTT: {} loses {} subscriptions, since not all of what they match is for its tenant {}",
                    device.name(),
                    foreign.size(),
                    device.tenant());
            return subscribed.removeSubscriptions(client, foreign);
        });
    }
}
