package dev.veilgate.gateway.broker;

import com.hivemq.configuration.service.entity.Tls;
import com.hivemq.embedded.EmbeddedHiveMQ;
import com.hivemq.persistence.clientqueue.ClientQueueLocalPersistence;
import com.hivemq.persistence.connection.ConnectionPersistence;
import com.hivemq.security.ssl.SslContextFactory;
import com.hivemq.security.ssl.SslContextStore;
import io.netty.channel.Channel;
import io.netty.handler.ssl.SslContext;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * Three things of HiveMQ that it has no interface for: the listeners, since it asks nobody before a CONNECT is there, their TLS, and the lengths of the queues, which it measures in memory mode only. Another
 * version that has them elsewhere does not start, with a message that says so.
 */
final class HiveMqInternals {
    private final Collection<Channel> listeners;
    /** By bucket: the lengths by queue, as numbers that change. */
    private final Map<?, ? extends Map<?, ? extends Number>> queues;

    /** @throws IllegalStateException if this version of HiveMQ has them elsewhere */
    @SuppressWarnings("unchecked") // a wrong type fails in the test of this class
    HiveMqInternals(EmbeddedHiveMQ hivemq) {
        try {
            Method injector = hivemq.getClass().getDeclaredMethod("getInjector");
            injector.setAccessible(true);
            Method instance = injector.getReturnType().getMethod("getInstance", Class.class);
            Object made = injector.invoke(hivemq);
            listeners = List.copyOf(
                    ((Map<?, Channel>) field(instance.invoke(made, ConnectionPersistence.class), "serverChannelMap"))
                            .values());
            offerHybridTls(instance.invoke(made, SslContextStore.class));
            queues = (Map<?, ? extends Map<?, ? extends Number>>)
                    field(instance.invoke(made, ClientQueueLocalPersistence.class), "queueSizeBuckets");
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new IllegalStateException("this version of HiveMQ is built in another way: " + e, e);
        }
    }

    /** Before a device may log in: those who are connected already are sent away then. */
    @SuppressWarnings("unchecked") // a wrong type fails in the test of this class
    private static void offerHybridTls(Object store) throws ReflectiveOperationException {
        SslContextFactory contexts = new HybridSslContexts();
        Field factory = SslContextStore.class.getDeclaredField("sslContextFactory");
        factory.setAccessible(true);
        factory.set(store, contexts); // for certificates that come later
        ((Map<Tls, SslContext>) field(store, "sslContextMap"))
                .replaceAll((tls, runtime) -> contexts.createSslContext(tls));
    }

    private static Object field(Object of, String name) throws ReflectiveOperationException {
        for (Class<?> type = of.getClass(); type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getName().equals(name)) {
                    field.setAccessible(true);
                    return field.get(of);
                }
            }
        }
        throw new NoSuchFieldException(of.getClass() + "." + name);
    }

    /** Channels that new connections come from. */
    Collection<Channel> listeners() {
        return listeners;
    }

    /** How many messages wait in each queue of a subscriber, or of a shared subscription. */
    LongStream queueLengths() {
        return queues.values().stream()
                .flatMap(bucket -> bucket.values().stream())
                .mapToLong(Number::longValue);
    }
}
