package dev.veilgate.gateway.broker;

import com.hivemq.extension.sdk.api.client.parameter.ConnectionAttributeStore;
import com.hivemq.extension.sdk.api.client.parameter.ConnectionInformation;
import com.hivemq.extension.sdk.api.events.client.ClientLifecycleEventListener;
import com.hivemq.extension.sdk.api.events.client.parameters.AuthenticationSuccessfulInput;
import com.hivemq.extension.sdk.api.events.client.parameters.ConnectionStartInput;
import com.hivemq.extension.sdk.api.events.client.parameters.DisconnectEventInput;
import com.hivemq.extension.sdk.api.packets.disconnect.DisconnectReasonCode;
import com.hivemq.extension.sdk.api.services.Services;
import dev.veilgate.gateway.access.Access;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who is connected by which secret: a connection ends with the access that opened it. */
final class DeviceLogins implements ClientLifecycleEventListener {
    private static final Logger LOG = LoggerFactory.getLogger(DeviceLogins.class);
    private static final String NUMBER = "veilgate-login";

    private final Access access;
    private final DeviceQuota quota;
    private final Map<String, Login> logins = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();

    /**
     * A connection.
     *
     * @param grant  as {@link Access#deviceGrant} said when it was opened
     * @param number tells it from another one of the same client
     */
    private record Login(String device, String grant, String number) {}

    DeviceLogins(Access access, DeviceQuota quota) {
        this.access = access;
        this.quota = quota;
    }

    /**
     * Lets a client of a device in, unless the device has as many connections or sessions as it may.
     *
     * @return the limit that keeps it out
     */
    Optional<DeviceQuota.Limit> enter(String client, ConnectionAttributeStore connection) {
        String number = Long.toString(numbers.incrementAndGet());
        connection.putAsString(NUMBER, number);
        return quota.enter(client, number);
    }

    /** A client that was let in does not come after all. */
    void leave(String client, ConnectionAttributeStore connection) {
        quota.leave(client, connection.getAsString(NUMBER).orElse(""));
    }

    @Override
    public void onMqttConnectionStart(ConnectionStartInput input) {}

    @Override
    public void onAuthenticationSuccessful(AuthenticationSuccessfulInput input) {
        ConnectionInformation connection = input.getConnectionInformation();
        String client = input.getClientInformation().getClientId();
        DeviceExtension.device(connection.getConnectionAttributeStore()).ifPresent(device -> {
            String number =
                    connection.getConnectionAttributeStore().getAsString(NUMBER).orElse("");
            String grant = DeviceExtension.grant(connection.getConnectionAttributeStore());
            Login login = new Login(device.name(), grant, number);
            logins.put(client, login);
            endIfOver(client, login); // access that ended while it was being looked at
        });
    }

    /** An older connection of the same client may end after the new one began. */
    @Override
    public void onDisconnect(DisconnectEventInput input) {
        ConnectionAttributeStore connection = input.getConnectionInformation().getConnectionAttributeStore();
        if (BrokerProbe.is(connection)) {
            return;
        }
        String client = input.getClientInformation().getClientId();
        String number = connection.getAsString(NUMBER).orElse("");
        logins.computeIfPresent(client, (same, login) -> login.number().equals(number) ? null : login);
        leave(client, connection);
    }

    /** Ends the connections whose access was taken away, or has another secret by now. */
    void sweep() {
        logins.forEach(this::endIfOver);
    }

    private void endIfOver(String client, Login login) {
        if (access.deviceGrant(login.device()).filter(login.grant()::equals).isPresent()) {
            return;
        }
        LOG.info("MQTT: a device is disconnected, since the access that it came by is no more");
        Services.clientService()
                .disconnectClient(client, true, DisconnectReasonCode.NOT_AUTHORIZED, "access was taken away or renewed")
                .exceptionally(e -> {
                    LOG.warn("MQTT: a device whose access was taken away is still connected", e);
                    return false;
                });
    }
}
