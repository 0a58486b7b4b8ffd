package dev.veilgate.authority;

import dev.veilgate.peks.KeyId;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What a reader was ever issued keys for: what it can still open and find, for a key cannot be called back. At most each epoch under each pair.
 *
 * @param epochs    in the order of their names
 * @param pairs     that content is sealed with for policies, by their ids in {@link TenantKeys#keys}
 * @param indexKeys of attribute-based keyword search, under which it was issued searcher's keys
 * @param searches  whether it was issued them the last time, too
 */
public record IssuedKeys(SortedSet<String> epochs, Set<KeyId> pairs, Set<KeyId> indexKeys, boolean searches) {
    /** Of nobody. */
    static final IssuedKeys NONE = new IssuedKeys(new TreeSet<>(), Set.of(), Set.of(), false);

    /** Copies. */
    public IssuedKeys {
        epochs = Collections.unmodifiableSortedSet(new TreeSet<>(epochs));
        pairs = Collections.unmodifiableSet(new LinkedHashSet<>(pairs));
        indexKeys = Collections.unmodifiableSet(new LinkedHashSet<>(indexKeys));
    }

    /** The same with reading keys that were issued again, and no searcher's keys with them. */
    IssuedKeys and(Collection<String> moreEpochs, Collection<KeyId> morePairs) {
        SortedSet<String> allEpochs = new TreeSet<>(epochs);
        allEpochs.addAll(moreEpochs);
        Set<KeyId> allPairs = new LinkedHashSet<>(pairs);
        allPairs.addAll(morePairs);
        return new IssuedKeys(allEpochs, allPairs, indexKeys, false);
    }

    /** The same with searcher's keys that were issued with them. */
    IssuedKeys andSearching(Collection<KeyId> moreIndexKeys) {
        Set<KeyId> all = new LinkedHashSet<>(indexKeys);
        all.addAll(moreIndexKeys);
        return new IssuedKeys(epochs, pairs, all, true);
    }
}
