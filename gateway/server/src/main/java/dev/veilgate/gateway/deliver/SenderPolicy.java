package dev.veilgate.gateway.deliver;

import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.james.jspf.core.DNSService;
import org.apache.james.jspf.core.MacroExpand;
import org.apache.james.jspf.executor.SynchronousSPFExecutor;
import org.apache.james.jspf.impl.DNSServiceXBillImpl;
import org.apache.james.jspf.impl.DefaultTermsFactory;
import org.apache.james.jspf.impl.SPF;
import org.apache.james.jspf.parser.RFC4408SPF1Parser;
import org.xbill.DNS.ExtendedResolver;
import org.xbill.DNS.Resolver;
import org.xbill.DNS.SimpleResolver;

/**
 * Whether the domain of a sender address says that its mail comes from the client that brought it (SPF, RFC 7208). Asked when a report is to be written, which is seldom, not when mail comes.
 */
final class SenderPolicy {
    private static final Duration ANSWER = Duration.ofSeconds(5);

    /** For all questions of one check, and for what the library makes of a policy that a stranger wrote. */
    private static final Duration CHECK = Duration.ofSeconds(30);

    private static final int DNS_PORT = 53;

    private final String nameServer;

    /** @param nameServer host or host:port; empty for those of the machine */
    SenderPolicy(String nameServer) {
        this.nameServer = nameServer;
    }

    /** Whether the result is pass; false for every other one, also where DNS does not answer. */
    boolean passes(OutboundMail.Stranger stranger) {
        var check = new FutureTask<>(() -> result(stranger));
        Thread.ofPlatform().daemon().name("sender-policy").start(check);
        try {
            return check.get(CHECK.toMillis(), TimeUnit.MILLISECONDS)
                    .toLowerCase(Locale.ROOT)
                    .equals("pass");
        } catch (ExecutionException | TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** In this thread: the library's other way never ends where its DNS fails. */
    private String result(OutboundMail.Stranger stranger) throws UnknownHostException {
        DNSService dns = new DNSServiceXBillImpl(resolver());
        var parser = new RFC4408SPF1Parser(new DefaultTermsFactory());
        var spf = new SPF(dns, parser, new MacroExpand(dns), new SynchronousSPFExecutor(dns));
        return String.valueOf(spf.checkSPF(stranger.address(), stranger.reversePath(), stranger.greeting())
                .getResult());
    }

    private Resolver resolver() throws UnknownHostException {
        Resolver resolver;
        if (nameServer.isEmpty()) {
            resolver = new ExtendedResolver();
        } else {
            int colon = nameServer.lastIndexOf(':');
            boolean port = colon > 0 && nameServer.indexOf(':') == colon;
            resolver = new SimpleResolver(port ? nameServer.substring(0, colon) : nameServer);
            resolver.setPort(port ? Integer.parseInt(nameServer.substring(colon + 1)) : DNS_PORT);
        }
        resolver.setTimeout(ANSWER);
        return resolver;
    }
}
