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
import com.hivemq.extension.sdk.api.services.session.ClientService;
import dev.veilgate.gateway.access.Access;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.access.Right;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What makes HiveMQ our broker: only devices of the access file log in, each under client ids of its own, for as long as they have access; what they publish goes to the sink
 * and nowhere else; they subscribe to the topics that it names for them, if those are their tenant's.
 */
final class DeviceExtension implements ExtensionMain {
    private static final String NAME = "veilgate-name";
    private static final String TENANT = "veilgate-tenant";

    private static final String GRANT = "veilgate-grant";

    private final DeviceQuota quota;
    private final DeviceLogins logins;
    private final QosRefusals refusals;
    private final TenantBarrier tenants;
    private final DeviceAuthenticator authenticator;
    private final PublishMeters publishes;
    private volatile @Nullable EnvelopeSink sink;
    private volatile @Nullable PublishService publisher;
    /** This broker's own, as {@link Services} gives them at the start; later it gives those of the broker that was started last. */
    private volatile @Nullable ClientService clients;

    DeviceExtension(
            Access access,
            QosRefusals refusals,
            MqttSettings.Embedded settings,
            IntSupplier connected,
            TenantTopics topics,
            ConnectionMeters connections,
            PublishMeters publishes,
            BrokerProbe probe) {
        this.refusals = refusals;
        this.publishes = publishes;
        this.quota = new DeviceQuota(
                settings.limits(),
                () -> connected.getAsInt() >= settings.maxConnections(),
                this::session,
                System::nanoTime);
        this.logins = new DeviceLogins(access, quota);
        this.tenants = new TenantBarrier(topics);
        this.authenticator = new DeviceAuthenticator(access, logins, tenants, connections, () -> sink != null, probe);
        access.onChange(() -> {
            if (publisher != null) {
                logins.sweep();
            }
        });
    }

    /** Number of messages of devices that the broker was kept from delivering. */
    long keptFromBroker() {
        return publishes.keptFromBroker();
    }

    /** Lets devices in, from now on: until then they are told to come again. */
    void open(EnvelopeSink sink) {
        this.sink = sink;
    }

    /** Counts the sessions that were there before the start; completes when it has seen all of them. */
    CompletableFuture<Void> countSessions() {
        return Objects.requireNonNull(clients)
                .iterateAllClients((context, session) -> quota.restore(session.getClientIdentifier()));
    }

    private DeviceQuota.Session session(String client) {
        try {
            return Objects.requireNonNull(clients)
                    .getSession(client)
                    .join() // which is done at once
                    .map(found -> found.isConnected() ? DeviceQuota.Session.CONNECTED : DeviceQuota.Session.AWAY)
                    .orElse(DeviceQuota.Session.GONE);
        } catch (RuntimeException e) {
            return DeviceQuota.Session.AWAY; // the broker is being stopped: as far as anybody knows it is still there
        }
    }

    /** Writes what the log has not said yet. To be called now and then. */
    void flushLog() {
        authenticator.flushLog();
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
        clients = Services.clientService();
        tenants.use(Services.subscriptionStore());
        Services.securityRegistry().setAuthenticatorProvider(asked -> authenticator);
        Services.securityRegistry().setAuthorizerProvider(asked -> tenants);
        Services.interceptorRegistry().setConnectInboundInterceptorProvider(asked -> DeviceExtension::ownSession);
        EnvelopeInterceptor interceptor = new EnvelopeInterceptor(this::sink, refusals, publishes);
        ExactlyOnceRefusal exactlyOnce = new ExactlyOnceRefusal(refusals);
        Services.initializerRegistry().setClientInitializer((connected, client) -> {
            client.addPublishInboundInterceptor(interceptor);
            client.addPubrecOutboundInterceptor(exactlyOnce);
            client.addPublishOutboundInterceptor(tenants);
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
