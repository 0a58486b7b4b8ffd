package dev.veilgate.gateway.broker;

import com.hivemq.extension.sdk.api.async.Async;
import com.hivemq.extension.sdk.api.async.TimeoutFallback;
import com.hivemq.extension.sdk.api.auth.SimpleAuthenticator;
import com.hivemq.extension.sdk.api.auth.parameter.SimpleAuthInput;
import com.hivemq.extension.sdk.api.auth.parameter.SimpleAuthOutput;
import com.hivemq.extension.sdk.api.auth.parameter.TopicPermission;
import com.hivemq.extension.sdk.api.client.parameter.ConnectionAttributeStore;
import com.hivemq.extension.sdk.api.packets.auth.DefaultAuthorizationBehaviour;
import com.hivemq.extension.sdk.api.packets.connect.ConnackReasonCode;
import com.hivemq.extension.sdk.api.packets.connect.ConnectPacket;
import com.hivemq.extension.sdk.api.packets.general.MqttVersion;
import com.hivemq.extension.sdk.api.services.builder.Builders;
import dev.veilgate.application.connection.MinuteLog;
import dev.veilgate.gateway.access.Access;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.access.Right;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets devices of the access file in, as many connections and sessions of each as it may have. They may subscribe to the topics that it names for them; what they may publish says {@link
 * EnvelopeInterceptor}. HiveMQ asks on its extensions' threads, and {@link Access} answers from memory.
 */
final class DeviceAuthenticator implements SimpleAuthenticator {
    private static final Logger LOG = LoggerFactory.getLogger(DeviceAuthenticator.class);

    /** For looking at the subscriptions of a session. */
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final Access access;
    private final DeviceLogins logins;
    private final TenantBarrier tenants;
    private final ConnectionMeters meters;
    private final BooleanSupplier open;
    private final BrokerProbe probe;
    private final MinuteLog refusedLog =
            new MinuteLog((times, latest) -> LOG.info("MQTT: refused logins: {}; the latest from {}", times, latest));
    private final MinuteLog limitLog = new MinuteLog(
            (times, latest) -> LOG.warn("MQTT: refused logins over a limit: {}; the latest of {}", times, latest));

    /**
     * Makes it.
     *
     * @param open  whether devices are let in yet
     * @param probe is let in
     */
    DeviceAuthenticator(
            Access access,
            DeviceLogins logins,
            TenantBarrier tenants,
            ConnectionMeters meters,
            BooleanSupplier open,
            BrokerProbe probe) {
        this.access = access;
        this.logins = logins;
        this.tenants = tenants;
        this.meters = meters;
        this.open = open;
        this.probe = probe;
    }

    /** Writes what the log has not said yet. To be called now and then. */
    void flushLog() {
        refusedLog.flush();
        limitLog.flush();
    }

    @Override
    public void onConnect(SimpleAuthInput input, SimpleAuthOutput output) {
        if (probe.isLogin(input.getConnectPacket())) {
            letIn(input.getConnectionInformation().getConnectionAttributeStore(), output);
            return;
        }
        if (!open.getAsBoolean()) {
            output.failAuthentication(ConnackReasonCode.SERVER_UNAVAILABLE, "the gateway is starting; try again");
            return;
        }
        ConnectPacket connect = input.getConnectPacket();
        Optional<String> grant =
                access.deviceGrant(connect.getUserName().orElse("")); // before the password is looked at
        Optional<Principal> device = connect.getPassword()
                .map(password -> StandardCharsets.UTF_8.decode(password).toString())
                .flatMap(password -> access.device(connect.getUserName().orElse(""), password))
                .filter(known -> known.rights().contains(Right.INGEST));
        if (device.isEmpty()) {
            refusedLog.note(input.getConnectionInformation()
                    .getInetAddress()
                    .map(Object::toString)
                    .orElse("an unknown address"));
            output.failAuthentication(ConnackReasonCode.BAD_USER_NAME_OR_PASSWORD);
            return;
        }
        if (connect.getWillPublish().isPresent()) {
            output.failAuthentication(ConnackReasonCode.NOT_AUTHORIZED, "a will is not taken");
            return;
        }
        ConnectionAttributeStore connection = input.getConnectionInformation().getConnectionAttributeStore();
        String client = input.getClientInformation().getClientId();
        Optional<DeviceQuota.Limit> limit = logins.enter(client, connection);
        if (limit.isPresent()) {
            overLimit(device.get(), limit.get(), connect.getMqttVersion(), output);
            return;
        }
        DeviceExtension.remember(connection, device.get(), grant.orElse(""));
        letIn(device.get(), client, connection, output);
    }

    /** The gateway itself, which publishes to one topic. */
    private static void letIn(ConnectionAttributeStore connection, SimpleAuthOutput output) {
        BrokerProbe.remember(connection);
        output.getDefaultPermissions().setDefaultBehaviour(DefaultAuthorizationBehaviour.DENY);
        output.getDefaultPermissions()
                .add(Builders.topicPermission()
                        .topicFilter(BrokerProbe.topic())
                        .type(TopicPermission.PermissionType.ALLOW)
                        .activity(TopicPermission.MqttActivity.PUBLISH)
                        .build());
        output.authenticateSuccessfully();
    }

    /** MQTT 3.1.1 has no code for it; "server unavailable" makes clients try again later, "not authorized" makes some give up. */
    private void overLimit(Principal device, DeviceQuota.Limit limit, MqttVersion version, SimpleAuthOutput output) {
        String what = switch (limit) {
            case CONNECTIONS -> "this device has as many connections as it may";
            case SESSIONS -> "this device has as many sessions as it may";
            case BROKER -> "there are as many connections as there may be";
        };
        meters.overLimit(limit);
        limitLog.note(device.name() + ": " + what);
        output.failAuthentication(
                version == MqttVersion.V_5 ? ConnackReasonCode.QUOTA_EXCEEDED : ConnackReasonCode.SERVER_UNAVAILABLE,
                what);
    }

    private void letIn(Principal device, String client, ConnectionAttributeStore connection, SimpleAuthOutput output) {
        output.getDefaultPermissions().setDefaultBehaviour(DefaultAuthorizationBehaviour.DENY);
        for (String filter : device.topics()) {
            output.getDefaultPermissions()
                    .add(Builders.topicPermission()
                            .topicFilter(filter)
                            .type(TopicPermission.PermissionType.ALLOW)
                            .activity(TopicPermission.MqttActivity.SUBSCRIBE)
                            .build());
        }
        CompletableFuture<Void> clean = tenants.cleanSession(client, device);
        if (clean.isDone() && !clean.isCompletedExceptionally()) {
            output.authenticateSuccessfully();
            return;
        }
        Async<SimpleAuthOutput> later =
                output.async(TIMEOUT, TimeoutFallback.FAILURE, ConnackReasonCode.SERVER_UNAVAILABLE, "try again");
        clean.whenComplete((done, failure) -> {
            if (failure == null) {
                output.authenticateSuccessfully();
            } else {
                LOG.warn("MQTT: the subscriptions of a session cannot be looked at", failure);
                logins.leave(client, connection);
                output.failAuthentication(ConnackReasonCode.SERVER_UNAVAILABLE, "try again");
            }
            later.resume();
        });
    }
}
