package dev.veilgate.console.logsink;

import dev.veilgate.transport.ClosingTls;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** Receiver of syslog over TLS, which fails as it is told. */
final class SyslogReceiver implements AutoCloseable {
    /** Fault of one connection. */
    enum Fault {
        NONE,
        /** Resets it after some messages. */
        RESET,
        /** Takes all, and ends the stream without close_notify, as one that is killed. */
        KILLED,
        /** Takes some, says close_notify by itself and closes with the rest unread. */
        ENDS_EARLY,
        /** Reads byte by byte. */
        SLOW,
        /** Accepts, and never shakes hands. */
        SILENT
    }

    private static final int SOME = 3;

    private final SSLContext tls;
    private final int port;
    private volatile ServerSocket listening;
    private volatile boolean asksForCertificate;
    private final List<String> messages = new CopyOnWriteArrayList<>();
    private final List<String> history = new CopyOnWriteArrayList<>();
    private final List<Fault> faults = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();

    SyslogReceiver(SSLContext tls) throws IOException {
        this.tls = tls;
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.port = listening.getLocalPort();
        serve(listening);
    }

    private void serve(ServerSocket on) {
        Thread.ofVirtual().start(() -> {
            while (!on.isClosed()) {
                try {
                    Socket accepted = on.accept();
                    Fault fault = faults.isEmpty() ? Fault.NONE : faults.removeFirst();
                    Thread.ofVirtual().start(() -> take(accepted, fault));
                } catch (IOException e) {
                    return;
                }
            }
        });
    }

    private void take(Socket below, Fault fault) {
        int connection = connections.incrementAndGet();
        List<String> taken = new ArrayList<>();
        try (below) {
            if (fault == Fault.SILENT) {
                below.getInputStream().readAllBytes();
                return;
            }
            SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket(below, null, true);
            socket.setUseClientMode(false);
            socket.setNeedClientAuth(asksForCertificate);
            socket.startHandshake();
            InputStream in = socket.getInputStream();
            for (String message = next(in, fault); !message.isEmpty(); message = next(in, fault)) {
                messages.add(message);
                taken.add(message);
                if (taken.size() == SOME && fault == Fault.RESET) {
                    below.setSoLinger(true, 0);
                    return;
                }
                if (taken.size() == SOME && fault == Fault.ENDS_EARLY) {
                    socket.shutdownOutput();
                    below.setSoLinger(true, 0); // resets at once, as a C program that closes with bytes unread
                    return;
                }
            }
            if (fault != Fault.KILLED) {
                socket.close();
            }
        } catch (IOException e) {
            history.add(connection + " failed: " + e); // the sender or a fault has ended it
        } finally {
            history.add(connection + " " + fault + " took " + SinkBench.numbers(taken));
        }
    }

    /** Account of the connections, for a message. */
    List<String> history() {
        return new ArrayList<>(history);
    }

    /** Reads a message by its length (RFC 5425, 4.3); empty at the end. */
    private static String next(InputStream in, Fault fault) throws IOException {
        int length = 0;
        for (int digit = in.read(); digit != ' '; digit = in.read()) {
            if (digit < 0) {
                return "";
            }
            length = 10 * length + Character.digit(digit, 10);
        }
        ByteArrayOutputStream message = new ByteArrayOutputStream(length);
        while (message.size() < length) {
            byte[] some = in.readNBytes(fault == Fault.SLOW ? 1 : length - message.size());
            if (some.length == 0) {
                throw new IOException("cut");
            }
            message.writeBytes(some);
        }
        return message.toString(StandardCharsets.UTF_8);
    }

    int port() {
        return port;
    }

    SinkSettings.Syslog settings(int maxBytes) {
        return new SinkSettings.Syslog("localhost:" + port, ClosingTls.Ending.CLOSE_NOTIFY, 32473, maxBytes);
    }

    void askForCertificate() {
        asksForCertificate = true;
    }

    /** Has the next connections fail so, one after the other. */
    void fail(Fault... next) {
        faults.addAll(List.of(next));
    }

    /** Goes away: connections are refused. */
    void goAway() throws IOException {
        listening.close();
    }

    void comeBack() throws IOException {
        ServerSocket again = new ServerSocket();
        again.setReuseAddress(true);
        again.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 50);
        listening = again;
        serve(again);
    }

    /** Messages that came, with repetitions. */
    List<String> messages() {
        return new ArrayList<>(messages);
    }

    int connections() {
        return connections.get();
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
