package dev.veilgate.gateway.ingest;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.peks.ForgedBlockException;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.IndexScheme;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.peks.KeyId;
import dev.veilgate.peks.MessageContext;
import dev.veilgate.peks.StoredBlock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** The checks of an envelope's index blocks, each alone and those of one scheme together, and the form in which they are stored. */
public final class BlockAdmission {
    private BlockAdmission() {}

    /**
     * The storage form of an envelope's blocks; empty for schemes that are not known here.
     *
     * @param knownKey which public keys are served
     * @throws ForgedBlockException       if a block would match trapdoors whose keywords it does not hold
     * @throws MalformedEncodingException naming what else is wrong with a block
     */
    public static List<Optional<StoredBlock>> store(Envelope envelope, IndexSchemes schemes, Predicate<KeyId> knownKey)
            throws MalformedEncodingException {
        List<Optional<StoredBlock>> stored = new ArrayList<>();
        Map<IndexScheme, List<StoredBlock>> ofScheme = new LinkedHashMap<>();
        MessageContext context = envelope.context();
        for (IndexBlock block : envelope.index()) {
            if (schemes.isKnown(block.scheme())) {
                IndexScheme scheme = schemes.byId(block.scheme());
                StoredBlock admitted = scheme.admit(block, context, knownKey);
                stored.add(Optional.of(admitted));
                ofScheme.computeIfAbsent(scheme, key -> new ArrayList<>()).add(admitted);
            } else {
                stored.add(Optional.empty());
            }
        }
        for (var blocks : ofScheme.entrySet()) {
            blocks.getKey().requireSeparateRandomness(blocks.getValue());
        }
        return stored;
    }
}
