package dev.veilgate.proxy;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.util.concurrent.ScheduledFuture;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.apache.james.protocols.api.ProtocolSession;
import org.apache.james.protocols.api.ProtocolSession.AttachmentKey;
import org.apache.james.protocols.api.ProtocolSession.State;
import org.apache.james.protocols.smtp.SMTPSession;
import org.jspecify.annotations.Nullable;

/** Closes a connection that does not log in, does not get on, or only makes errors, so that it holds no place for others. For the connection's own thread. */
final class ConnectionGuard {
    /** So many bytes of a message are progress. */
    static final int PROGRESS_BYTES = 64 << 10;

    private static final AttachmentKey<ConnectionGuard> KEY = AttachmentKey.of("veilgate-guard", ConnectionGuard.class);

    private final Channel channel;
    private final boolean needsLogin;
    private final ConnectionLimits limits;
    private final long opened = System.nanoTime();
    private long lastProgress = opened;
    private int bytesSinceProgress;
    private int errors;
    private int commands;
    private boolean loggedIn;
    private boolean closing;

    private ConnectionGuard(Channel channel, boolean needsLogin, ConnectionLimits limits) {
        this.channel = channel;
        this.needsLogin = needsLogin;
        this.limits = limits;
    }

    /** Watches a session from its start to its end. */
    static void watch(ProtocolSession session, Channel channel, boolean needsLogin, ConnectionLimits limits) {
        var guard = new ConnectionGuard(channel, needsLogin, limits);
        session.setAttachment(KEY, guard, State.Connection);
        long nanos = Math.min(limits.login().toNanos(), limits.progress().toNanos()) / 4;
        ScheduledFuture<?> looking =
                channel.eventLoop().scheduleWithFixedDelay(guard::look, nanos, nanos, TimeUnit.NANOSECONDS);
        channel.closeFuture().addListener(closed -> looking.cancel(false));
    }

    static ConnectionGuard of(SMTPSession session) {
        return session.getAttachment(KEY, State.Connection).orElseThrow();
    }

    void loggedIn() {
        loggedIn = true;
    }

    /**
     * A command was answered.
     *
     * @return with what the connection is to be closed; null to go on
     */
    @Nullable
    String command(String code) {
        progress();
        commands++;
        errors += code.startsWith("5") && needsLogin && !loggedIn ? 1 : 0;
        if (errors >= limits.errors()) {
            return "4.7.0 Too many errors";
        }
        return commands > limits.commands() ? "4.7.0 Too many commands without a message" : null;
    }

    /** Bytes of a message came. */
    void message(int bytes) {
        bytesSinceProgress += bytes;
        if (bytesSinceProgress >= PROGRESS_BYTES) {
            progress();
        }
    }

    /** A message was dealt with. */
    void endMessage() {
        commands = 0;
        progress();
    }

    private void progress() {
        lastProgress = System.nanoTime();
        bytesSinceProgress = 0;
    }

    private void look() {
        long now = System.nanoTime();
        if (closing) {
            channel.close(); // it does not even take its last reply
        } else if (needsLogin && !loggedIn && now - opened > limits.login().toNanos()) {
            hangUp("421 4.7.0 No login for too long");
        } else if (now - lastProgress > limits.progress().toNanos()) {
            hangUp("421 4.4.2 Nothing came for too long");
        }
    }

    private void hangUp(String reply) {
        closing = true;
        channel.writeAndFlush(Unpooled.copiedBuffer(reply + "\r\n", StandardCharsets.US_ASCII))
                .addListener(ChannelFutureListener.CLOSE);
    }
}
