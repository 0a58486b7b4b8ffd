package dev.veilgate.transport;

import javax.net.SocketFactory;
import javax.net.ssl.SSLSocketFactory;

/**
 * Sockets that send at once: with Nagle's algorithm acknowledgements would wait for a timer of the other side. Paho asks for unconnected ones
 * only.
 */
public final class NoDelaySockets {
    private static final AdjustedSockets.Adjustment NO_DELAY = socket -> socket.setTcpNoDelay(true);

    private NoDelaySockets() {}

    /** Without TLS. */
    public static SocketFactory plain() {
        return AdjustedSockets.plain(SocketFactory.getDefault(), NO_DELAY);
    }

    /** With that of a factory. */
    public static SSLSocketFactory tls(SSLSocketFactory factory) {
        return new AdjustedSockets(factory, NO_DELAY);
    }
}
