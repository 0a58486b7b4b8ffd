package dev.veilgate.authority;

import dev.veilgate.peks.KeyId;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What a reader was ever issued keys for: what it can still open, for a key cannot be called back. At most each epoch under each pair.
 *
 * @param epochs in the order of their names
 * @param pairs  that content is sealed with for policies, by their ids in {@link TenantKeys#keys}
 */
public record IssuedKeys(SortedSet<String> epochs, Set<KeyId> pairs) {
    /** Copies. */
    public IssuedKeys {
        epochs = Collections.unmodifiableSortedSet(new TreeSet<>(epochs));
        pairs = Collections.unmodifiableSet(new LinkedHashSet<>(pairs));
    }

    /** The same with what was issued again. */
    IssuedKeys and(Collection<String> moreEpochs, Collection<KeyId> morePairs) {
        SortedSet<String> allEpochs = new TreeSet<>(epochs);
        allEpochs.addAll(moreEpochs);
        Set<KeyId> allPairs = new LinkedHashSet<>(pairs);
        allPairs.addAll(morePairs);
        return new IssuedKeys(allEpochs, allPairs);
    }
}
