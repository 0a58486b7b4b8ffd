package dev.veilgate.gateway.ingest.smtp;

import io.netty.channel.ChannelHandlerContext;
import java.io.IOException;
import java.time.Duration;
import javax.net.ssl.SSLException;
import org.apache.james.protocols.api.ProtocolSession;
import org.apache.james.protocols.api.ProtocolSessionImpl;
import org.apache.james.protocols.netty.BasicChannelInboundHandler;
import org.apache.james.protocols.netty.Encryption;
import org.apache.james.protocols.netty.ProtocolMDCContextFactory;
import org.apache.james.protocols.smtp.SMTPProtocol;
import org.apache.james.util.MDCBuilder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The end of the pipeline: James' session, with our connection attached. */
final class SessionHandler extends BasicChannelInboundHandler {
    private static final Logger LOG = LoggerFactory.getLogger(SessionHandler.class);

    private final Connection connection;
    private final Duration timeout;
    private final long minimumRate;

    SessionHandler(
            SMTPProtocol protocol, @Nullable Encryption encryption, Connection connection, SmtpSettings settings) {
        super(new SessionOnly(), protocol, encryption, false);
        this.connection = connection;
        this.timeout = settings.timeout();
        this.minimumRate = settings.limits().minimumRate().toBytes();
    }

    @Override
    protected ProtocolSession createSession(ChannelHandlerContext ctx) {
        ProtocolSession session = super.createSession(ctx);
        connection.start((ProtocolSessionImpl) session, timeout, minimumRate);
        return session;
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        connection.readAsNeeded();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) throws Exception {
        connection.closed();
        super.channelInactive(ctx);
    }

    /** Of what a client sends, nothing may get into a log. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        Throwable reason = cause.getCause() instanceof SSLException ? cause.getCause() : cause;
        if (reason instanceof IOException) {
            LOG.debug(
                    "smtp {}: the connection broke ({})",
                    ctx.channel().id(),
                    reason.getClass().getSimpleName());
        } else {
            LOG.warn(
                    "smtp {}: closed after a bug: {} at {}",
                    ctx.channel().id(),
                    reason.getClass().getName(),
                    reason.getStackTrace().length == 0 ? "?" : reason.getStackTrace()[0]);
        }
        ctx.close();
    }

    /** The context of James' own log lines: no host names, which would be looked up, and no users. */
    private static final class SessionOnly implements ProtocolMDCContextFactory {
        @Override
        public MDCBuilder onBound(org.apache.james.protocols.api.Protocol protocol, ChannelHandlerContext ctx) {
            return MDCBuilder.create();
        }

        @Override
        public MDCBuilder withContext(ProtocolSession session) {
            return MDCBuilder.create().addToContext(MDCBuilder.SESSION_ID, session.getSessionID());
        }
    }
}
