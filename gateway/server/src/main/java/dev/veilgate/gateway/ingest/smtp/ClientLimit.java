package dev.veilgate.gateway.ingest.smtp;

import dev.veilgate.application.connection.ClientAddress;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.AttributeKey;
import io.netty.util.ReferenceCountUtil;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** How many connections are open, in all and of each client; those above that are told to come later. */
@Sharable
final class ClientLimit extends ChannelInboundHandlerAdapter {
    private static final AttributeKey<String> COUNTED = AttributeKey.valueOf("veilgate-smtp-counted");
    private static final String TOO_MANY = "421 4.7.0 Too many connections; try again later\r\n";

    private final int limit;
    private final int limitPerClient;
    private final Map<String, Integer> open = new HashMap<>();
    private int all;

    ClientLimit(int limit, int limitPerClient) {
        this.limit = limit;
        this.limitPerClient = limitPerClient;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        String client = ClientAddress.client(((InetSocketAddress) ctx.channel().remoteAddress()).getAddress());
        if (enter(client)) {
            ctx.channel().attr(COUNTED).set(client);
            ctx.fireChannelActive();
        } else {
            ctx.writeAndFlush(Unpooled.copiedBuffer(TOO_MANY, StandardCharsets.US_ASCII))
                    .addListener(ChannelFutureListener.CLOSE);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (ctx.channel().hasAttr(COUNTED)) {
            ctx.fireChannelRead(message);
        } else {
            ReferenceCountUtil.release(message);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (ctx.channel().hasAttr(COUNTED)) {
            leave(ctx.channel().attr(COUNTED).get());
            ctx.fireChannelInactive();
        }
    }

    private synchronized boolean enter(String client) {
        if (all >= limit || open.getOrDefault(client, 0) >= limitPerClient) {
            return false;
        }
        all++;
        open.merge(client, 1, Integer::sum);
        return true;
    }

    private synchronized void leave(String client) {
        all--;
        open.computeIfPresent(client, (name, count) -> count == 1 ? null : count - 1);
    }

    synchronized int open() {
        return all;
    }
}
