package dev.veilgate.transport;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.function.Consumer;
import javax.net.SocketFactory;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** Sockets of another factory, each of which is adjusted before anybody has it. */
final class AdjustedSockets extends SSLSocketFactory {
    private final SSLSocketFactory factory;
    private final Adjustment adjustment;

    /** A change of a socket. */
    @FunctionalInterface
    interface Adjustment {
        void apply(Socket socket) throws IOException;

        /** A change of TLS sockets only. */
        static Adjustment ofTls(Consumer<SSLSocket> change) {
            return socket -> change.accept((SSLSocket) socket);
        }
    }

    AdjustedSockets(SSLSocketFactory factory, Adjustment adjustment) {
        this.factory = factory;
        this.adjustment = adjustment;
    }

    /** Adjusted sockets without TLS. */
    static SocketFactory plain(SocketFactory factory, Adjustment adjustment) {
        return new Plain(factory, adjustment);
    }

    @Override
    public Socket createSocket() throws IOException {
        return adjusted(factory.createSocket(), adjustment);
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return adjusted(factory.createSocket(host, port), adjustment);
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress from, int fromPort) throws IOException {
        return adjusted(factory.createSocket(host, port, from, fromPort), adjustment);
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return adjusted(factory.createSocket(host, port), adjustment);
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort) throws IOException {
        return adjusted(factory.createSocket(host, port, from, fromPort), adjustment);
    }

    @Override
    public Socket createSocket(Socket socket, String host, int port, boolean autoClose) throws IOException {
        return adjusted(factory.createSocket(socket, host, port, autoClose), adjustment);
    }

    @Override
    public String[] getDefaultCipherSuites() {
        return factory.getDefaultCipherSuites();
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return factory.getSupportedCipherSuites();
    }

    private static Socket adjusted(Socket socket, Adjustment adjustment) throws IOException {
        adjustment.apply(socket);
        return socket;
    }

    private static final class Plain extends SocketFactory {
        private final SocketFactory factory;
        private final Adjustment adjustment;

        Plain(SocketFactory factory, Adjustment adjustment) {
            this.factory = factory;
            this.adjustment = adjustment;
        }

        @Override
        public Socket createSocket() throws IOException {
            return adjusted(factory.createSocket(), adjustment);
        }

        @Override
        public Socket createSocket(String host, int port) throws IOException {
            return adjusted(factory.createSocket(host, port), adjustment);
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress from, int fromPort) throws IOException {
            return adjusted(factory.createSocket(host, port, from, fromPort), adjustment);
        }

        @Override
        public Socket createSocket(InetAddress host, int port) throws IOException {
            return adjusted(factory.createSocket(host, port), adjustment);
        }

        @Override
        public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort) throws IOException {
            return adjusted(factory.createSocket(host, port, from, fromPort), adjustment);
        }
    }
}
