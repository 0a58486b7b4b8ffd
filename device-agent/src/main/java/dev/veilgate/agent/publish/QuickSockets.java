package dev.veilgate.agent.publish;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;
import javax.net.ssl.SSLSocketFactory;

/** Sockets that send at once: with Nagle's algorithm each acknowledged envelope would wait for a timer of the other side. */
final class QuickSockets extends SSLSocketFactory {
    private final SSLSocketFactory factory;

    QuickSockets(SSLSocketFactory factory) {
        this.factory = factory;
    }

    static SocketFactory plain() {
        return new Plain();
    }

    private static Socket quick(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        return socket;
    }

    private static final class Plain extends SocketFactory {
        @Override
        public Socket createSocket() throws IOException {
            return quick(new Socket());
        }

        @Override
        public Socket createSocket(String host, int port) throws IOException {
            return quick(new Socket(host, port));
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress local, int localPort) throws IOException {
            return quick(new Socket(host, port, local, localPort));
        }

        @Override
        public Socket createSocket(InetAddress host, int port) throws IOException {
            return quick(new Socket(host, port));
        }

        @Override
        public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) throws IOException {
            return quick(new Socket(host, port, local, localPort));
        }
    }

    @Override
    public Socket createSocket() throws IOException {
        return quick(factory.createSocket());
    }

    @Override
    public Socket createSocket(Socket socket, String host, int port, boolean autoClose) throws IOException {
        return quick(factory.createSocket(socket, host, port, autoClose));
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return quick(factory.createSocket(host, port));
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort) throws IOException {
        return quick(factory.createSocket(host, port, local, localPort));
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return quick(factory.createSocket(host, port));
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) throws IOException {
        return quick(factory.createSocket(host, port, local, localPort));
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
