package dev.veilgate.gateway.ingest;

import dev.veilgate.application.connection.ClientAddress;
import dev.veilgate.envelope.smime.MailHeader;
import dev.veilgate.envelope.smime.MalformedMailException;
import dev.veilgate.envelope.smime.OuterHeader;
import dev.veilgate.gateway.ingest.sender.OwnSenderSettings;
import dev.veilgate.gateway.ingest.sender.OwnSenders;
import dev.veilgate.gateway.ingest.sender.OwnSenders.Finding;
import dev.veilgate.gateway.ingest.sender.OwnSenders.Transport;
import dev.veilgate.gateway.ingest.sender.OwnSenders.Unproven;
import dev.veilgate.gateway.ingest.sender.UnprovenMails.Kind;
import dev.veilgate.gateway.tenant.Tenant;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses or counts mail that names a sender of this site whom neither a login nor a signature proves. The log has a
 * line for each, with the network of the client and the domain: anybody can send such mail, and an operator has to tell
 * what is genuine.
 */
final class SenderCheck {
    private static final Logger LOG = LoggerFactory.getLogger(SenderCheck.class);

    private final OwnSenders senders;
    private final OwnSenderSettings settings;
    private final Consumer<Kind> counts;
    private final MeterRegistry meters;

    /** @param counts takes what became of each mail whose sender is not proven */
    SenderCheck(OwnSenders senders, OwnSenderSettings settings, Consumer<Kind> counts, MeterRegistry meters) {
        this.senders = senders;
        this.settings = settings;
        this.counts = counts;
        this.meters = meters;
    }

    /**
     * Looks at a mail without an index that is taken otherwise.
     *
     * @param delivered the form in which it is delivered
     * @param isReport  whether it is in the form of a report that a mail was not delivered
     */
    void checkPlain(Submission.OfMail mail, byte[] delivered, boolean isReport) throws RefusedException {
        Finding unproven = senders.ofPlain(transport(mail), header(mail.message()), header(delivered), isReport);
        decide(mail, unproven, settings.plain(), Kind.PLAIN_REFUSED, Kind.PLAIN_TAKEN);
    }

    private static MailHeader header(byte[] message) throws RefusedException {
        try (InputStream in = new ByteArrayInputStream(message)) {
            return MailHeader.read(in).header();
        } catch (MalformedMailException e) {
            throw new RefusedException(Refusal.MALFORMED, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new IllegalStateException("memory", e);
        }
    }

    /**
     * Looks at a sealed mail that is taken otherwise.
     *
     * @param tenant whose bundle has the certificate that bound the header
     */
    void checkSealed(Submission.OfMail mail, MailHeader came, Optional<OuterHeader> bound, Tenant tenant)
            throws RefusedException {
        Finding unproven = senders.ofSealed(transport(mail), came, bound, tenant);
        decide(mail, unproven, settings.sealed(), Kind.SEALED_REFUSED, Kind.SEALED_TAKEN);
    }

    /** A bound header, unless its sender is of a domain of another tenant's. */
    Optional<OuterHeader> bound(Optional<OuterHeader> header, Tenant tenant) {
        return header.filter(each -> senders.mayBind(tenant, each.from()));
    }

    private static Transport transport(Submission.OfMail mail) {
        return new Transport(mail.from(), mail.client(), mail.reversePath());
    }

    private void decide(
            Submission.OfMail mail, Finding finding, OwnSenderSettings.Unproven setting, Kind refused, Kind taken)
            throws RefusedException {
        if (finding.where() == Unproven.NONE) {
            return;
        }
        Kind kind = setting == OwnSenderSettings.Unproven.REFUSE ? refused : taken;
        counts.accept(kind);
        String where = finding.where().name().toLowerCase(Locale.ROOT);
        LOG.info(
                "{} from {}, {} a login: nothing proves a sender of {} in {}",
                kind,
                mail.client().map(ClientAddress::networkText).orElse("an unknown network"),
                mail.from().isPresent() ? "with" : "without",
                finding.domains().isEmpty() ? "a field that cannot be read" : finding.domains(),
                where);
        meters.counter(
                        "veilgate.mail.unproven.senders",
                        "mail",
                        kind == Kind.PLAIN_REFUSED || kind == Kind.PLAIN_TAKEN ? "plain" : "sealed",
                        "outcome",
                        kind == refused ? "refused" : "taken",
                        "named",
                        where)
                .increment();
        if (kind == refused) {
            throw new RefusedException(
                    Refusal.UNPROVEN_SENDER,
                    "MAIL FROM or From names a sender of a domain of this site: send it from a login that may use"
                            + " the address, or signed as this sender");
        }
    }
}
