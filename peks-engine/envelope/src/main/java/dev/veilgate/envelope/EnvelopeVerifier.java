package dev.veilgate.envelope;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether a registered sender signed an envelope, with the keys of the senders that were heard last made ready: for who verifies many. Says the same as {@link
 * Envelope#signedBy(SenderPublicKey)}. Safe for use by several threads.
 */
public final class EnvelopeVerifier {
    /** Some 5 kB each. */
    private static final int MOST_READY = 2048;

    private final RegisteredSenders senders;
    private final Map<String, List<SenderPublicKey.Verifier>> ready = new LastUsed();

    /** @param senders who may sign; asked for a key when it is needed */
    public EnvelopeVerifier(RegisteredSenders senders) {
        this.senders = senders;
    }

    /**
     * Whether a key of the sender that the envelope names signed exactly its bytes.
     *
     * @throws IOException if that cannot be found out now, because the sender's key cannot be read
     */
    public boolean signed(Envelope envelope) throws IOException {
        return keysOf(envelope.sender()).stream().anyMatch(envelope::signedBy);
    }

    private List<SenderPublicKey.Verifier> keysOf(String sender) throws IOException {
        synchronized (ready) {
            List<SenderPublicKey.Verifier> known = ready.get(sender);
            if (known != null) {
                return known;
            }
        }
        List<SenderPublicKey.Verifier> keys = senders.keysOf(sender).stream()
                .map(SenderPublicKey.Verifier::new)
                .toList();
        if (!keys.isEmpty()) { // names that nobody registered would push the others out
            synchronized (ready) {
                ready.put(sender, keys);
            }
        }
        return keys;
    }

    /** Forgets the one that was not used for longest. */
    private static final class LastUsed extends LinkedHashMap<String, List<SenderPublicKey.Verifier>> {
        private static final long serialVersionUID = 1L;

        LastUsed() {
            super(64, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, List<SenderPublicKey.Verifier>> eldest) {
            return size() > MOST_READY;
        }
    }
}
