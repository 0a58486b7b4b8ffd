package dev.veilgate.envelope;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether a registered sender signed an envelope, with the keys of all senders made ready once: for who verifies many. Says the same as {@link
 * Envelope#signedBy(SenderPublicKey)}. Immutable; safe for use by several threads.
 */
public final class EnvelopeVerifier {
    private final Map<String, List<SenderPublicKey.Verifier>> keys = new HashMap<>();

    /** @param senders of one name several, when a sender has had several keys */
    public EnvelopeVerifier(List<SenderPublicKey> senders) {
        for (SenderPublicKey sender : senders) {
            keys.computeIfAbsent(sender.sender(), name -> new ArrayList<>()).add(new SenderPublicKey.Verifier(sender));
        }
    }

    /** Whether a key of the sender that the envelope names signed exactly its bytes. */
    public boolean signed(Envelope envelope) {
        return keys.getOrDefault(envelope.sender(), List.of()).stream().anyMatch(envelope::signedBy);
    }
}
