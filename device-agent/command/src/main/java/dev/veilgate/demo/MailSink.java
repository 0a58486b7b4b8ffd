package dev.veilgate.demo;

import dev.veilgate.transport.smtp.NoMetrics;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.james.protocols.api.handler.WiringException;
import org.apache.james.protocols.netty.NettyServer;
import org.apache.james.protocols.smtp.MailEnvelope;
import org.apache.james.protocols.smtp.SMTPConfigurationImpl;
import org.apache.james.protocols.smtp.SMTPProtocol;
import org.apache.james.protocols.smtp.SMTPProtocolHandlerChain;
import org.apache.james.protocols.smtp.SMTPSession;
import org.apache.james.protocols.smtp.hook.HookResult;
import org.apache.james.protocols.smtp.hook.MessageHook;

/** The mail server behind the gateway: the mailbox and the pager of the demonstration, on loopback. Counts what comes, and keeps what comes for the mailbox, each mail in a file. */
final class MailSink implements AutoCloseable {
    private final NettyServer server;
    private final Path mailbox;
    private final List<String> arrived = new ArrayList<>();

    /** @param mailbox a folder, which is made; mails are named by the order in which they come: 1.eml */
    MailSink(Path mailbox) throws IOException {
        this.mailbox = Files.createDirectories(mailbox);
        try {
            var chain = new SMTPProtocolHandlerChain(new NoMetrics());
            chain.add(new Hook());
            chain.wireExtensibleHandlers();
            server = new NettyServer.Factory()
                    .protocol(new SMTPProtocol(chain, new SMTPConfigurationImpl()))
                    .build();
            server.setListenAddresses(new InetSocketAddress("127.0.0.1", 0));
            server.bind();
        } catch (WiringException e) {
            throw new IOException("the mail server cannot be put together", e);
        } catch (Exception e) {
            throw new IOException("the mail server does not start", e);
        }
    }

    int port() {
        return server.getListenAddresses().getFirst().getPort();
    }

    /** How many mails came for an address. */
    synchronized long count(String address) {
        return arrived.stream().filter(address::equals).count();
    }

    /** Waits until so many came for an address, or the time is over. */
    synchronized boolean await(String address, long count, long seconds) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (count(address) < count) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                return false;
            }
            wait(left);
        }
        return true;
    }

    private synchronized void arrived(List<String> addresses, byte[] message) throws IOException {
        if (addresses.contains(DemoSite.MAILBOX)) {
            Files.write(mailbox.resolve(count(DemoSite.MAILBOX) + 1 + ".eml"), message);
        }
        arrived.addAll(addresses);
        notifyAll();
    }

    private final class Hook implements MessageHook {
        @Override
        public HookResult onMessage(SMTPSession session, MailEnvelope mail) {
            List<String> addresses = mail.getRecipients().stream()
                    .map(recipient -> recipient.asString().toLowerCase(Locale.ROOT))
                    .toList();
            try (InputStream message = mail.getMessageInputStream()) {
                arrived(addresses, message.readAllBytes());
            } catch (IOException e) {
                return HookResult.DENYSOFT;
            }
            return HookResult.OK;
        }
    }

    @Override
    public void close() {
        server.unbind();
    }
}
