package dev.veilgate.transport;

import static dev.veilgate.transport.TestCertificates.authority;
import static dev.veilgate.transport.TestCertificates.localhost;
import static dev.veilgate.transport.TestCertificates.pair;
import static dev.veilgate.transport.TestCertificates.pem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.transport.ClosingTls.Ending;
import dev.veilgate.transport.TestCertificates.Held;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ClosingTlsTest {
    private static final ClosingTls.Limits PATIENT =
            new ClosingTls.Limits(Duration.ofSeconds(60), Duration.ofSeconds(90), Duration.ofMillis(20));
    private static final byte[] LINE = "a line of the log\n".getBytes(StandardCharsets.UTF_8);

    @TempDir
    Path folder;

    private ServerSocket listening;
    private SSLContext server;
    private SSLContext client;

    @BeforeEach
    void listen() throws Exception {
        Held authority = authority(pair("EC", 256), "SHA256withECDSA");
        Held own = localhost(pair("EC", 256), authority, "SHA256withECDSA");
        Path authorities = Files.writeString(folder.resolve("ca.pem"), pem(authority.certificate()));
        Path keys = Files.writeString(
                folder.resolve("server.pem"), pem("PRIVATE KEY", own.key().getEncoded()) + pem(own.certificate()));
        server = TlsContext.classical(TlsContext.server(TlsKeys.ofPem(keys, keys)));
        client = TlsContext.client(authorities);
        listening = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void stop() throws IOException {
        listening.close();
    }

    /** Behaviour of a receiver, which has the TLS of its connection and the socket below. */
    @FunctionalInterface
    private interface Receiver {
        void take(SSLSocket tls, Socket below) throws Exception;
    }

    private CompletableFuture<Boolean> receive(Receiver receiver) {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try (Socket below = listening.accept()) {
                SSLSocket tls = (SSLSocket) server.getSocketFactory().createSocket(below, null, true);
                tls.setUseClientMode(false);
                tls.startHandshake();
                receiver.take(tls, below);
                done.complete(true);
            } catch (Exception e) {
                done.completeExceptionally(e);
            }
        });
        return done;
    }

    private void send(Ending ending, int lines, ClosingTls.Limits limits, SSLContext trust) throws IOException {
        send(listening.getLocalPort(), ending, lines, limits, trust);
    }

    private static void send(int port, Ending ending, int lines, ClosingTls.Limits limits, SSLContext trust)
            throws IOException {
        ClosingTls stream = new ClosingTls(trust, "localhost", port, limits);
        try {
            stream.connect();
            for (int i = 0; i < lines; i++) {
                stream.write(LINE);
            }
            stream.finish(ending);
        } finally {
            stream.release();
        }
    }

    @Test
    void finishesWhenThePeerHasReadToTheEndAndCloses() throws Exception {
        for (SSLContext trust : new SSLContext[] {client, TlsContext.classical(client)}) {
            CompletableFuture<Integer> read = new CompletableFuture<>();
            CompletableFuture<Boolean> done = receive((tls, below) -> {
                read.complete(tls.getInputStream().readAllBytes().length);
                tls.close();
            });
            send(Ending.CLOSE_NOTIFY, 50_000, PATIENT, trust);
            assertThat(read.get(30, TimeUnit.SECONDS)).isEqualTo(50_000 * LINE.length);
            assertThat(done.get(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void anEndWithoutCloseNotifyIsNoAnswerUnlessItIsExpected() throws Exception {
        Receiver truncating = (tls, below) -> {
            tls.getInputStream().readAllBytes();
            below.close();
        };
        receive(truncating);
        assertThatThrownBy(() -> send(Ending.CLOSE_NOTIFY, 3, PATIENT, client))
                .isInstanceOf(ClosingTls.EndedException.class);
        receive(truncating);
        send(Ending.END_OF_STREAM, 3, PATIENT, client);
    }

    /** Type of an encrypted record, the first of which a client sends when it has seen all of the handshake. */
    private static final int ENCRYPTED = 23;

    /** A way to the receiver that keeps what it says behind its handshake until it is let go. */
    private ServerSocket holding(CountDownLatch letGo) throws IOException {
        ServerSocket front = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        AtomicBoolean isBehindHandshake = new AtomicBoolean();
        Thread.ofVirtual().start(() -> {
            try (Socket near = front.accept();
                    Socket far = new Socket(listening.getInetAddress(), listening.getLocalPort())) {
                Thread.ofVirtual()
                        .start(() -> carry(near, far, type -> {
                            if (type == ENCRYPTED) {
                                isBehindHandshake.set(true);
                            }
                        }));
                carry(far, near, _ -> {
                    if (isBehindHandshake.get()) {
                        letGo.await();
                    }
                });
            } catch (IOException e) {
                // an end is not of interest here
            }
        });
        return front;
    }

    /** Something before a record is carried on. */
    @FunctionalInterface
    private interface Before {
        void record(int type) throws InterruptedException;
    }

    private static void carry(Socket from, Socket to, Before before) {
        try {
            InputStream in = from.getInputStream();
            for (byte[] head = in.readNBytes(5); head.length == 5; head = in.readNBytes(5)) {
                byte[] body = in.readNBytes(Byte.toUnsignedInt(head[3]) << 8 | Byte.toUnsignedInt(head[4]));
                before.record(head[0]);
                to.getOutputStream().write(head);
                to.getOutputStream().write(body);
            }
            to.shutdownOutput();
        } catch (IOException | InterruptedException e) {
            // an end is not of interest here
        }
    }

    @Test
    void aSessionTicketThatComesLateIsNoAnswer() throws Exception {
        for (SSLContext trust : new SSLContext[] {client, TlsContext.classical(client)}) {
            CountDownLatch read = new CountDownLatch(1);
            receive((tls, below) -> {
                tls.getInputStream().readAllBytes(); // to the sender's close_notify
                read.countDown();
                below.shutdownOutput(); // as one that is killed
            });
            try (ServerSocket front = holding(read)) {
                assertThatThrownBy(() -> send(front.getLocalPort(), Ending.CLOSE_NOTIFY, 3, PATIENT, trust))
                        .isInstanceOf(ClosingTls.EndedException.class);
            }
        }
    }

    @Test
    void anEndOfThePeersOwnIsNoAnswer() throws Exception {
        for (Ending ending : Ending.values()) {
            receive((tls, below) -> {
                tls.getInputStream().readNBytes(LINE.length);
                tls.shutdownOutput();
                tls.getInputStream().readAllBytes();
            });
            ClosingTls.Limits quiet =
                    new ClosingTls.Limits(Duration.ofSeconds(60), Duration.ofSeconds(90), Duration.ofSeconds(30));
            assertThatThrownBy(() -> send(ending, 1, quiet, client))
                    .isInstanceOf(EOFException.class)
                    .hasMessageContaining("by itself");
        }
    }

    @Test
    void aResetIsNoAnswer() throws Exception {
        for (Ending ending : Ending.values()) {
            receive((tls, below) -> {
                tls.getInputStream().readAllBytes();
                below.setSoLinger(true, 0);
                below.close();
            });
            assertThatThrownBy(() -> send(ending, 3, PATIENT, client)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void aPeerThatHasClosedWithBytesUnreadHasNotTakenThem() throws Exception {
        for (Ending ending : Ending.values()) {
            CountDownLatch written = new CountDownLatch(1);
            CompletableFuture<Boolean> done = receive((tls, below) -> {
                written.await();
                tls.close();
            });
            ClosingTls stream = new ClosingTls(client, "localhost", listening.getLocalPort(), PATIENT);
            try {
                stream.connect();
                stream.write(LINE);
                written.countDown();
                assertThat(done.get(30, TimeUnit.SECONDS)).isTrue();
                assertThatThrownBy(() -> stream.finish(ending)).isInstanceOf(IOException.class);
            } finally {
                stream.release();
            }
        }
    }

    /** Java's sockets end the stream first and reset behind it, when they are closed with bytes unread. */
    @Test
    void aResetBehindTheEndOfTheStreamIsNoAnswer() throws Exception {
        ClosingTls.Limits limits =
                new ClosingTls.Limits(Duration.ofSeconds(60), Duration.ofSeconds(90), Duration.ofSeconds(2));
        for (Ending ending : Ending.values()) {
            receive((tls, below) -> {
                tls.getInputStream().readNBytes(LINE.length);
                int record = 0;
                while (record == 0) {
                    record = below.getInputStream().available();
                }
                while (below.getInputStream().available() == record) {
                    Thread.onSpinWait(); // until close_notify is behind the other line
                }
                if (ending == Ending.CLOSE_NOTIFY) {
                    tls.shutdownOutput();
                }
                below.shutdownOutput();
                below.setSoLinger(true, 0);
                below.close();
            });
            assertThatThrownBy(() -> send(ending, 2, limits, client)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void givesUpAPeerThatTakesNothing() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        receive((tls, below) -> over.await());
        ClosingTls.Limits hasty =
                new ClosingTls.Limits(Duration.ofMillis(300), Duration.ofSeconds(90), Duration.ofMillis(1));
        assertThatThrownBy(() -> send(Ending.CLOSE_NOTIFY, 1_000_000, hasty, client))
                .isInstanceOf(SocketTimeoutException.class);
        over.countDown();
    }

    @Test
    void closingEndsWhatAnotherThreadWaitsFor() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        receive((tls, below) -> over.await());
        ClosingTls stream = new ClosingTls(client, "localhost", listening.getLocalPort(), PATIENT);
        stream.connect();
        CompletableFuture<Boolean> ended = new CompletableFuture<>();
        Thread sender = Thread.ofPlatform().start(() -> {
            try {
                stream.finish(Ending.CLOSE_NOTIFY);
                ended.complete(false);
            } catch (IOException e) {
                ended.complete(true);
            }
        });
        while (sender.getState() != Thread.State.RUNNABLE && sender.getState() != Thread.State.TERMINATED) {
            Thread.onSpinWait();
        }
        stream.close();
        assertThat(ended.get(30, TimeUnit.SECONDS)).isTrue();
        over.countDown();
        stream.release();
    }

    @Test
    void trustsTheNamedAuthoritiesAlone() throws Exception {
        receive((tls, below) -> tls.getInputStream().readAllBytes());
        assertThatThrownBy(() -> send(Ending.CLOSE_NOTIFY, 1, PATIENT, TlsContext.client(null)))
                .isInstanceOf(SSLException.class);
        ClosingTls other = new ClosingTls(client, "127.0.0.1", listening.getLocalPort(), PATIENT);
        receive((tls, below) -> tls.getInputStream().readAllBytes());
        assertThatThrownBy(other::connect).isInstanceOf(SSLException.class);
        other.release();
    }
}
