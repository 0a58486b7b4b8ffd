package dev.veilgate.gateway.broker;

import com.hivemq.extension.sdk.api.async.Async;
import com.hivemq.extension.sdk.api.async.TimeoutFallback;
import com.hivemq.extension.sdk.api.interceptor.publish.PublishInboundInterceptor;
import com.hivemq.extension.sdk.api.interceptor.publish.parameter.PublishInboundInput;
import com.hivemq.extension.sdk.api.interceptor.publish.parameter.PublishInboundOutput;
import com.hivemq.extension.sdk.api.packets.general.Qos;
import com.hivemq.extension.sdk.api.packets.publish.AckReasonCode;
import com.hivemq.extension.sdk.api.packets.publish.PublishPacket;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.ingest.Refusal;
import dev.veilgate.gateway.ingest.RefusedException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Hands each message that a device publishes to the sink and answers when the sink has: with success once it is
 * durable, else with a reason. The broker delivers and stores none of them. A client of MQTT 3.1.1, which knows no
 * reasons, is disconnected instead and has no acknowledgement.
 *
 * <p>HiveMQ asks for one message of a client at a time, so the envelopes of a device become durable in their order, and
 * acknowledgements come in that order too; those of several devices become durable together.
 */
final class EnvelopeInterceptor implements PublishInboundInterceptor {
    /**
     * After it the device is told to try again; whether the envelope became durable is then open, and the same one is
     * welcome again.
     */
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final Supplier<@Nullable EnvelopeSink> sink;
    private final QosRefusals refusals;
    private final PublishMeters publishes;

    /** @param sink null as long as no device is let in */
    EnvelopeInterceptor(Supplier<@Nullable EnvelopeSink> sink, QosRefusals refusals, PublishMeters publishes) {
        this.sink = sink;
        this.refusals = refusals;
        this.publishes = publishes;
    }

    @Override
    public void onInboundPublish(PublishInboundInput input, PublishInboundOutput output) {
        PublishPacket packet = input.getPublishPacket();
        if (BrokerProbe.is(input.getConnectionInformation().getConnectionAttributeStore())) {
            publishes.countKeptFromBroker();
            output.preventPublishDelivery(
                    AckReasonCode.SUCCESS); // nobody subscribes to it; as an envelope that is taken
            return;
        }
        if (packet.getQos() == Qos.EXACTLY_ONCE) {
            publishes.count("qos_2");
            refusals.note(input.getConnectionInformation(), packet.getQos());
            return; // the broker goes on to look at it itself, and closes the connection: over the maximum
        }
        Optional<Principal> device =
                DeviceExtension.device(input.getConnectionInformation().getConnectionAttributeStore());
        if (device.isEmpty() || !isTopicOf(device.get(), packet.getTopic())) {
            publishes.count("not_own_topic");
            publishes.countKeptFromBroker();
            output.preventPublishDelivery(AckReasonCode.NOT_AUTHORIZED, "a device publishes to its own topic only");
            return;
        }
        if (packet.getQos() == Qos.AT_MOST_ONCE) {
            publishes.count("qos_0");
            refusals.note(input.getConnectionInformation(), packet.getQos());
            publishes.countKeptFromBroker();
            output.preventPublishDelivery(AckReasonCode.IMPLEMENTATION_SPECIFIC_ERROR, "envelopes need QoS 1");
            return;
        }
        publishes.countKeptFromBroker(); // taken, refused, or late
        EnvelopeSink taker = sink.get();
        if (taker == null) {
            output.preventPublishDelivery(code(Refusal.UNAVAILABLE), "the gateway is starting; try again");
            return;
        }
        CompletableFuture<Optional<RefusedException>> taken = taker.take(device.get(), bytes(packet.getPayload()));
        if (taken.isDone()) {
            answer(output, taken.join());
            return;
        }
        Async<PublishInboundOutput> later = output.async(
                TIMEOUT, TimeoutFallback.FAILURE, code(Refusal.UNAVAILABLE), "not durable in time; try again");
        taken.thenAccept(refused -> {
            if (later.getStatus() == Async.Status.RUNNING) {
                answer(output, refused);
                later.resume();
            }
        });
    }

    private static boolean isTopicOf(Principal device, String topic) {
        return new EnvelopeTopic(device.tenant(), device.name()).name().equals(topic);
    }

    private static byte[] bytes(Optional<ByteBuffer> payload) {
        byte[] bytes = new byte[payload.map(ByteBuffer::remaining).orElse(0)];
        payload.ifPresent(buffer -> buffer.get(bytes));
        return bytes;
    }

    private static void answer(PublishInboundOutput output, Optional<RefusedException> refused) {
        if (refused.isEmpty()) {
            output.preventPublishDelivery(AckReasonCode.SUCCESS);
        } else {
            output.preventPublishDelivery(
                    code(refused.get().refusal()), refused.get().getMessage());
        }
    }

    private static AckReasonCode code(Refusal refusal) {
        return switch (refusal) {
            case MALFORMED, OUTDATED -> AckReasonCode.PAYLOAD_FORMAT_INVALID;
            case UNKNOWN_TENANT, UNKNOWN_KEY, UNKNOWN_SCOPE, BAD_SIGNATURE, NOT_ALLOWED, UNPROVEN_SENDER ->
                AckReasonCode.NOT_AUTHORIZED;
            case QUOTA, STORAGE_FULL -> AckReasonCode.QUOTA_EXCEEDED;
            case TOO_LARGE, CONFLICT, CLOCK, PLAIN_MAIL -> AckReasonCode.IMPLEMENTATION_SPECIFIC_ERROR;
            case UNAVAILABLE -> AckReasonCode.UNSPECIFIED_ERROR;
        };
    }
}
