package dev.veilgate.envelope;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Public keys of a tenant's registered senders, found by name: of a few in memory, or of a million in a {@link SenderRegistry}. Safe for use by several threads. */
public interface RegisteredSenders {
    /**
     * The keys under which a sender's envelopes are accepted: several if it has had several; none if it is not registered.
     *
     * @throws IOException if it cannot be found out, because a file cannot be read or was changed: nobody may be called unregistered then
     */
    List<SenderPublicKey> keysOf(String name) throws IOException;

    /** Whether a registered sender signed exactly the bytes of an envelope, in its own name. */
    default boolean signed(Envelope envelope) throws IOException {
        return keysOf(envelope.sender()).stream().anyMatch(envelope::signedBy);
    }

    /** These senders, in memory; of one name several keys, when a sender has had several. */
    static RegisteredSenders of(List<SenderPublicKey> senders) {
        Map<String, List<SenderPublicKey>> byName = new HashMap<>();
        for (SenderPublicKey sender : senders) {
            byName.computeIfAbsent(sender.sender(), name -> new ArrayList<>()).add(sender);
        }
        return name -> List.copyOf(byName.getOrDefault(name, List.of()));
    }
}
