package dev.veilgate.authority;

import dev.veilgate.abe.ks.zxa14.IndexPublicKey;
import dev.veilgate.abe.ks.zxa14.Zxa14IndexScheme;
import dev.veilgate.abe.policy.Attribute;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.TrapdoorStore;
import dev.veilgate.query.Expression;
import dev.veilgate.query.SearchRequest;
import dev.veilgate.secret.Secret;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The searcher's keys that somebody holds, beside the bundle of the tenant: they make whole searches, without the authority. The keys stay the caller's to close. */
@Secret
public final class SearcherKeys {
    /** Tokens are made anew each time. */
    private static final TrapdoorStore NO_STORE = new TrapdoorStore() {
        @Override
        public Optional<byte[]> find(byte[] name) {
            return Optional.empty();
        }

        @Override
        public byte[] storeIfAbsent(byte[] name, byte[] trapdoor) {
            throw new UnsupportedOperationException("searchers keep no trapdoors");
        }
    };

    private final String tenant;
    private final List<IndexPublicKey> indexKeys = new ArrayList<>();
    private final List<SearcherKey> held = new ArrayList<>();

    /**
     * Keys for the index keys of a bundle; others are left aside.
     *
     * @throws MalformedEncodingException if the bundle has an index key that cannot be read
     */
    public SearcherKeys(List<SearcherKey> keys, PublicBundle bundle) throws MalformedEncodingException {
        this.tenant = bundle.tenant();
        for (PublicBundle.IndexKey key : bundle.indexKeys()) {
            if (key.scheme().equals(Zxa14IndexScheme.ID)) {
                indexKeys.add(IndexPublicKey.decode(key.publicKey()));
            }
        }
        for (SearcherKey key : keys) {
            boolean isServed = key.tenant().equals(tenant) && indexKeys.contains(key.index());
            boolean isNew = held.stream()
                    .noneMatch(other ->
                            other.index().equals(key.index()) && other.epoch().equals(key.epoch()));
            if (isServed && isNew) {
                held.add(key);
            }
        }
    }

    /**
     * How far they reach in some epochs.
     *
     * @param attributes that the holder is known to have, to say what is missing
     */
    public SearchReach reach(List<String> epochs, Collection<Attribute> attributes) {
        List<SearchReach.Gap> gaps = new ArrayList<>();
        boolean isNothing = true;
        for (IndexPublicKey index : indexKeys) {
            List<String> missing = epochs.stream()
                    .filter(epoch -> held.stream().noneMatch(key -> key.index().equals(index) && key.isFor(epoch)))
                    .toList();
            isNothing &= missing.size() == epochs.size();
            if (!missing.isEmpty()) {
                gaps.add(HeldAttributes.gap(index, missing, attributes));
            }
        }
        return new SearchReach(isNothing, gaps);
    }

    /**
     * A search with a trapdoor of each keyword for each epoch, under each index key, as far as they reach. No filter, and no grant, which only the authority signs.
     *
     * @param terms as a parsed query has them: of each, alternatives
     * @throws IllegalArgumentException for more trapdoors than a request may have, or if they reach nothing
     */
    public SearchRequest request(String scope, List<String> epochs, List<List<Keyword>> terms, Expression expression) {
        try {
            return new PendingRequest(tenant, scope, epochs, terms, expression, held, reach(epochs, List.of()))
                    .requestWith(NO_STORE);
        } catch (IOException | MalformedEncodingException e) {
            throw new IllegalStateException("searchers' keys keep no trapdoors", e);
        }
    }
}
