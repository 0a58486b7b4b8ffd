package dev.veilgate.gateway.broker;

import com.hivemq.extension.sdk.api.auth.SimpleAuthenticator;
import com.hivemq.extension.sdk.api.auth.parameter.SimpleAuthInput;
import com.hivemq.extension.sdk.api.auth.parameter.SimpleAuthOutput;
import com.hivemq.extension.sdk.api.auth.parameter.TopicPermission;
import com.hivemq.extension.sdk.api.packets.auth.DefaultAuthorizationBehaviour;
import com.hivemq.extension.sdk.api.packets.connect.ConnackReasonCode;
import com.hivemq.extension.sdk.api.packets.connect.ConnectPacket;
import com.hivemq.extension.sdk.api.services.builder.Builders;
import dev.veilgate.gateway.access.Access;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.access.Right;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets devices of the access file in. They may subscribe to the topics that it names for them; what they may publish says {@link
 * EnvelopeInterceptor}. HiveMQ asks on its extensions' threads, and {@link Access} answers from memory.
 */
final class DeviceAuthenticator implements SimpleAuthenticator {
    private static final Logger LOG = LoggerFactory.getLogger(DeviceAuthenticator.class);

    private final Access access;
    private final BooleanSupplier open;

    /** @param open whether devices are let in yet */
    DeviceAuthenticator(Access access, BooleanSupplier open) {
        this.access = access;
        this.open = open;
    }

    @Override
    public void onConnect(SimpleAuthInput input, SimpleAuthOutput output) {
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
            LOG.info(
                    "MQTT: refused a login from {}",
                    input.getConnectionInformation()
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
        DeviceExtension.remember(
                input.getConnectionInformation().getConnectionAttributeStore(), device.get(), grant.orElse(""));
        output.getDefaultPermissions().setDefaultBehaviour(DefaultAuthorizationBehaviour.DENY);
        for (String filter : device.get().topics()) {
            output.getDefaultPermissions()
                    .add(Builders.topicPermission()
                            .topicFilter(filter)
                            .type(TopicPermission.PermissionType.ALLOW)
                            .activity(TopicPermission.MqttActivity.SUBSCRIBE)
                            .build());
        }
        output.authenticateSuccessfully();
    }
}
