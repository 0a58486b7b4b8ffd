package dev.veilgate.gateway.ingest.smtp;

import dev.veilgate.gateway.access.Access;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.ingest.Ingestion;
import dev.veilgate.gateway.ingest.PlainMailPolicy;
import dev.veilgate.gateway.ingest.Refusal;
import dev.veilgate.gateway.ingest.RefusedException;
import dev.veilgate.gateway.ingest.Submission;
import dev.veilgate.gateway.ingest.sender.SenderRights;
import dev.veilgate.gateway.settings.GatewaySettings;
import dev.veilgate.gateway.tenant.Tenants;
import dev.veilgate.transport.smtp.NoMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import org.apache.james.metrics.api.MetricFactory;
import org.apache.james.protocols.api.handler.CommandDispatcher;
import org.apache.james.protocols.api.handler.ProtocolHandler;
import org.apache.james.protocols.api.handler.WiringException;
import org.apache.james.protocols.smtp.SMTPConfigurationImpl;
import org.apache.james.protocols.smtp.SMTPProtocol;
import org.apache.james.protocols.smtp.SMTPProtocolHandlerChain;
import org.apache.james.protocols.smtp.SMTPSession;
import org.apache.james.protocols.smtp.core.ExpnCmdHandler;
import org.apache.james.protocols.smtp.core.HeloCmdHandler;
import org.apache.james.protocols.smtp.core.NoopCmdHandler;
import org.apache.james.protocols.smtp.core.QuitCmdHandler;
import org.apache.james.protocols.smtp.core.RsetCmdHandler;
import org.apache.james.protocols.smtp.core.UnknownCmdHandler;
import org.apache.james.protocols.smtp.core.VrfyCmdHandler;
import org.apache.james.protocols.smtp.core.WelcomeMessageHandler;
import org.apache.james.protocols.smtp.core.esmtp.EhloCmdHandler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts the SMTP side together. */
@Configuration(proxyBeanMethods = false)
class SmtpConfiguration {
    private static final Logger LOG = LoggerFactory.getLogger(SmtpConfiguration.class);

    /** For the Received field in front of a message. */
    private static final int ROOM_FOR_TRACE = 64 << 10;

    @Bean
    SmtpServer smtpServer(
            SmtpSettings settings,
            Ingestion ingestion,
            Access access,
            Tenants tenants,
            ObjectProvider<SslBundles> bundles,
            GatewaySettings gateway,
            Clock clock,
            MeterRegistry meters) {
        long heap = Runtime.getRuntime().maxMemory();
        SmtpSettings fitting = settings.withinHeap(heap);
        if (!fitting.equals(settings)) {
            LOG.warn(
                    "mails of up to {} MB are taken, and {} MB of them at once, not {} and {} as the settings say:"
                            + " Java has {} MB of memory",
                    fitting.maxMessage().toMegabytes(),
                    fitting.limits().buffered().toMegabytes(),
                    settings.maxMessage().toMegabytes(),
                    settings.limits().buffered().toMegabytes(),
                    heap >> 20);
        }
        return server(fitting, gateway.hostname(), ingestion, access, tenants, bundles.getIfAvailable(), clock, meters);
    }

    @Bean
    PlainMailPolicy plainMailPolicy(SmtpSettings settings) {
        return new PlainMailPolicy() {
            @Override
            public void check(Submission.OfMail mail) throws RefusedException {
                boolean relayed = mail.recipients().stream()
                        .map(address -> settings.plain(address.substring(address.lastIndexOf('@') + 1)))
                        .allMatch(plain -> plain == SmtpSettings.Plain.RELAY);
                if (!relayed && !(settings.reports() == SmtpSettings.Plain.RELAY && isReport(mail))) {
                    throw new RefusedException(Refusal.PLAIN_MAIL, "a recipient's domain takes sealed mail only");
                }
            }

            @Override
            public boolean isReport(Submission.OfMail mail) {
                return ReportForm.isReport(mail);
            }
        };
    }

    @Bean
    SenderRights senderRights(SmtpSettings settings) {
        return new SenderRights() {
            @Override
            public Set<String> servedDomains() {
                return settings.domains().keySet();
            }

            @Override
            public boolean mayUse(Principal login, String address) {
                return settings.mayUse(login, address);
            }
        };
    }

    @Bean
    HealthIndicator smtpHealthIndicator(SmtpServer server) {
        return () -> (server.isListening() ? Health.up() : Health.down())
                .withDetail("ports", server.ports())
                .build();
    }

    static SmtpServer server(
            SmtpSettings settings,
            String name,
            Ingestion ingestion,
            Access access,
            Tenants tenants,
            @Nullable SslBundles bundles,
            Clock clock,
            MeterRegistry meters) {
        var memory = memory(settings);
        meters.gauge("veilgate.smtp.buffered", memory, MessageMemory::taken);
        var receiver = new MessageReceiver(ingestion, memory, settings, name, clock, meters);
        var protocol = new SMTPProtocol(
                chain(settings, access, tenants, receiver, memory, clock), new Greeting(name, settings));
        return new SmtpServer(settings, protocol, bundles, meters);
    }

    /** A client always has room for the longest message. */
    private static MessageMemory memory(SmtpSettings settings) {
        SmtpSettings.Limits limits = settings.limits();
        long one = settings.maxMessage().toBytes() + ROOM_FOR_TRACE;
        return new MessageMemory(
                limits.buffered().toBytes(),
                Math.max(one, limits.bufferedPerClient().toBytes()),
                Math.max(one, limits.bufferedPerNetwork().toBytes()));
    }

    private static SMTPProtocolHandlerChain chain(
            SmtpSettings settings,
            Access access,
            Tenants tenants,
            MessageReceiver receiver,
            MessageMemory memory,
            Clock clock) {
        MetricFactory none = new NoMetrics();
        var limits = new SenderLimits(settings.limits(), clock);
        var chain = new SMTPProtocolHandlerChain(none, false);
        chain.addAll(List.<ProtocolHandler>of(
                new CommandDispatcher<SMTPSession>(),
                new WelcomeMessageHandler(),
                new EhloCmdHandler(none),
                new HeloCmdHandler(none),
                new StartTls(),
                new AuthCommand(access),
                new MailCommand(settings, limits, memory, receiver::noMemory, none),
                new RcptCommand(settings, limits, new KnownRecipients(settings, tenants), none),
                receiver,
                new RsetCmdHandler(),
                new NoopCmdHandler(),
                new VrfyCmdHandler(),
                new ExpnCmdHandler(),
                new QuitCmdHandler(none),
                new UnknownCmdHandler(none),
                new CommandLimit(settings.limits())));
        try {
            chain.wireExtensibleHandlers();
        } catch (WiringException e) {
            throw new IllegalStateException(e);
        }
        return chain;
    }

    private static final class Greeting extends SMTPConfigurationImpl {
        private final String name;
        private final long maxMessageBytes;

        Greeting(String name, SmtpSettings settings) {
            this.name = name;
            this.maxMessageBytes = settings.maxMessage().toBytes();
        }

        @Override
        public String getHelloName() {
            return name;
        }

        @Override
        public String getGreeting() {
            return name + " ESMTP Veilgate";
        }

        @Override
        public long getMaxMessageSize() {
            return maxMessageBytes;
        }
    }
}
