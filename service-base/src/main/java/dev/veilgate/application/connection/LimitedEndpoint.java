package dev.veilgate.application.connection;

import dev.veilgate.application.connection.OpenConnection.Phase;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.coyote.Processor;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Port of Tomcat that tells {@link PortConnections} which connections come, get on and go, and closes those that they
 * name.
 */
final class LimitedEndpoint extends NioEndpoint {
    private static final Logger LOG = LoggerFactory.getLogger(LimitedEndpoint.class);
    private static final long LONGEST_PAUSE_MILLIS = 1000;
    private static final int PAUSES = 4;

    private @Nullable PortConnections port;
    private @Nullable ScheduledFuture<?> overdue;

    void limit(PortConnections connectionsOfPort) {
        port = connectionsOfPort;
    }

    private PortConnections port() {
        return Objects.requireNonNull(port, "set before the port is opened");
    }

    @Override
    public void setHandler(Handler<NioChannel> handler) {
        super.setHandler(new Watched(handler));
    }

    @Override
    public void startInternal() throws Exception {
        PortConnections ofPort = port();
        super.startInternal();
        long pause =
                Math.min(LONGEST_PAUSE_MILLIS, ofPort.rules().headerTimeout().toMillis() / PAUSES);
        overdue = getUtilityExecutor()
                .scheduleWithFixedDelay(() -> closeOverdue(ofPort), pause, pause, TimeUnit.MILLISECONDS);
    }

    private void closeOverdue(PortConnections ofPort) {
        try {
            ofPort.endOverdue(System.nanoTime()).forEach(LimitedEndpoint::close);
        } catch (RuntimeException e) { // would end the timer
            LOG.error("connections whose time is over could not be closed", e);
        }
    }

    @Override
    public void stopInternal() {
        if (overdue != null) {
            overdue.cancel(false);
        }
        super.stopInternal();
    }

    @Override
    protected boolean setSocketOptions(SocketChannel channel) {
        SocketChannel closed =
                port().add(channel, from(channel), System.nanoTime()).orElse(null);
        if (channel.equals(closed)) {
            destroySocket(channel);
            return true; // nothing is left to be closed
        }
        boolean taken = super.setSocketOptions(channel);
        if (closed != null) {
            close(closed);
        }
        return taken;
    }

    private static @Nullable SocketAddress from(SocketChannel channel) {
        try {
            return channel.getRemoteAddress();
        } catch (IOException e) {
            return null; // closed already, and soon removed
        }
    }

    @Override
    protected void destroySocket(SocketChannel channel) {
        port().remove(channel);
        super.destroySocket(channel);
    }

    /** Lets both directions end: Tomcat finds that at once, in whatever state it has the connection, and closes it. */
    private static void close(SocketChannel channel) {
        try {
            channel.shutdownInput();
            channel.shutdownOutput();
        } catch (IOException e) {
            LOG.debug("a connection had ended already", e);
        }
    }

    /** Stands before Tomcat's own handler of a port's connections, and follows how far each client comes. */
    private final class Watched implements Handler<NioChannel> {
        private final Handler<NioChannel> next;

        Watched(Handler<NioChannel> next) {
            this.next = next;
        }

        private @Nullable OpenConnection connection(SocketWrapperBase<NioChannel> socket) {
            return port().get(socket.getSocket().getIOChannel());
        }

        @Override
        public SocketState process(SocketWrapperBase<NioChannel> socket, SocketEvent event) {
            OpenConnection connection = connection(socket);
            if (connection == null) {
                return next.process(socket, event);
            }
            if (!connection.take()) {
                return SocketState.CLOSED;
            }
            SocketState state =
                    ScopedValue.where(ServedRequests.CONNECTION, connection).call(() -> next.process(socket, event));
            connection.giveBack(phase(state, socket), System.nanoTime());
            return state;
        }

        /** Reads from what Tomcat says whether a request is in progress or only a part of its header is there. */
        private static Phase phase(SocketState state, SocketWrapperBase<NioChannel> socket) {
            return switch (state) {
                case OPEN -> Phase.IDLE;
                case LONG ->
                    socket.getCurrentProcessor() instanceof Processor reader && (reader.isAsync() || reader.isUpgrade())
                            ? Phase.BUSY
                            : Phase.UNFINISHED;
                default -> Phase.BUSY;
            };
        }

        @Override
        public void release(SocketWrapperBase<NioChannel> socket) {
            SocketChannel channel = socket.getSocket().getIOChannel();
            if (channel != null) {
                port().remove(channel);
            }
            next.release(socket);
        }

        @Override
        public Object getGlobal() {
            return next.getGlobal();
        }

        @Override
        public void pause() {
            next.pause();
        }

        @Override
        public void recycle() {
            next.recycle();
        }
    }
}
