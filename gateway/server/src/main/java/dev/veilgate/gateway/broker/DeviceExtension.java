package dev.veilgate.gateway.broker;

import com.hivemq.extension.sdk.api.ExtensionMain;
import com.hivemq.extension.sdk.api.client.parameter.ConnectionAttributeStore;
import com.hivemq.extension.sdk.api.interceptor.connect.parameter.ConnectInboundInput;
import com.hivemq.extension.sdk.api.interceptor.connect.parameter.ConnectInboundOutput;
import com.hivemq.extension.sdk.api.parameter.ExtensionStartInput;
import com.hivemq.extension.sdk.api.parameter.ExtensionStartOutput;
import com.hivemq.extension.sdk.api.parameter.ExtensionStopInput;
import com.hivemq.extension.sdk.api.parameter.ExtensionStopOutput;
import com.hivemq.extension.sdk.api.services.Services;
import com.hivemq.extension.sdk.api.services.publish.PublishService;
import dev.veilgate.gateway.access.Access;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.access.Right;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What makes HiveMQ our broker: only devices of the access file log in, each under client ids of its own, for as long as they have access; what they publish goes to the sink
 * and nowhere else; they subscribe to the topics that it names for them.
 */
final class DeviceExtension implements ExtensionMain {
    private static final String NAME = "veilgate-name";
    private static final String TENANT = "veilgate-tenant";

    private static final String GRANT = "veilgate-grant";

    private final Access access;
    private final DeviceLogins logins;
    private final QosRefusals refusals;
    private volatile @Nullable EnvelopeSink sink;
    private volatile @Nullable PublishService publisher;

    DeviceExtension(Access access, QosRefusals refusals) {
        this.access = access;
        this.refusals = refusals;
        this.logins = new DeviceLogins(access);
        access.onChange(() -> {
            if (publisher != null) {
                logins.sweep();
            }
        });
    }

    /** Lets devices in, from now on: until then they are told to come again. */
    void open(EnvelopeSink sink) {
        this.sink = sink;
    }

    /** Where envelopes go; null until it is open. */
    @Nullable
    EnvelopeSink sink() {
        return sink;
    }

    /** Null until the broker has started. */
    @Nullable
    PublishService publisher() {
        return publisher;
    }

    @Override
    public void extensionStart(ExtensionStartInput input, ExtensionStartOutput output) {
        DeviceAuthenticator authenticator = new DeviceAuthenticator(access, () -> sink != null);
        Services.securityRegistry().setAuthenticatorProvider(asked -> authenticator);
        Services.interceptorRegistry().setConnectInboundInterceptorProvider(asked -> DeviceExtension::ownSession);
        EnvelopeInterceptor interceptor = new EnvelopeInterceptor(this::sink, refusals);
        ExactlyOnceRefusal exactlyOnce = new ExactlyOnceRefusal(refusals);
        Services.initializerRegistry().setClientInitializer((connected, client) -> {
            client.addPublishInboundInterceptor(interceptor);
            client.addPubrecOutboundInterceptor(exactlyOnce);
        });
        Services.eventRegistry().setClientLifecycleEventListener(connected -> logins);
        publisher = Services.publishService();
    }

    @Override
    public void extensionStop(ExtensionStopInput input, ExtensionStopOutput output) {
        publisher = null;
    }

    /** Puts the user's name before the client's id, so that nobody takes over the session, and with it the messages, of another device. */
    private static void ownSession(ConnectInboundInput input, ConnectInboundOutput output) {
        String user = output.getConnectPacket().getUserName().orElse("");
        output.getConnectPacket()
                .setClientId(EnvelopeTopic.escape(user) + "/"
                        + input.getConnectPacket().getClientId());
    }

    /**
     * Remembers who has logged in on a connection.
     *
     * @param grant as {@link Access#deviceGrant} said before
     */
    static void remember(ConnectionAttributeStore connection, Principal device, String grant) {
        connection.putAsString(GRANT, grant);
        connection.putAsString(NAME, device.name());
        connection.putAsString(TENANT, device.tenant());
    }

    /** By which grant somebody has logged in on a connection. */
    static String grant(ConnectionAttributeStore connection) {
        return connection.getAsString(GRANT).orElse("");
    }

    /** Who has logged in on a connection. */
    static Optional<Principal> device(ConnectionAttributeStore connection) {
        return connection
                .getAsString(NAME)
                .flatMap(name -> connection
                        .getAsString(TENANT)
                        .map(tenant ->
                                new Principal(Principal.Kind.DEVICE, name, tenant, Set.of(Right.INGEST), Set.of())));
    }
}
