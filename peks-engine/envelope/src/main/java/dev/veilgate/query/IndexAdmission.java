package dev.veilgate.query;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.peks.IndexVerifier;
import dev.veilgate.peks.KeyId;
import dev.veilgate.peks.StoredBlock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Brings the index of an envelope to the form that stores and Test take: {@link #verify} for what arrives, under the
 * keys that the tenant publishes; {@link #trust} for what was verified before. Immutable and safe for use by several
 * threads.
 */
public final class IndexAdmission {
    private record Key(String scheme, KeyId id) {}

    private final IndexSchemes schemes;
    private final Map<Key, IndexVerifier> verifiers;

    private final List<String> unusable;

    private IndexAdmission(IndexSchemes schemes, Map<Key, IndexVerifier> verifiers, List<String> unusable) {
        this.schemes = schemes;
        this.verifiers = verifiers;
        this.unusable = unusable;
    }

    /**
     * Blocks under the index keys of this bundle are admitted: those of schemes and parameters that this installation
     * has.
     */
    public static IndexAdmission of(PublicBundle bundle, IndexSchemes schemes) {
        return of(bundle.indexKeys(), schemes);
    }

    /** The same for who has the tenant's index keys from elsewhere. */
    public static IndexAdmission of(List<PublicBundle.IndexKey> keys, IndexSchemes schemes) {
        Map<Key, IndexVerifier> verifiers = new HashMap<>();
        List<String> unusable = new ArrayList<>();
        for (PublicBundle.IndexKey key : keys) {
            try {
                IndexVerifier verifier = schemes.byId(key.scheme()).verifier(key.publicKey());
                verifiers.put(new Key(key.scheme(), verifier.keyId()), verifier);
            } catch (MalformedEncodingException e) { // such as a parameter set that is not served here
                if (schemes.isKnown(key.scheme())) {
                    unusable.add(key.scheme() + " " + key.parameters() + ": " + e.getMessage());
                }
            }
        }
        return new IndexAdmission(schemes, Map.copyOf(verifiers), List.copyOf(unusable));
    }

    /** Keys of schemes that are known here by which nothing can be verified, and why: blocks under them are refused. */
    public List<String> unusableKeys() {
        return unusable;
    }

    /** Tells if a block is of a scheme that is not known here, or under a key by which it can be verified. */
    public boolean knowsKeyOf(IndexBlock block) {
        return !schemes.isKnown(block.scheme()) || verifiers.containsKey(key(block));
    }

    private static Key key(IndexBlock block) {
        return new Key(block.scheme(), block.keyId());
    }

    /** Tells if a block of the envelope is of a form that only earlier versions sealed. */
    public static boolean isOutdated(Envelope envelope, IndexSchemes schemes) {
        return envelope.index().stream().anyMatch(block -> isOutdated(block, schemes));
    }

    /** Tells if a block is of a form that only earlier versions sealed, and that {@link #verify} takes on trust. */
    public static boolean isOutdated(IndexBlock block, IndexSchemes schemes) {
        try {
            return schemes.isKnown(block.scheme())
                    && schemes.byId(block.scheme()).isOutdated(block);
        } catch (MalformedEncodingException e) {
            throw new IllegalStateException("a known scheme", e);
        }
    }

    /**
     * The stored form of each block of an envelope, verified; of an outdated one, which nobody can verify, as it is.
     * Who does not trust the sender asks {@link #isOutdated} before.
     *
     * @return in the order of the index; empty for schemes that are not known here
     * @throws MalformedEncodingException naming what is wrong with a block
     */
    public List<Optional<StoredBlock>> verify(Envelope envelope) throws MalformedEncodingException {
        List<IndexBlock> index = envelope.index();
        @Nullable StoredBlock[] stored = new StoredBlock[index.size()];
        Map<Key, List<Integer>> places = new LinkedHashMap<>();
        for (int i = 0; i < stored.length; i++) {
            IndexBlock block = index.get(i);
            if (isOutdated(block, schemes)) {
                stored[i] = schemes.byId(block.scheme()).storedForm(block, envelope.context());
            } else if (schemes.isKnown(block.scheme())) {
                places.computeIfAbsent(key(block), key -> new ArrayList<>()).add(i);
            }
        }
        for (Map.Entry<Key, List<Integer>> each : places.entrySet()) {
            IndexVerifier verifier = verifiers.get(each.getKey());
            if (verifier == null) {
                throw new MalformedEncodingException("index-block.key-id", "must be a key that is served here");
            }
            List<StoredBlock> verified =
                    verifier.verify(each.getValue().stream().map(index::get).toList(), envelope.context());
            for (int i = 0; i < verified.size(); i++) {
                stored[each.getValue().get(i)] = verified.get(i);
            }
        }
        return Collections.unmodifiableList(
                Arrays.stream(stored).map(Optional::ofNullable).toList());
    }

    /**
     * The stored form of each block of an envelope that was verified when it arrived, or is the caller's own, or whose
     * records are opened and looked at before anything is said of them. Nothing but the encoding is checked: a block
     * may be forged, or another message's.
     *
     * @return in the order of the index; empty for schemes that are not known here
     * @throws MalformedEncodingException for what is no block of its scheme
     */
    public static List<Optional<StoredBlock>> trust(Envelope envelope, IndexSchemes schemes)
            throws MalformedEncodingException {
        List<Optional<StoredBlock>> stored = new ArrayList<>();
        for (IndexBlock block : envelope.index()) {
            stored.add(
                    schemes.isKnown(block.scheme())
                            ? Optional.of(schemes.byId(block.scheme()).storedForm(block, envelope.context()))
                            : Optional.empty());
        }
        return stored;
    }
}
