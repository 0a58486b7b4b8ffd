package dev.veilgate.benchmarks;

import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.EnvelopeVerifier;
import dev.veilgate.envelope.RegisteredSenders;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.query.IndexAdmission;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * The way of an envelope of {@value #LINES} lines of logs through the checks of a gateway, as its admission does them:
 * decoding, both signatures with the sender's key ready, each index block. Quota and journal are not among them.
 */
final class PostQuantumArrival {
    private static final int LINES = 10;
    private static final int ENVELOPES = 32;

    private final List<byte[]> arriving;
    private final List<Envelope> decoded = new ArrayList<>();
    private final RegisteredSenders senders;
    private final IndexAdmission index;
    private final Map<String, EnvelopeVerifier> verifiers = new LinkedHashMap<>();
    private int next;

    private PostQuantumArrival(List<byte[]> arriving, LogSealing.Sender sender) throws Exception {
        this.arriving = arriving;
        for (byte[] bytes : arriving) {
            decoded.add(Envelope.decode(bytes));
        }
        senders = RegisteredSenders.of(List.of(sender.identity().publicKey()));
        index = IndexAdmission.of(sender.bundle(), IndexSchemes.load());
    }

    /** Seals envelopes of the lines of several logs. */
    static PostQuantumArrival prepare() throws Exception {
        List<EdgeLog> logs = EdgeLog.readAll();
        LogSealing.Sender sender = LogSealing.Sender.generate();
        List<byte[]> arriving = new ArrayList<>();
        try (LogSealing sealing = new LogSealing(sender)) {
            for (int i = 0; i < ENVELOPES; i++) {
                List<byte[]> lines = logs.get(i % logs.size()).lines();
                int from = i / logs.size() * LINES;
                arriving.add(sealing.seal(lines.subList(from, from + LINES)).bytes());
            }
        }
        return new PostQuantumArrival(arriving, sender);
    }

    /** Makes the sender's keys ready with who computes now; they stay with it. */
    void readyUnderCurrent(String provider) throws Exception {
        EnvelopeVerifier verifier = new EnvelopeVerifier(senders);
        requireSigned(verifier, decoded.getFirst());
        verifiers.put(provider, verifier);
    }

    /** Every step alone, and all of them. */
    Map<String, Callable<?>> steps() {
        Map<String, Callable<?>> steps = new LinkedHashMap<>();
        steps.put("decoding" + PostQuantumOperations.BY + "both", () -> Envelope.decode(arriving.get(turn())));
        steps.put("index blocks" + PostQuantumOperations.BY + "both", () -> index.verify(decoded.get(turn())));
        verifiers.forEach((provider, verifier) -> steps.put(
                "both signatures" + PostQuantumOperations.BY + provider,
                () -> requireSigned(verifier, decoded.get(turn()))));
        verifiers.forEach((provider, verifier) -> steps.put("all" + PostQuantumOperations.BY + provider, () -> {
            Envelope envelope = Envelope.decode(arriving.get(turn()));
            requireSigned(verifier, envelope);
            return index.verify(envelope);
        }));
        return steps;
    }

    private int turn() {
        next = (next + 1) % ENVELOPES;
        return next;
    }

    private static boolean requireSigned(EnvelopeVerifier verifier, Envelope envelope) throws Exception {
        if (!verifier.signed(envelope)) {
            throw new IllegalStateException("a signature does not hold");
        }
        return true;
    }
}
