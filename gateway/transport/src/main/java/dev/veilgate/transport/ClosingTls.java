package dev.veilgate.transport;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * TLS connection of a client that only sends, and that learns whether the peer has taken everything. Protocols without
 * answers, such as syslog (RFC 5425), have nothing but the end of the connection to tell: {@link #finish} returns only
 * if the peer has answered close_notify as {@link Ending} says.
 *
 * <p>A peer that ends the connection by itself says close_notify, too. So that it is not taken for an answer, nothing
 * is said for a while between the last byte and close_notify; what comes from the peer meanwhile is an end of its own.
 * A peer that ends with bytes unread resets the connection, by RFC 1122, 4.2.2.13, instead of ending the stream or at
 * once behind it, which is waited for as long, unless its TLS reads them to drop them, as Java's does. So this does not
 * give certainty: such a peer that ends by itself later than the silence, with something unread, passes for one that
 * has answered.
 *
 * <p>For one thread; {@link #close} may be called by any, and ends what the other waits for.
 */
public final class ClosingTls implements AutoCloseable {
    private static final int BUFFER_BYTES = 64 << 10;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final String host;
    private final int port;
    private final Limits limits;
    private final SSLEngine engine;
    private final Selector selector;
    private final ByteBuffer sent = ByteBuffer.allocate(BUFFER_BYTES);
    private final ByteBuffer received = ByteBuffer.allocate(BUFFER_BYTES).limit(0);
    /** Bytes of a peer that should send none: read and dropped. */
    private final ByteBuffer dropped = ByteBuffer.allocate(BUFFER_BYTES);

    private volatile @Nullable SocketChannel channel;
    private volatile boolean closed;
    private long end;

    /**
     * Limits of waiting.
     *
     * @param step  for the peer to take or answer anything
     * @param whole from {@link #connect} to the end of {@link #finish}
     * @param quiet without a word between the last byte and close_notify: longer than what is sent is on its way
     */
    public record Limits(Duration step, Duration whole, Duration quiet) {}

    /** Answer to close_notify of a peer that has taken everything. */
    public enum Ending {
        /** A close_notify and then the end of the stream, as RFC 5425 demands. */
        CLOSE_NOTIFY,
        /**
         * Nothing but the end of the stream, which some receivers leave it at. A receiver that is killed when it has
         * read everything, and has done nothing with it yet, ends just so.
         */
        END_OF_STREAM
    }

    /** Makes a connection that is not begun yet; the peer has to show a certificate of the host's name. */
    public ClosingTls(SSLContext context, String host, int port, Limits limits) throws IOException {
        this.host = host;
        this.port = port;
        this.limits = limits;
        this.engine = HybridTls.closingByTurns(context, host, port);
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        engine.setSSLParameters(parameters);
        this.selector = Selector.open();
    }

    /** Connects to one of the host's addresses, the first that answers, and shakes hands. */
    public void connect() throws IOException {
        end = System.nanoTime() + limits.whole().toNanos();
        IOException failed = new IOException(host + " has no address");
        for (InetAddress address : InetAddress.getAllByName(host)) {
            try {
                connect(new InetSocketAddress(address, port));
                failed = null;
                break;
            } catch (IOException e) {
                closeChannel();
                requireOpen();
                failed = e;
            }
        }
        if (failed != null) {
            throw failed;
        }
        shakeHands(); // with one of them only: an engine has one handshake
    }

    private void connect(InetSocketAddress address) throws IOException {
        SocketChannel made = SocketChannel.open();
        channel = made;
        requireOpen(); // whoever closed before has not seen it
        made.configureBlocking(false);
        made.setOption(StandardSocketOptions.TCP_NODELAY, true);
        made.register(selector, SelectionKey.OP_CONNECT);
        if (!made.connect(address)) {
            do {
                await(SelectionKey.OP_CONNECT, limits.step());
            } while (!made.finishConnect());
        }
    }

    private void shakeHands() throws IOException {
        engine.beginHandshake();
        while (true) {
            switch (engine.getHandshakeStatus()) {
                case NEED_WRAP -> wrap(NOTHING.duplicate());
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    if (unwrap() == Seen.CLOSE_NOTIFY) {
                        throw new SSLException("the peer ended the handshake");
                    }
                }
                case NEED_TASK -> runTasks();
                default -> {
                    return;
                }
            }
        }
    }

    private void runTasks() {
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
    }

    /** Sends bytes. That this returns says nothing of whether the peer has them. */
    public void write(byte[] bytes) throws IOException {
        ByteBuffer rest = ByteBuffer.wrap(bytes);
        while (rest.hasRemaining()) {
            wrap(rest);
        }
    }

    /**
     * Says that nothing follows, and waits for the peer to do as expected.
     *
     * @throws IOException if it does not: whether it has taken what was sent is then unknown
     */
    public void finish(Ending expected) throws IOException {
        requireSilence();
        engine.closeOutbound();
        while (!engine.isOutboundDone()) {
            wrap(NOTHING.duplicate());
        }
        try {
            while (unwrap() != Seen.CLOSE_NOTIFY) {
                runTasks();
            }
        } catch (EndedException e) {
            if (expected == Ending.END_OF_STREAM) {
                requireNoReset();
                return;
            }
            throw e;
        }
        received.position(received.limit());
        while (read(limits.step()) >= 0) {
            received.position(received.limit());
        }
        requireNoReset();
    }

    /** Reads for the quiet time, and finds nothing that ends the connection. */
    private void requireSilence() throws IOException {
        long until = System.nanoTime() + limits.quiet().toNanos();
        while (true) {
            long rest = until - System.nanoTime();
            if (rest <= 0 || !isReady(SelectionKey.OP_READ, Duration.ofNanos(rest))) {
                return;
            }
            if (read(limits.step()) < 0) {
                throw ended();
            }
            Seen seen;
            do {
                seen = unwrapReceived();
                if (seen == Seen.CLOSE_NOTIFY) {
                    throw new EOFException("the peer ended the connection by itself");
                }
                runTasks();
            } while (seen == Seen.RECORD);
        }
    }

    /**
     * Waits for a reset behind the end of the stream, as Java's sockets send it when they are closed with bytes unread.
     * Only a write tells of it; who has closed in order drops the byte.
     */
    private void requireNoReset() throws IOException {
        SelectionKey key = open().keyFor(selector);
        if (key != null) {
            key.interestOps(0); // the end of the stream is ready for ever
        }
        selector.select(Math.max(1, limits.quiet().toMillis()));
        requireOpen();
        open().write(ByteBuffer.allocate(1));
    }

    private enum Seen {
        RECORD,
        /** Less than a record is there. */
        TOO_LITTLE,
        CLOSE_NOTIFY
    }

    private Seen unwrap() throws IOException {
        Seen seen = unwrapReceived();
        if (seen == Seen.TOO_LITTLE) {
            if (read(limits.step()) < 0) {
                throw ended();
            }
            seen = unwrapReceived();
        }
        return seen;
    }

    private static EndedException ended() {
        return new EndedException();
    }

    /** End of the stream where close_notify should have been. */
    public static final class EndedException extends EOFException {
        private static final long serialVersionUID = 1;

        EndedException() {
            super("the peer ended the connection without close_notify");
        }
    }

    private Seen unwrapReceived() throws IOException {
        dropped.clear();
        SSLEngineResult result = engine.unwrap(received, dropped);
        return switch (result.getStatus()) {
            case CLOSED -> closed(result);
            case BUFFER_UNDERFLOW -> Seen.TOO_LITTLE;
            case BUFFER_OVERFLOW -> throw new SSLException("a record is too long");
            case OK -> engine.isInboundDone() ? Seen.CLOSE_NOTIFY : Seen.RECORD;
        };
    }

    /**
     * Conscrypt's engine says that it is closed of any record behind its own close_notify, such as a session ticket
     * that came late; only the peer's close_notify ends what is received.
     */
    private Seen closed(SSLEngineResult result) {
        if (engine.isInboundDone()) {
            return Seen.CLOSE_NOTIFY;
        }
        return result.bytesConsumed() > 0 ? Seen.RECORD : Seen.TOO_LITTLE;
    }

    private int read(Duration patience) throws IOException {
        received.compact();
        try {
            while (true) {
                int bytes = open().read(received);
                if (bytes != 0) {
                    return bytes;
                }
                await(SelectionKey.OP_READ, patience);
            }
        } finally {
            received.flip();
        }
    }

    private void wrap(ByteBuffer from) throws IOException {
        sent.clear();
        SSLEngineResult result = engine.wrap(from, sent);
        if (result.getStatus() == SSLEngineResult.Status.BUFFER_OVERFLOW) {
            throw new SSLException("a record is too long");
        }
        if (result.getStatus() == SSLEngineResult.Status.CLOSED && from.hasRemaining()) {
            throw new EOFException("the connection is ended");
        }
        sent.flip();
        while (sent.hasRemaining()) {
            if (open().write(sent) == 0) {
                await(SelectionKey.OP_WRITE, limits.step());
            }
        }
    }

    private void await(int operation, Duration patience) throws IOException {
        if (!isReady(operation, patience)) {
            throw new SocketTimeoutException("the peer does not go on");
        }
    }

    private boolean isReady(int operation, Duration patience) throws IOException {
        SelectionKey key = open().keyFor(selector);
        long left = end - System.nanoTime();
        if (key == null || left <= 0) {
            throw new SocketTimeoutException("the peer takes too long");
        }
        try {
            key.interestOps(operation);
            long millis = Math.max(1, Math.min(patience.toNanos(), left) / 1_000_000);
            int ready = selector.select(millis);
            selector.selectedKeys().clear();
            requireOpen();
            return ready > 0;
        } catch (ClosedSelectorException | CancelledKeyException e) {
            throw new IOException("the connection is closed", e);
        }
    }

    private SocketChannel open() throws IOException {
        SocketChannel now = channel;
        requireOpen();
        if (now == null) {
            throw new IOException("the connection is not begun");
        }
        return now;
    }

    private void requireOpen() throws IOException {
        if (closed) {
            throw new IOException("the connection is closed");
        }
    }

    private void closeChannel() {
        SocketChannel now = channel;
        if (now != null) {
            try {
                now.close();
            } catch (IOException e) {
                // nothing is expected of it any more
            }
        }
    }

    /** Ends the connection at once, whatever it does. */
    @Override
    public void close() {
        closed = true;
        closeChannel();
        try {
            selector.close();
        } catch (IOException e) {
            // the channel is closed, which is what matters
        }
    }

    /** Gives back what the engine holds; for the thread that uses the connection, when it is done. */
    public void release() {
        close();
        engine.closeOutbound();
        try {
            engine.closeInbound();
        } catch (SSLException e) {
            // the peer did not end it in order, which whoever finished was told
        }
    }
}
