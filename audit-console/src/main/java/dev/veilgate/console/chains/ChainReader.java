package dev.veilgate.console.chains;

import dev.veilgate.client.EnvelopeRef;
import dev.veilgate.client.GatewayException;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.gateway.Gateway;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.SenderPublicKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/**
 * Fetches envelopes by their numbers in senders' chains, and believes only what the sender signed. Each that is seen is
 * kept in {@link SeenChains}. The gateway learns which numbers are asked for.
 */
@Component
public class ChainReader {
    /** Most envelopes of one number: of a sender that signed it twice, or that has had another key. */
    private static final int MOST_OF_NUMBER = 4;

    private final Custody custody;
    private final Gateway gateway;
    private final SeenChains seen;

    ChainReader(Custody custody, Gateway gateway, SeenChains seen) {
        this.custody = custody;
        this.gateway = gateway;
        this.seen = seen;
    }

    /**
     * Envelopes of a number.
     *
     * @param signed  by the key: one, or several if it signed the number more than once; none if none was given
     * @param isOther whether something was given that is not of this number, or not signed by the key
     */
    public record Answer(List<Envelope> signed, boolean isOther) {
        /** Copies. */
        public Answer {
            signed = List.copyOf(signed);
        }

        /** Bytes of the signed envelopes that were fetched. */
        public long bytes() {
            return signed.stream().mapToLong(Envelope::size).sum();
        }

        @Override
        public String toString() {
            return "Answer[" + signed.size() + " signed, " + isOther + "]";
        }
    }

    /**
     * Fetches all that the gateway has of a number.
     *
     * @throws ProblemException 502 if it does not answer, 423 if the keys are locked
     */
    public Answer ask(SenderPublicKey key, long number) {
        List<EnvelopeRef> named = gateway.ask(client -> client.numbered(key.sender(), number, MOST_OF_NUMBER));
        List<Envelope> signed = new ArrayList<>();
        boolean isOther = false;
        for (EnvelopeRef which : named) {
            Optional<byte[]> bytes = fetch(which);
            if (bytes.isPresent()) {
                Optional<Envelope> envelope = read(bytes.get(), key, number);
                isOther |= envelope.isEmpty();
                envelope.filter(one -> !signed.contains(one)).ifPresent(signed::add);
            }
        }
        signed.forEach(one -> seen.keep(key, one));
        return new Answer(signed, isOther);
    }

    /** When some of the numbers of a chain were sealed, of those that were ever seen. */
    public NavigableMap<Long, Instant> sealed(SenderPublicKey key) {
        return seen.marks(key);
    }

    private Optional<Envelope> read(byte[] bytes, SenderPublicKey key, long number) {
        try {
            Envelope envelope = Envelope.decode(bytes);
            boolean isAsked = envelope.tenant().equals(custody.tenant())
                    && envelope.sequence() == number
                    && envelope.detachedDigest().isEmpty()
                    && envelope.signedBy(key);
            return isAsked ? Optional.of(envelope) : Optional.empty();
        } catch (MalformedEncodingException e) {
            return Optional.empty();
        }
    }

    /** The bytes of an envelope; none if the gateway deleted it since it named it. */
    private Optional<byte[]> fetch(EnvelopeRef which) {
        return gateway.ask(client -> {
            try {
                return Optional.of(client.envelope(which));
            } catch (GatewayException e) {
                if (e.status() == HttpStatus.NOT_FOUND.value()) {
                    return Optional.empty();
                }
                throw e;
            }
        });
    }
}
