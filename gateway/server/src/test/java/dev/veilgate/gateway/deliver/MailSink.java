package dev.veilgate.gateway.deliver;

import dev.veilgate.transport.smtp.NoMetrics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.james.core.MailAddress;
import org.apache.james.core.MaybeSender;
import org.apache.james.core.Username;
import org.apache.james.protocols.api.OidcSASLConfiguration;
import org.apache.james.protocols.api.handler.ConnectHandler;
import org.apache.james.protocols.netty.Encryption;
import org.apache.james.protocols.netty.NettyServer;
import org.apache.james.protocols.smtp.MailEnvelope;
import org.apache.james.protocols.smtp.SMTPConfigurationImpl;
import org.apache.james.protocols.smtp.SMTPProtocol;
import org.apache.james.protocols.smtp.SMTPProtocolHandlerChain;
import org.apache.james.protocols.smtp.SMTPSession;
import org.apache.james.protocols.smtp.core.ReceivedDataLineFilter;
import org.apache.james.protocols.smtp.hook.AuthHook;
import org.apache.james.protocols.smtp.hook.HookResult;
import org.apache.james.protocols.smtp.hook.HookReturnCode;
import org.apache.james.protocols.smtp.hook.MessageHook;
import org.apache.james.protocols.smtp.hook.RcptHook;
import org.jspecify.annotations.Nullable;

/** A mail server that keeps what it gets: James as it comes, and answers that a test puts in. */
public final class MailSink implements AutoCloseable {
    static final String PASSWORD = "swordfish";

    /**
     * What came in one transaction.
     *
     * @param at when, by System.nanoTime
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Mail(String sender, List<String> recipients, byte[] bytes, boolean tls, boolean loggedIn, long at) {
        /** Its bytes as characters. */
        public String text() {
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }
    }

    /** In the order of their arrival. */
    public final List<Mail> mails = new CopyOnWriteArrayList<>();

    final AtomicInteger connections = new AtomicInteger();
    final AtomicInteger attempts = new AtomicInteger();
    /** From a recipient, or "." for the end of data, to a refusal such as "550 5.1.1 no"; or null. */
    volatile Function<String, @Nullable String> refusals = what -> null;

    private final NettyServer server;

    /** In clear, on any port. */
    public MailSink() {
        this(0, null);
    }

    /** @param tls null for none */
    MailSink(int port, @Nullable Encryption tls) {
        try {
            var chain = new SMTPProtocolHandlerChain(new NoMetrics(), true);
            chain.remove(chain.stream()
                    .filter(ReceivedDataLineFilter.class::isInstance)
                    .findFirst()
                    .orElseThrow());
            chain.add(new Recipients());
            chain.add(new Messages());
            chain.add(new Login());
            chain.add((ConnectHandler<SMTPSession>) session -> {
                connections.incrementAndGet();
                return null;
            });
            chain.wireExtensibleHandlers();
            var configuration = new SMTPConfigurationImpl() {
                @Override
                public boolean isAuthAnnounced(String remote, boolean tlsStarted) {
                    return tlsStarted;
                }
            };
            server = new NettyServer.Factory()
                    .protocol(new SMTPProtocol(chain, configuration))
                    .secure(tls)
                    .build();
            server.setListenAddresses(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            server.setGracefulShutdown(false);
            server.bind();
        } catch (Exception e) { // James declares it
            throw new IllegalStateException(e);
        }
    }

    /** Where it listens. */
    public int port() {
        return server.getListenAddresses().getFirst().getPort();
    }

    /** Waits until so many came. */
    public List<Mail> await(int count) {
        org.awaitility.Awaitility.await().until(() -> mails.size() >= count);
        return mails;
    }

    private static HookResult deny(String reply) {
        return HookResult.builder()
                .hookReturnCode(reply.startsWith("4") ? HookReturnCode.denySoft() : HookReturnCode.deny())
                .smtpReturnCode(reply.substring(0, 3))
                .smtpDescription(reply.substring(4))
                .build();
    }

    private final class Recipients implements RcptHook {
        @Override
        public HookResult doRcpt(SMTPSession session, MaybeSender sender, MailAddress recipient) {
            attempts.incrementAndGet();
            String refusal = refusals.apply(recipient.asString());
            return refusal == null ? HookResult.OK : deny(refusal);
        }
    }

    private final class Messages implements MessageHook {
        @Override
        public HookResult onMessage(SMTPSession session, MailEnvelope mail) {
            String refusal = refusals.apply(".");
            if (refusal != null) {
                return deny(refusal);
            }
            var bytes = new ByteArrayOutputStream();
            try {
                mail.getMessageInputStream().transferTo(bytes);
            } catch (IOException e) {
                return deny("451 4.3.0 no");
            }
            mails.add(new Mail(
                    mail.getMaybeSender().asString(""),
                    mail.getRecipients().stream().map(MailAddress::asString).toList(),
                    bytes.toByteArray(),
                    session.isTLSStarted(),
                    session.getUsername() != null,
                    System.nanoTime()));
            return HookResult.OK;
        }
    }

    private static final class Login implements AuthHook {
        @Override
        public HookResult doAuth(SMTPSession session, Username user, String password) {
            if (!password.equals(PASSWORD)) {
                return HookResult.DENY;
            }
            session.setUsername(user);
            return HookResult.OK;
        }

        @Override
        public HookResult doSasl(SMTPSession session, OidcSASLConfiguration configuration, String response) {
            return HookResult.DECLINED;
        }
    }

    @Override
    public void close() {
        server.unbind();
    }
}
