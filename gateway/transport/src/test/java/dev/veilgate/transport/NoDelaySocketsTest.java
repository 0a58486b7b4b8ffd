package dev.veilgate.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.Test;

class NoDelaySocketsTest {
    @Test
    void eachWayToASocketMakesOneThatSendsAtOnce() throws Exception {
        SSLSocketFactory tls = SSLContext.getDefault().getSocketFactory();
        InetAddress here = InetAddress.getLoopbackAddress();
        try (ServerSocket listening = new ServerSocket(0, 50, here)) {
            int port = listening.getLocalPort();
            for (SocketFactory sockets : List.of(NoDelaySockets.plain(), NoDelaySockets.tls(tls))) {
                for (Socket socket : List.of(
                        sockets.createSocket(),
                        sockets.createSocket("localhost", port),
                        sockets.createSocket(here, port),
                        sockets.createSocket("localhost", port, here, 0),
                        sockets.createSocket(here, port, here, 0))) {
                    try (socket) {
                        assertThat(socket.getTcpNoDelay()).isTrue();
                    }
                }
            }
            try (Socket around =
                    NoDelaySockets.tls(tls).createSocket(new Socket(here, port), "localhost", port, true)) {
                assertThat(around.getTcpNoDelay()).isTrue();
            }
        }
    }
}
