package dev.veilgate.gateway.broker;

/** The broker that devices publish to: the embedded one, or another that the gateway is a client of. */
public interface Broker extends TopicPublisher, AutoCloseable {
    /** Begins in the background what {@link #start} takes long for, so that the rest of the program starts meanwhile. May be left out. */
    default void prepare() {}

    /**
     * Begins to serve, or to connect, and to hand over what is published to the topics of envelopes.
     *
     * @throws IllegalStateException if it cannot, for a reason that trying again does not change: an address in use, a bad setting
     */
    void start(EnvelopeSink sink);

    /** Whether devices can publish now. */
    boolean ready();

    /** Whether it is not ready because it starts, for whatever time that takes. */
    default boolean starting() {
        return false;
    }

    /**
     * Messages that were refused since the start because of their quality of service: only QoS 1 is taken.
     *
     * @param qos 0 or 2
     */
    default long refused(int qos) {
        return 0;
    }

    /** For health: where it listens, or what it is connected to, or why it is not. */
    String status();

    /** Takes nothing any more; what was handed over and is not yet durable is not acknowledged. */
    @Override
    void close();
}
