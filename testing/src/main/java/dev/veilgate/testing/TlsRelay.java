package dev.veilgate.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A man in the middle of TLS 1.3 connections on this machine: keeps what passes, may change the ClientHello, and
 * reads which key exchange was agreed on from the bytes
 * themselves.
 */
public final class TlsRelay implements AutoCloseable {
    /** X25519MLKEM768, as the registry of TLS groups has it. */
    public static final int HYBRID = 0x11EC;

    /** X25519. */
    public static final int X25519 = 0x001D;

    private static final int HANDSHAKE = 22;
    private static final int APPLICATION_DATA = 23;
    private static final int CLIENT_HELLO = 1;
    private static final int SERVER_HELLO = 2;
    private static final int SUPPORTED_GROUPS = 10;
    private static final int KEY_SHARE = 51;

    private final ServerSocket listening;
    private final int target;
    private final UnaryOperator<byte[]> change;
    private final List<Recording> recordings = new CopyOnWriteArrayList<>();

    private static final class Recording {
        final ByteArrayOutputStream client = new ByteArrayOutputStream();
        final ByteArrayOutputStream server = new ByteArrayOutputStream();
    }

    /** A relay that changes nothing. */
    public TlsRelay(int target) throws IOException {
        this(target, UnaryOperator.identity());
    }

    /**
     * @param target port on loopback where the server listens
     * @param change of the first bytes that a client sends, which are its ClientHello where TLS begins at once
     */
    public TlsRelay(int target, UnaryOperator<byte[]> change) throws IOException {
        this.target = target;
        this.change = change;
        this.listening = new ServerSocket(0, 500, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    /** Where clients connect to. */
    public int port() {
        return listening.getLocalPort();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                Thread.ofVirtual().start(() -> serve(client));
            } catch (IOException e) {
                return; // it is closed
            }
        }
    }

    private void serve(Socket client) {
        Recording recording = new Recording();
        recordings.add(recording);
        try (client;
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target)) {
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            Thread back =
                    Thread.ofVirtual().start(() -> pass(server, client, recording.server, UnaryOperator.identity()));
            pass(client, server, recording.client, change);
            back.join();
        } catch (IOException e) {
            // one of both is gone
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void pass(Socket from, Socket to, ByteArrayOutputStream record, UnaryOperator<byte[]> first) {
        byte[] buffer = new byte[32 << 10];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            UnaryOperator<byte[]> altered = first;
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                byte[] piece = new byte[n];
                System.arraycopy(buffer, 0, piece, 0, n);
                synchronized (record) {
                    record.write(piece);
                }
                out.write(altered.apply(piece));
                altered = UnaryOperator.identity();
            }
            to.shutdownOutput();
        } catch (IOException e) {
            try {
                to.close();
            } catch (IOException closed) {
                // it is gone already
            }
        }
    }

    private static byte[] copy(ByteArrayOutputStream record) {
        synchronized (record) {
            return record.toByteArray();
        }
    }

    /**
     * By connection: the group of the server's key share, 0 where there is none (no TLS 1.3, or a session resumed
     * without one).
     */
    public List<Integer> groups() {
        return recordings.stream()
                .map(recording -> agreed(copy(recording.server)))
                .toList();
    }

    /** Groups that the first client offered, in its order. */
    public List<Integer> offered() {
        List<byte[]> hellos = handshakes(copy(recordings.getFirst().client), CLIENT_HELLO);
        ByteBuffer groups = extension(hellos.getFirst(), SUPPORTED_GROUPS);
        List<Integer> offered = new ArrayList<>();
        if (groups != null) {
            groups.getShort();
            while (groups.hasRemaining()) {
                offered.add(groups.getShort() & 0xFFFF);
            }
        }
        return offered;
    }

    private static int agreed(byte[] server) {
        int group = 0;
        for (byte[] hello : handshakes(server, SERVER_HELLO)) {
            ByteBuffer share = extension(hello, KEY_SHARE);
            group = share == null ? 0 : share.getShort() & 0xFFFF;
        }
        return group;
    }

    /** Messages of a kind in clear, behind text if TLS begins by STARTTLS. */
    private static List<byte[]> handshakes(byte[] bytes, int kind) {
        int start = 0;
        while (start + 5 < bytes.length && (bytes[start] != HANDSHAKE || bytes[start + 1] != 3)) {
            start++;
        }
        List<byte[]> found = new ArrayList<>();
        ByteBuffer in = ByteBuffer.wrap(bytes, start, bytes.length - start);
        while (in.remaining() > 5) {
            int type = in.get();
            in.getShort();
            int length = in.getShort() & 0xFFFF;
            if (type == APPLICATION_DATA || in.remaining() < length) {
                return found;
            }
            byte[] record = new byte[length];
            in.get(record);
            if (type == HANDSHAKE && record[0] == kind) {
                found.add(record);
            }
        }
        return found;
    }

    /** The content of an extension, as it stands in a ClientHello or ServerHello; null if it is not there. */
    private static @Nullable ByteBuffer extension(byte[] hello, int wanted) {
        ByteBuffer in = ByteBuffer.wrap(hello);
        skip(in, 4 + 2 + 32);
        skip(in, in.get() & 0xFF);
        if (hello[0] == CLIENT_HELLO) {
            skip(in, in.getShort() & 0xFFFF);
            skip(in, in.get() & 0xFF);
        } else {
            skip(in, 2 + 1);
        }
        in.getShort();
        while (in.remaining() >= 4) {
            int type = in.getShort() & 0xFFFF;
            int length = in.getShort() & 0xFFFF;
            if (type == wanted) {
                return in.slice(in.position(), length);
            }
            skip(in, length);
        }
        return null;
    }

    private static void skip(ByteBuffer in, int bytes) {
        in.position(in.position() + bytes);
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
