package dev.veilgate.gateway.broker;

import com.hivemq.bootstrap.netty.ChannelHandlerNames;
import com.hivemq.mqtt.message.connack.CONNACK;
import com.hivemq.mqtt.message.connect.CONNECT;
import com.hivemq.mqtt.message.reason.Mqtt5ConnAckReasonCode;
import dev.veilgate.gateway.broker.ConnectionMeters.Unfinished;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Follows a connection from its first byte: counts what it carries, has it among the {@link OpenConnections}, and closes it if there is no CONNECT in time, since
 * HiveMQ's own timer begins anew with each byte. Used by the connection's own thread only.
 */
final class LoginWatch extends ChannelDuplexHandler {
    private final OpenConnections open;
    private final ConnectionMeters meters;
    private final Duration timeout;
    private final String client;
    private @Nullable Future<?> deadline;
    /** What it is counted as if it ends now; null if there was an answer to its CONNECT. */
    private @Nullable Unfinished ending = Unfinished.SILENT;

    /**
     * Makes it.
     *
     * @param timeout for the CONNECT, with the handshake of TLS before it
     * @param client  where the connection comes from
     */
    LoginWatch(OpenConnections open, ConnectionMeters meters, Duration timeout, String client) {
        this.open = open;
        this.meters = meters;
        this.timeout = timeout;
        this.client = client;
    }

    /** HiveMQ has put its handlers in by now, unless it is being shut down. */
    @Override
    public void channelActive(ChannelHandlerContext context) {
        Channel channel = context.channel();
        if (channel.pipeline().get(ChannelHandlerNames.MQTT_MESSAGE_ENCODER) != null) {
            channel.pipeline().addAfter(ChannelHandlerNames.MQTT_MESSAGE_ENCODER, "veilgate_answers", new Answers());
            deadline = context.executor()
                    .schedule(() -> end(channel, Unfinished.TIMEOUT), timeout.toMillis(), TimeUnit.MILLISECONDS);
            Channel displaced = open.add(client, channel);
            if (displaced != channel) {
                displaced.pipeline().fireUserEventTriggered(Unfinished.DISPLACED);
            }
        }
        context.fireChannelActive();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event == Unfinished.DISPLACED) {
            end(context.channel(), Unfinished.DISPLACED);
        } else {
            context.fireUserEventTriggered(event);
        }
    }

    /** Not if somebody has logged in at the last moment. */
    private void end(Channel channel, Unfinished how) {
        if (ending != null) {
            ending = how;
            channel.close();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof ByteBuf bytes) {
            meters.received(bytes.readableBytes());
            if (ending == Unfinished.SILENT) {
                ending = Unfinished.NO_CONNECT;
            }
        }
        context.fireChannelRead(message);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (message instanceof ByteBuf bytes) {
            meters.sent(bytes.readableBytes());
        }
        context.write(message, promise);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        cancelDeadline();
        open.remove(client, context.channel());
        if (ending != null) {
            meters.unfinished(ending);
        }
        context.fireChannelInactive();
    }

    private void cancelDeadline() {
        if (deadline != null) {
            deadline.cancel(false);
        }
    }

    /** Sees messages where HiveMQ does, and whether the CONNECT was answered. */
    private final class Answers extends ChannelDuplexHandler {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof CONNECT && ending != null) {
                cancelDeadline();
                ending = Unfinished.LEFT;
            }
            context.fireChannelRead(message);
        }

        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
            if (message instanceof CONNACK answer) {
                ending = null;
                meters.answered(answer.getReasonCode());
                if (answer.getReasonCode() == Mqtt5ConnAckReasonCode.SUCCESS) {
                    open.logIn(client, context.channel());
                    context.pipeline().remove(this);
                }
            }
            context.write(message, promise);
        }
    }
}
