package dev.veilgate.gateway.ingest;

import dev.veilgate.envelope.smime.MailHeader;
import dev.veilgate.envelope.smime.MalformedMailException;
import dev.veilgate.envelope.smime.OuterHeader;
import dev.veilgate.gateway.ingest.sender.OwnSenderSettings;
import dev.veilgate.gateway.ingest.sender.OwnSenders;
import dev.veilgate.gateway.ingest.sender.OwnSenders.Transport;
import dev.veilgate.gateway.ingest.sender.OwnSenders.Unproven;
import dev.veilgate.gateway.ingest.sender.UnprovenMails.Kind;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/** Refuses or counts mail that names a sender of this site whom neither a login nor a signature proves. */
final class SenderCheck {
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
     * @param isReport whether it is in the form of a report that a mail was not delivered
     */
    void checkPlain(Submission.OfMail mail, boolean isReport) throws RefusedException {
        try (InputStream in = new ByteArrayInputStream(mail.message())) {
            MailHeader header = MailHeader.read(in).header();
            Unproven unproven = senders.ofPlain(transport(mail), header, isReport);
            decide(unproven, settings.plain(), Kind.PLAIN_REFUSED, Kind.PLAIN_TAKEN);
        } catch (MalformedMailException e) {
            throw new RefusedException(Refusal.MALFORMED, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new IllegalStateException("memory", e);
        }
    }

    /** Looks at a sealed mail that is taken otherwise. */
    void checkSealed(Submission.OfMail mail, MailHeader came, Optional<OuterHeader> bound) throws RefusedException {
        Unproven unproven = senders.ofSealed(transport(mail), came, bound);
        decide(unproven, settings.sealed(), Kind.SEALED_REFUSED, Kind.SEALED_TAKEN);
    }

    private static Transport transport(Submission.OfMail mail) {
        return new Transport(mail.from(), mail.client(), mail.reversePath());
    }

    private void decide(Unproven where, OwnSenderSettings.Unproven setting, Kind refused, Kind taken)
            throws RefusedException {
        if (where == Unproven.NONE) {
            return;
        }
        Kind kind = setting == OwnSenderSettings.Unproven.REFUSE ? refused : taken;
        counts.accept(kind);
        meters.counter(
                        "veilgate.mail.unproven.senders",
                        "mail",
                        kind == Kind.PLAIN_REFUSED || kind == Kind.PLAIN_TAKEN ? "plain" : "sealed",
                        "outcome",
                        kind == refused ? "refused" : "taken",
                        "named",
                        where.name().toLowerCase(Locale.ROOT))
                .increment();
        if (kind == refused) {
            throw new RefusedException(
                    Refusal.UNPROVEN_SENDER,
                    "MAIL FROM or From names a sender of a domain of this site: send it from a login that may use"
                            + " the address, or signed as this sender");
        }
    }
}
