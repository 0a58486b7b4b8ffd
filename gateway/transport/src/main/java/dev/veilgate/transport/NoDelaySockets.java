package dev.veilgate.transport;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;
import javax.net.ssl.SSLSocketFactory;

/**
 * Sockets that send at once: with Nagle's algorithm acknowledgements would wait for a timer of the other side. Paho asks for unconnected ones
 * only.
 */
public final class NoDelaySockets {
    private NoDelaySockets() {}

    /** Without TLS. */
    public static SocketFactory plain() {
        return new Plain(SocketFactory.getDefault());
    }

    /** With that of a factory. */
    public static SSLSocketFactory tls(SSLSocketFactory factory) {
        return new Tls(factory);
    }

    private static Socket noDelay(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        return socket;
    }

    private static final class Plain extends SocketFactory {
        private final SocketFactory factory;

        Plain(SocketFactory factory) {
            this.factory = factory;
        }

        @Override
        public Socket createSocket() throws IOException {
            return noDelay(factory.createSocket());
        }

        @Override
        public Socket createSocket(String host, int port) throws IOException {
            return noDelay(factory.createSocket(host, port));
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress from, int fromPort) throws IOException {
            return noDelay(factory.createSocket(host, port, from, fromPort));
        }

        @Override
        public Socket createSocket(InetAddress host, int port) throws IOException {
            return noDelay(factory.createSocket(host, port));
        }

        @Override
        public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort) throws IOException {
            return noDelay(factory.createSocket(host, port, from, fromPort));
        }
    }

    private static final class Tls extends SSLSocketFactory {
        private final SSLSocketFactory factory;
        private final Plain noDelay;

        Tls(SSLSocketFactory factory) {
            this.factory = factory;
            this.noDelay = new Plain(factory);
        }

        @Override
        public Socket createSocket() throws IOException {
            return noDelay.createSocket();
        }

        @Override
        public Socket createSocket(String host, int port) throws IOException {
            return noDelay.createSocket(host, port);
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress from, int fromPort) throws IOException {
            return noDelay.createSocket(host, port, from, fromPort);
        }

        @Override
        public Socket createSocket(InetAddress host, int port) throws IOException {
            return noDelay.createSocket(host, port);
        }

        @Override
        public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort) throws IOException {
            return noDelay.createSocket(host, port, from, fromPort);
        }

        @Override
        public Socket createSocket(Socket socket, String host, int port, boolean autoClose) throws IOException {
            return noDelay(factory.createSocket(socket, host, port, autoClose));
        }

        @Override
        public String[] getDefaultCipherSuites() {
            return factory.getDefaultCipherSuites();
        }

        @Override
        public String[] getSupportedCipherSuites() {
            return factory.getSupportedCipherSuites();
        }
    }
}
