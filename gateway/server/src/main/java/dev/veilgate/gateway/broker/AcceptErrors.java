package dev.veilgate.gateway.broker;

import dev.veilgate.application.connection.MinuteLog;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stands in a listener behind HiveMQ. Netty tries to accept connections again after a second, and would write a stack trace each time: when no more files may be open, for instance. */
@ChannelHandler.Sharable
final class AcceptErrors extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(AcceptErrors.class);

    private final ConnectionMeters meters;
    private final MinuteLog log = new MinuteLog((times, latest) ->
            LOG.error("MQTT: connections could not be accepted: {} times; the latest reason: {}", times, latest));

    AcceptErrors(ConnectionMeters meters) {
        this.meters = meters;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        meters.notAccepted();
        log.note(cause.toString());
    }
}
