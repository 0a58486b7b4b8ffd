package dev.veilgate.gateway.broker;

import dev.veilgate.application.connection.ClientAddress;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Stands in a listener before HiveMQ, and puts a {@link LoginWatch} into each connection that comes. */
@ChannelHandler.Sharable
final class ListenerGate extends ChannelInboundHandlerAdapter {
    private final Function<String, LoginWatch> watches;
    private final Predicate<@Nullable SocketAddress> isOwn;

    /**
     * Makes it.
     *
     * @param watches makes one for a connection from a client
     * @param isOwn   whether a connection is the gateway's own, which is neither counted nor limited
     */
    ListenerGate(Function<String, LoginWatch> watches, Predicate<@Nullable SocketAddress> isOwn) {
        this.watches = watches;
        this.isOwn = isOwn;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof Channel connection && !isOwn.test(connection.remoteAddress())) {
            // null if the other side has reset it already
            String client = connection.remoteAddress() instanceof InetSocketAddress from && from.getAddress() != null
                    ? ClientAddress.client(from.getAddress())
                    : "";
            connection.pipeline().addFirst("veilgate_login", watches.apply(client));
        }
        context.fireChannelRead(message);
    }
}
