package dev.veilgate.authority;

import dev.veilgate.abe.ks.zxa14.IndexPublicKey;
import dev.veilgate.abe.policy.Policy;
import java.util.List;
import java.util.Optional;

/**
 * A choice of a scheme of searchable encryption.
 *
 * @param id        one of {@link #ids}
 * @param searchers who may search, for a scheme of attribute-based keyword search, and for no other
 */
public record SearchScheme(String id, Optional<Policy> searchers) {
    /** NTRU-PEKS, which is taken where nothing is said. */
    public static final SearchScheme DEFAULT = new SearchScheme("ntru-peks", Optional.empty());

    /** @throws IllegalArgumentException naming what is wrong */
    public SearchScheme {
        if (IndexKeyScheme.byId(id).takesPolicy() != searchers.isPresent()) {
            throw new IllegalArgumentException(
                    searchers.isPresent()
                            ? id + " takes no policy: who has trapdoors searches"
                            : id + " needs a policy of who may search");
        }
        searchers.ifPresent(IndexPublicKey::requireWithinLimits);
    }

    /** Ids of all schemes, that of {@link #DEFAULT} first. */
    public static List<String> ids() {
        return IndexKeyScheme.ids();
    }

    IndexKeyScheme scheme() {
        return IndexKeyScheme.byId(id);
    }
}
