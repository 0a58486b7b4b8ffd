package dev.veilgate.gateway.broker;

import com.hivemq.extension.sdk.api.client.parameter.ConnectionAttributeStore;
import com.hivemq.extension.sdk.api.client.parameter.ConnectionInformation;
import com.hivemq.extension.sdk.api.packets.general.Qos;
import dev.veilgate.gateway.access.Principal;
import java.util.concurrent.atomic.AtomicLongArray;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts messages whose quality of service is not taken, and says it in the log, once for each connection. */
final class QosRefusals {
    private static final Logger LOG = LoggerFactory.getLogger(QosRefusals.class);
    private static final String SAID = "veilgate-qos-said-";

    private final AtomicLongArray counts = new AtomicLongArray(Qos.values().length);

    void note(ConnectionInformation connection, Qos qos) {
        counts.incrementAndGet(qos.getQosNumber());
        ConnectionAttributeStore attributes = connection.getConnectionAttributeStore();
        String said = SAID + qos.getQosNumber();
        if (attributes.getAsString(said).isEmpty()) {
            attributes.putAsString(said, "yes");
            LOG.warn(
                    "MQTT: {} publishes with QoS {}; nothing of that is stored, since only QoS 1 is taken{}",
                    DeviceExtension.device(attributes).map(Principal::name).orElse("a device"),
                    qos.getQosNumber(),
                    qos == Qos.EXACTLY_ONCE ? "; its connection is closed" : "");
        }
    }

    /** Messages of a quality of service that were refused for it. */
    long count(int qos) {
        return counts.get(qos);
    }
}
