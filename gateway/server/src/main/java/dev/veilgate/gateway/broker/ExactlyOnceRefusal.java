package dev.veilgate.gateway.broker;

import com.hivemq.extension.sdk.api.async.Async;
import com.hivemq.extension.sdk.api.interceptor.pubrec.PubrecOutboundInterceptor;
import com.hivemq.extension.sdk.api.interceptor.pubrec.parameter.PubrecOutboundInput;
import com.hivemq.extension.sdk.api.interceptor.pubrec.parameter.PubrecOutboundOutput;
import com.hivemq.extension.sdk.api.packets.disconnect.DisconnectReasonCode;
import com.hivemq.extension.sdk.api.packets.general.Qos;
import com.hivemq.extension.sdk.api.services.Services;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends no PUBREC. HiveMQ remembers a message of QoS 2 before anybody is asked about it, and answers the same message, sent again on a later connection, without asking:
 * the device would take it for stored. Nothing of QoS 2 is ever taken, so whoever is about to get a PUBREC loses the connection instead.
 */
final class ExactlyOnceRefusal implements PubrecOutboundInterceptor {
    private static final Logger LOG = LoggerFactory.getLogger(ExactlyOnceRefusal.class);

    /** Longer than it takes to close a connection. Until then nothing of this client goes on, not even its next login. */
    private static final Duration HELD = Duration.ofSeconds(30);

    private final QosRefusals refusals;

    ExactlyOnceRefusal(QosRefusals refusals) {
        this.refusals = refusals;
    }

    @Override
    public void onOutboundPubrec(PubrecOutboundInput input, PubrecOutboundOutput output) {
        Async<PubrecOutboundOutput> held = output.async(HELD);
        refusals.note(input.getConnectionInformation(), Qos.EXACTLY_ONCE);
        Services.clientService()
                .disconnectClient(
                        input.getClientInformation().getClientId(),
                        true,
                        DisconnectReasonCode.QOS_NOT_SUPPORTED,
                        "envelopes need QoS 1")
                .whenComplete((done, failure) -> {
                    if (failure == null) {
                        held.resume(); // there is no connection any more that it could go to
                    } else {
                        LOG.warn("MQTT: a device that publishes with QoS 2 could not be disconnected", failure);
                    }
                });
    }
}
