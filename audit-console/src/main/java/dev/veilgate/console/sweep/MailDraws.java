package dev.veilgate.console.sweep;

import dev.veilgate.client.EnvelopeRef;
import dev.veilgate.client.GatewayException;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.gateway.Gateway;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.indexes.IndexFindings;
import dev.veilgate.console.indexes.IndexState;
import dev.veilgate.console.indexes.Outcome;
import dev.veilgate.console.indexes.ReadMail;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.UnopenableEnvelopeException;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.reading.OpenedMail;
import dev.veilgate.reading.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/**
 * Mails that the gateway says it drew evenly of all that it has. They have no chain, so that nobody notices what it
 * leaves out. Their indexes are checked as if somebody had opened them.
 */
@Component
class MailDraws {
    private static final Logger LOG = LoggerFactory.getLogger(MailDraws.class);
    private static final int PAGE = 100;

    private final Custody custody;
    private final Gateway gateway;
    private final IndexFindings findings;

    MailDraws(Custody custody, Gateway gateway, IndexFindings findings) {
        this.custody = custody;
        this.gateway = gateway;
        this.findings = findings;
    }

    /**
     * Result of drawing one mail.
     *
     * @param sender who answers for it; empty for nobody
     */
    record Drawn(String sender, Draw draw) {}

    /** Some mails; none of a gateway of before, which does not draw. */
    List<EnvelopeRef> list(int most) {
        List<EnvelopeRef> drawn = new ArrayList<>();
        try {
            for (int left = most; left > 0; left -= PAGE) {
                int page = Math.min(left, PAGE);
                drawn.addAll(gateway.ask(client -> client.drawn("", page)));
            }
        } catch (ProblemException e) {
            if (e.status() != HttpStatus.BAD_REQUEST) {
                throw e;
            }
            LOG.warn("the gateway is of a version that draws no mails: their indexes are not swept");
        }
        return drawn;
    }

    /** Opens and checks a mail of the list. What nobody answers for is not opened. */
    Drawn check(EnvelopeRef which, SweepRights rights) throws Exception {
        Optional<Envelope> given = given(which);
        if (given.isEmpty()) {
            return new Drawn("", Draw.NOT_GIVEN);
        }
        Envelope envelope = given.get();
        String sender = findings.senderOf(envelope);
        return new Drawn(sender, sender.isEmpty() ? Draw.NOT_CHECKED : check(which, envelope, rights));
    }

    private Draw check(EnvelopeRef which, Envelope envelope, SweepRights rights) throws Exception {
        Optional<byte[]> content = fetch(client -> client.content(which));
        if (content.isEmpty()) {
            return Draw.NOT_GIVEN;
        }
        Reading reading = rights.of(envelope);
        byte[] message;
        try {
            message = OpenedMail.of(envelope, content.get(), reading).message();
        } catch (UnopenableEnvelopeException e) {
            return Draw.NOT_OPENABLE;
        }
        ReadMail read = ReadMail.of(reading.profiles().ofEnvelope(envelope), message);
        Set<String> scopes = new TreeSet<>();
        envelope.index().stream().map(IndexBlock::scope).forEach(scopes::add);
        if (scopes.isEmpty()) {
            scopes.add("");
        }
        boolean isAll = true;
        for (String scope : scopes) {
            IndexState state = findings.ofMail(envelope, scope, message, read);
            isAll &= state.outcome() == Outcome.COMPLETE || state.isFinding();
        }
        return isAll ? Draw.CHECKED : Draw.NOT_CHECKED;
    }

    /** The mail that is named; anything else is none. */
    private Optional<Envelope> given(EnvelopeRef which) {
        Optional<byte[]> bytes = fetch(client -> client.envelope(which));
        if (bytes.isEmpty()) {
            return Optional.empty();
        }
        try {
            Envelope envelope = Envelope.decode(bytes.get());
            boolean isMail = envelope.sender().isEmpty()
                    && envelope.detachedDigest().isPresent()
                    && envelope.tenant().equals(custody.tenant());
            return which.means(envelope) && isMail ? Optional.of(envelope) : Optional.empty();
        } catch (MalformedEncodingException e) {
            return Optional.empty();
        }
    }

    /** An answer of the gateway; empty if it has deleted meanwhile what it listed. */
    private Optional<byte[]> fetch(Gateway.Question<byte[]> question) {
        return gateway.ask(client -> {
            try {
                return Optional.of(question.with(client));
            } catch (GatewayException e) {
                if (e.status() == HttpStatus.NOT_FOUND.value()) {
                    return Optional.empty();
                }
                throw e;
            }
        });
    }
}
