package dev.veilgate.proxy;

import dev.veilgate.service.LineLog;
import dev.veilgate.settings.ProxySettings;
import dev.veilgate.transport.TlsContext;
import dev.veilgate.transport.TlsKeys;
import dev.veilgate.transport.smtp.NoMetrics;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.socket.SocketChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.apache.james.metrics.api.MetricFactory;
import org.apache.james.protocols.api.Protocol;
import org.apache.james.protocols.api.ProtocolSession;
import org.apache.james.protocols.api.handler.CommandDispatcher;
import org.apache.james.protocols.api.handler.ProtocolHandler;
import org.apache.james.protocols.api.handler.WiringException;
import org.apache.james.protocols.netty.AbstractAsyncServer;
import org.apache.james.protocols.netty.AbstractSSLAwareChannelPipelineFactory;
import org.apache.james.protocols.netty.AllButStartTlsLineBasedChannelHandler;
import org.apache.james.protocols.netty.BasicChannelInboundHandler;
import org.apache.james.protocols.netty.ChannelHandlerFactory;
import org.apache.james.protocols.netty.Encryption;
import org.apache.james.protocols.netty.ProtocolMDCContextFactory;
import org.apache.james.protocols.smtp.SMTPConfigurationImpl;
import org.apache.james.protocols.smtp.SMTPProtocol;
import org.apache.james.protocols.smtp.SMTPProtocolHandlerChain;
import org.apache.james.protocols.smtp.SMTPSession;
import org.apache.james.protocols.smtp.core.DataCmdHandler;
import org.apache.james.protocols.smtp.core.HeloCmdHandler;
import org.apache.james.protocols.smtp.core.NoopCmdHandler;
import org.apache.james.protocols.smtp.core.QuitCmdHandler;
import org.apache.james.protocols.smtp.core.RcptCmdHandler;
import org.apache.james.protocols.smtp.core.RsetCmdHandler;
import org.apache.james.protocols.smtp.core.UnknownCmdHandler;
import org.apache.james.protocols.smtp.core.VrfyCmdHandler;
import org.apache.james.protocols.smtp.core.WelcomeMessageHandler;
import org.apache.james.protocols.smtp.core.esmtp.EhloCmdHandler;
import org.apache.james.protocols.smtp.core.esmtp.StartTlsCmdHandler;
import org.apache.james.util.MDCBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The listening side: SMTP of Apache James, with our own end of DATA ({@link MessageReceiver}) and only the commands that a submission
 * needs. A connection is served by one of {@link #THREADS} threads, which also seals; a thread takes no more from a socket than it has
 * dealt with, so a fast sender cannot fill memory.
 */
final class SubmissionServer extends AbstractAsyncServer {
    /** Threads, each of which serves the connections that fell to it one after the other. */
    static final int THREADS = 32;

    /** Longer lines come to the handlers in pieces. */
    static final int PIECE_BYTES = 32 << 10;

    private static final int IDLE_SECONDS =
            Math.toIntExact(Duration.ofMinutes(5).toSeconds());

    private final SMTPProtocol protocol;
    private final @Nullable Encryption encryption;
    private final boolean exposed;
    private final ConnectionLimits limits;

    /**
     * @param ourName what it greets with
     * @throws IOException if a file that the settings name cannot be used
     */
    SubmissionServer(
            ProxySettings settings,
            ConnectionLimits limits,
            String ourName,
            MailSubmission submission,
            Clock clock,
            LineLog log)
            throws IOException {
        this.limits = limits;
        Path certificate = settings.certificate();
        Path key = settings.key();
        this.encryption = certificate == null || key == null
                ? null
                : Encryption.createStartTls(TlsContext.server(TlsKeys.ofPem(certificate, key)));
        this.exposed = settings.passwords() != null;
        try {
            this.protocol =
                    new SMTPProtocol(chain(settings, submission, clock, log), new Configuration(ourName, settings));
        } catch (WiringException e) {
            throw new IOException("the SMTP server cannot be put together", e);
        }
        setListenAddresses(new InetSocketAddress(settings.host(), settings.port()));
        setIoWorkerCount(THREADS);
        setTimeout(IDLE_SECONDS);
        jmxName = "veilgate-smtp";
    }

    private SMTPProtocolHandlerChain chain(ProxySettings settings, MailSubmission submission, Clock clock, LineLog log)
            throws WiringException, IOException {
        MetricFactory none = new NoMetrics();
        var chain = new SMTPProtocolHandlerChain(none, false);
        chain.addAll(List.<ProtocolHandler>of(
                new CommandDispatcher<SMTPSession>(),
                new EhloCmdHandler(none),
                new HeloCmdHandler(none),
                new SenderForm(none),
                new NoopCmdHandler(),
                new QuitCmdHandler(none),
                new RcptCmdHandler(none),
                new RsetCmdHandler(),
                new VrfyCmdHandler(),
                new DataCmdHandler(none),
                new WelcomeMessageHandler(),
                new StartTlsCmdHandler(),
                new UnknownCmdHandler(none),
                new SizeLimit(submission::maxBytes),
                new RecipientKeys(submission),
                new MessageReceiver(submission, settings.partial(), log),
                new CommandGuard()));
        Path passwords = settings.passwords();
        if (passwords != null) {
            var login =
                    new PasswordLogin(new PasswordFile(passwords), new LoginAttempts(clock), settings, submission, log);
            chain.add(login);
        }
        chain.wireExtensibleHandlers();
        return chain;
    }

    /** Where it listens. */
    int port() {
        return getListenAddresses().getFirst().getPort();
    }

    @Override
    protected ChannelInitializer<SocketChannel> createPipelineFactory() {
        // No executor for the framer: everything of a connection happens in its one thread, in order.
        return new AbstractSSLAwareChannelPipelineFactory<SocketChannel>(
                getTimeout(),
                limits.connections(),
                exposed ? limits.perClient() : 0,
                false,
                () -> encryption,
                new Framers(),
                null) {
            @Override
            protected ChannelInboundHandlerAdapter createHandler() {
                return new BasicChannelInboundHandler(new SessionOnly(), protocol, encryption, false) {
                    @Override
                    protected ProtocolSession createSession(ChannelHandlerContext context) {
                        ProtocolSession session = super.createSession(context);
                        ConnectionGuard.watch(session, context.channel(), exposed, limits);
                        return session;
                    }
                };
            }
        };
    }

    /**
     * The context of James' own log lines: the session alone. James' standard one holds the client's name, for which it asks the name server before it
     * greets, in a thread that other connections wait for.
     */
    private static final class SessionOnly implements ProtocolMDCContextFactory {
        @Override
        public MDCBuilder onBound(Protocol protocol, ChannelHandlerContext context) {
            return MDCBuilder.create();
        }

        @Override
        public MDCBuilder withContext(ProtocolSession session) {
            return MDCBuilder.create().addToContext(MDCBuilder.SESSION_ID, session.getSessionID());
        }
    }

    private static final class Framers implements ChannelHandlerFactory {
        @Override
        public ChannelHandler create(ChannelPipeline pipeline) {
            return new Framer(pipeline);
        }
    }

    /** Lines with their ends; of a line longer than a piece, pieces, so that neither memory is filled nor a byte lost. */
    private static final class Framer extends AllButStartTlsLineBasedChannelHandler {
        Framer(ChannelPipeline pipeline) {
            super(pipeline, Integer.MAX_VALUE, false, "starttls");
        }

        @Override
        protected @Nullable Object decode(ChannelHandlerContext context, ByteBuf buffer) throws Exception {
            int limit = Math.min(buffer.readableBytes(), PIECE_BYTES);
            if (buffer.indexOf(buffer.readerIndex(), buffer.readerIndex() + limit, (byte) '\n') < 0) {
                return limit == PIECE_BYTES ? buffer.readRetainedSlice(limit) : null;
            }
            return super.decode(context, buffer);
        }
    }

    private final class Configuration extends SMTPConfigurationImpl {
        private final String ourName;
        private final long maxMessageBytes;

        Configuration(String ourName, ProxySettings settings) {
            this.ourName = ourName;
            this.maxMessageBytes = settings.maxMessageBytes();
        }

        @Override
        public String getHelloName() {
            return ourName;
        }

        @Override
        public String getSoftwareName() {
            return "Veilgate";
        }

        @Override
        public long getMaxMessageSize() {
            return maxMessageBytes;
        }

        @Override
        public boolean isAuthAnnounced(String remote, boolean tlsStarted) {
            return exposed && (tlsStarted || encryption == null);
        }
    }
}
