package dev.veilgate.transport;

import java.io.IOException;
import java.net.Socket;
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

    /** Without TLS, for a client that has something to do with each socket before it connects. */
    public static SocketFactory plain(Preparation preparation) {
        return AdjustedSockets.plain(SocketFactory.getDefault(), noDelayAnd(preparation));
    }

    /** With that of a factory. */
    public static SSLSocketFactory tls(SSLSocketFactory factory) {
        return new AdjustedSockets(factory, NO_DELAY);
    }

    /** With that of a factory, for a client that has something to do with each socket before it connects. */
    public static SSLSocketFactory tls(SSLSocketFactory factory, Preparation preparation) {
        return new AdjustedSockets(factory, noDelayAnd(preparation));
    }

    private static AdjustedSockets.Adjustment noDelayAnd(Preparation preparation) {
        return socket -> {
            socket.setTcpNoDelay(true);
            preparation.apply(socket);
        };
    }

    /** Something to do with a socket before it connects. */
    public interface Preparation {
        /** @throws IOException if it cannot be done; then there is no socket */
        void apply(Socket socket) throws IOException;
    }
}
