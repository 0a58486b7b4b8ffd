package dev.veilgate.gateway.ingest.smtp;

import dev.veilgate.application.connection.ClientAddress;
import dev.veilgate.gateway.access.Principal;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.james.protocols.api.ProtocolSession.AttachmentKey;
import org.apache.james.protocols.api.ProtocolSession.State;
import org.apache.james.protocols.api.ProtocolSessionImpl;
import org.apache.james.protocols.api.Response;
import org.apache.james.protocols.smtp.SMTPSession;
import org.jspecify.annotations.Nullable;

/** What belongs to one connection beside James' session. Used by the connection's own thread only, but for {@link #closeWhenDone}. */
final class Connection {
    /** So many bytes of a message are progress. */
    static final int PROGRESS_BYTES = 64 << 10;

    /** Shorter messages are held to the timeout only. */
    private static final int SMALL_BYTES = 64 << 10;

    /** Within so many seconds a message must fill the memory that it takes. */
    private static final int FILL_SECONDS = 600;

    private static final AttachmentKey<Connection> KEY = AttachmentKey.of("veilgate-connection", Connection.class);

    private final Channel channel;
    private final boolean authRequired;
    private final String client;
    private final CommandFramer framer = new CommandFramer(this);
    private @Nullable ProtocolSessionImpl session;
    private @Nullable Principal principal;
    private @Nullable IncomingMessage message;
    private @Nullable ScheduledFuture<?> watch;
    private @Nullable ScheduledFuture<?> rateWatch;
    private @Nullable IncomingMessage watched;
    private long watchedBytes;
    private long lastProgress = System.nanoTime();
    private int bytesSinceProgress;
    private boolean paused;
    private boolean closing;
    private boolean closed;
    /** Bytes that the client says the next message has; 0 if it does not say. */
    long declaredBytes;

    int messages;
    int errors;
    int commandsSinceMessage;
    int failedLogins;

    Connection(Channel channel, boolean authRequired) {
        this.channel = channel;
        this.authRequired = authRequired;
        this.client = ClientAddress.client(address());
    }

    static Connection of(SMTPSession session) {
        return session.getAttachment(KEY, State.Connection).orElseThrow();
    }

    /**
     * @param timeout     within which it must get on
     * @param minimumRate bytes of a message a second
     */
    void start(ProtocolSessionImpl with, Duration timeout, long minimumRate) {
        session = with;
        with.setAttachment(KEY, this, State.Connection);
        long nanos = timeout.toNanos();
        watch = channel.eventLoop()
                .scheduleWithFixedDelay(() -> hangUpIfIdle(nanos), nanos / 4, nanos / 4, TimeUnit.NANOSECONDS);
        rateWatch = channel.eventLoop()
                .scheduleWithFixedDelay(
                        () -> hangUpIfSlow(nanos / 5, minimumRate), nanos / 5, nanos / 5, TimeUnit.NANOSECONDS);
    }

    CommandFramer framer() {
        return framer;
    }

    InetAddress address() {
        return ((InetSocketAddress) channel.remoteAddress()).getAddress();
    }

    /** Who it is, for counting. */
    String client() {
        return client;
    }

    boolean isLoopback() {
        return address().isLoopbackAddress();
    }

    boolean authRequired() {
        return authRequired;
    }

    Optional<Principal> principal() {
        return Optional.ofNullable(principal);
    }

    void logIn(Principal who) {
        principal = who;
    }

    /** The message that is coming; null between messages. */
    @Nullable
    IncomingMessage message() {
        return message;
    }

    void begin(IncomingMessage incoming) {
        message = incoming;
        progress();
    }

    void endMessage() {
        message = null;
        messages++;
        commandsSinceMessage = 0;
    }

    /** Whether nothing may be taken from the client now. */
    boolean isPaused() {
        return paused;
    }

    /** Whether nothing will be taken from the client any more. */
    boolean isClosed() {
        return closed;
    }

    void progress() {
        lastProgress = System.nanoTime();
        bytesSinceProgress = 0;
    }

    void progress(int bytes) {
        watchedBytes += bytes;
        bytesSinceProgress += bytes;
        if (bytesSinceProgress >= PROGRESS_BYTES) {
            progress();
        }
    }

    /** Answers with what the future gives, and takes nothing from the client before that. */
    void answer(CompletableFuture<Response> later) {
        if (later.isDone()) {
            write(later.join());
            return;
        }
        paused = true;
        readAsNeeded();
        later.thenAccept(response -> channel.eventLoop().execute(() -> {
            paused = false;
            progress();
            write(response);
            readAsNeeded();
            framer.proceed();
        }));
    }

    private void write(Response response) {
        ProtocolSessionImpl to = session;
        if (to != null && channel.isActive() && !closed) {
            to.getProtocolTransport().writeResponse(response, to);
            closed |= response.isEndSession();
            if (closing) {
                hangUp(Replies.STOPPING);
            }
        }
    }

    /** Reads on only where the client takes its replies. */
    void readAsNeeded() {
        channel.config().setAutoRead(!paused && channel.isWritable());
    }

    /** Closes it with a reply. */
    void hangUp(String reply) {
        if (!closed) {
            closed = true;
            dropMessage();
            channel.writeAndFlush(Unpooled.copiedBuffer(reply + "\r\n", StandardCharsets.US_ASCII))
                    .addListener(ChannelFutureListener.CLOSE);
        }
    }

    private void hangUpIfIdle(long timeoutNanos) {
        if (!paused && System.nanoTime() - lastProgress > timeoutNanos) {
            if (closed) {
                channel.close(); // it does not even take its last reply
            } else {
                hangUp("421 4.4.2 Nothing came for too long");
                lastProgress = System.nanoTime();
            }
        }
    }

    /** A message that comes so slowly that it only keeps memory from others; what it has is given back at once, even if it does not take its reply. */
    private void hangUpIfSlow(long windowNanos, long minimumRate) {
        IncomingMessage now = message;
        if (now != null && now == watched && now.reserved() > SMALL_BYTES) {
            long needed = Math.max(minimumRate, now.reserved() / FILL_SECONDS) * windowNanos / 1_000_000_000L;
            if (watchedBytes < needed) {
                hangUp("421 4.4.2 The message comes too slowly");
            }
        }
        watched = now;
        watchedBytes = 0;
    }

    private void dropMessage() {
        IncomingMessage unfinished = message;
        if (unfinished != null) {
            unfinished.forget();
            message = null;
        }
    }

    /** Closes it now, or after the message that is coming or being made durable. */
    void closeWhenDone() {
        channel.eventLoop().execute(() -> {
            closing = true;
            if (!paused && message == null) {
                hangUp(Replies.STOPPING);
            }
        });
    }

    /** It is gone. */
    void closed() {
        closed = true;
        if (watch != null) {
            watch.cancel(false);
        }
        if (rateWatch != null) {
            rateWatch.cancel(false);
        }
        dropMessage();
    }
}
