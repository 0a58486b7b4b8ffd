package dev.veilgate.gateway.ingest.smtp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts what comes into commands, and gives what belongs to a message to that message. Commands are printable ASCII and end in CR LF; a
 * client that sends anything else speaks another protocol, or tries something, and is cut off.
 */
final class CommandFramer extends ByteToMessageDecoder {
    /** Longest command with its CR LF: 512 bytes by RFC 5321, more for passwords in AUTH. */
    static final int MAX_COMMAND_BYTES = 2048;

    private static final byte[] END_OF_DATA = {'.', '\r', '\n'};

    private final Connection connection;
    private @Nullable ChannelHandlerContext context;

    CommandFramer(Connection connection) {
        this.connection = connection;
    }

    /** Bytes that came and were not looked at yet. */
    int waiting() {
        return actualReadableBytes();
    }

    /** Goes on with what came while nothing was taken. */
    void proceed() {
        ChannelHandlerContext here = context;
        if (here == null || here.isRemoved()) {
            return;
        }
        try {
            channelRead(here, Unpooled.EMPTY_BUFFER);
        } catch (Exception e) { // Netty declares it
            here.fireExceptionCaught(e);
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        if (connection.isClosed()) {
            in.skipBytes(in.readableBytes());
        }
        if (connection.isPaused() || !in.isReadable()) {
            return;
        }
        IncomingMessage message = connection.message();
        if (message == null) {
            command(in, out);
        } else {
            int before = in.readableBytes();
            boolean ended = message.take(in);
            connection.progress(before - in.readableBytes());
            if (ended && !connection.isClosed()) { // it may have been hung up on
                out.add(Unpooled.wrappedBuffer(END_OF_DATA));
            }
        }
    }

    private void command(ByteBuf in, List<Object> out) {
        int limit = Math.min(in.readableBytes(), MAX_COMMAND_BYTES);
        int end = in.indexOf(in.readerIndex(), in.readerIndex() + limit, (byte) '\n');
        if (end < 0) {
            if (limit == MAX_COMMAND_BYTES) {
                connection.hangUp("500 5.5.6 The line is too long");
            }
            return;
        }
        int length = end - in.readerIndex() - 1;
        if (length < 0 || in.getByte(end - 1) != '\r' || !isPrintable(in, length)) {
            connection.hangUp("500 5.5.2 Commands are printable ASCII and end in CR LF");
            return;
        }
        connection.progress();
        connection.commandsSinceMessage++;
        out.add(in.readRetainedSlice(length + 2));
    }

    private static boolean isPrintable(ByteBuf in, int length) {
        return in.forEachByte(in.readerIndex(), length, b -> b >= ' ' && b <= '~' || b == '\t') < 0;
    }

    @Override
    protected void decodeLast(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        // half a command is none
    }
}
