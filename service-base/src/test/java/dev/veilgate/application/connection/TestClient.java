package dev.veilgate.application.connection;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLSocketFactory;

/** Connection of a client that has an address of this machine's own network, such as 127.0.0.2. */
public final class TestClient implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 60_000;

    private final Socket socket;
    private final Socket wire;

    private TestClient(Socket socket, Socket wire) {
        this.socket = socket;
        this.wire = wire;
    }

    /** Connects without a byte. */
    public static TestClient connect(String from, int port) throws IOException {
        return connect(from, InetAddress.getLoopbackAddress(), port);
    }

    /** Connects to an address of this machine, without a byte. */
    public static TestClient connect(String from, InetAddress to, int port) throws IOException {
        Socket socket = new Socket();
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(from, 0));
        socket.connect(new InetSocketAddress(to, port));
        socket.setSoTimeout(PATIENCE_MILLIS);
        return new TestClient(socket, socket);
    }

    /** Does the handshake of TLS. */
    public TestClient secure(SSLSocketFactory tls) throws IOException {
        return new TestClient(tls.createSocket(socket, "localhost", socket.getPort(), true), wire);
    }

    /** Sends the header of a request for what the server has or not, whose answer has no body. */
    public void ask(String path) throws IOException {
        send("HEAD " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }

    /** Sends bytes as they are. */
    public void send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
    }

    /** Reads the header of an answer, and gives its status. */
    public int status() throws IOException {
        StringBuilder header = new StringBuilder();
        InputStream in = socket.getInputStream();
        while (header.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("closed after " + header.length() + " characters of an answer");
            }
            header.append((char) next);
        }
        return Integer.parseInt(header.substring("HTTP/1.1 ".length(), "HTTP/1.1 200".length()));
    }

    /** Asks and gives the status of the answer. */
    public int status(String path) throws IOException {
        ask(path);
        return status();
    }

    /** Waits until the server has closed it, and fails if it sends anything before. */
    public void requireClosed() throws IOException {
        int next;
        try {
            next = socket.getInputStream().read();
        } catch (SocketException e) {
            return; // by a reset
        }
        if (next >= 0) {
            throw new AssertionError("the server sent something");
        }
    }

    /** Sends bytes again and again, one at a time and slowly, until the server has closed the connection. */
    public void dripUntilClosed(String text) throws IOException, InterruptedException {
        socket.setSoTimeout(100);
        for (int i = 0; ; i++) {
            if (Thread.interrupted()) {
                throw new InterruptedException("the server has not closed it after " + i + " bytes");
            }
            try {
                send(text.substring(i % text.length(), i % text.length() + 1));
                if (socket.getInputStream().read() < 0) {
                    return;
                }
            } catch (SocketTimeoutException e) {
                // nothing came, and it is still open
            } catch (SocketException e) {
                return;
            }
        }
    }

    @Override
    public void close() throws IOException {
        wire.close(); // not with TLS's farewell, for which a server may not be there
    }
}
