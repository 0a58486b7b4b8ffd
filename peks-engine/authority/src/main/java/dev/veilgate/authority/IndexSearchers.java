package dev.veilgate.authority;

import dev.veilgate.abe.ks.zxa14.IndexPublicKey;
import dev.veilgate.abe.ks.zxa14.SecretKey;
import dev.veilgate.abe.ks.zxa14.Zxa14;
import dev.veilgate.abe.policy.Attribute;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.KeyId;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.TrapdoorStore;
import dev.veilgate.secret.Secret;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the authority does for those who search by attributes: their keys, and trapdoors that are made with such a key here. */
@Secret
final class IndexSearchers {
    private IndexSearchers() {}

    /** As {@link TenantKeys#issueSearcherKeys}. */
    static List<SearcherKey> issue(
            List<IndexKeyEntry> keys,
            String tenant,
            String holder,
            EpochPolicy epochs,
            Collection<Attribute> held,
            List<String> epochNames,
            SecureRandom random)
            throws MalformedEncodingException {
        if (searched(keys).isEmpty()) {
            throw new IllegalArgumentException("there is no index key that is searched by attributes; "
                    + "veilgate keys rotate --index-scheme cp-zxa14 --index-policy makes one");
        }
        List<SearcherKey> issued = new ArrayList<>();
        for (IndexKeyEntry entry : keys) {
            Optional<IndexPublicKey> index = entry.searchers();
            if (index.isEmpty()) {
                continue;
            }
            for (String epoch : index.get().isByEpoch() ? epochNames : List.of("")) {
                List<String> holds = epoch.isEmpty() ? epochNames : List.of(epoch);
                Optional<AttributeSet> attributes = HeldAttributes.satisfying(index.get(), epoch, held, holds);
                if (attributes.isPresent()) {
                    SecretKey key = searchers(entry).keyGen(attributes.get(), random);
                    issued.add(new SearcherKey(tenant, holder, epochs, epoch, index.get(), key));
                }
            }
        }
        if (issued.size() > ReaderKeyFile.MAX_KEYS) {
            issued.forEach(SearcherKey::close);
            throw new IllegalArgumentException("a reader's file has at most " + ReaderKeyFile.MAX_KEYS
                    + " searcher's keys, and these are " + issued.size()
                    + ": one for each of " + epochNames.size() + " epochs under each index key; take fewer epochs");
        }
        return issued;
    }

    private static TrapdoorIssuer.Searchers searchers(IndexKeyEntry entry) throws MalformedEncodingException {
        return entry.issuer().searchers().orElseThrow();
    }

    static Collection<Attribute> held(Optional<AttributeSet> attributes) {
        return attributes.<Collection<Attribute>>map(AttributeSet::attributes).orElse(List.of());
    }

    /** As {@link TenantKeys#reach}. */
    static SearchReach reach(List<IndexKeyEntry> keys, Collection<Attribute> held, List<String> epochNames)
            throws MalformedEncodingException {
        List<SearchReach.Gap> gaps = new ArrayList<>();
        boolean isNothing = true;
        for (IndexKeyEntry entry : keys) {
            Optional<IndexPublicKey> index = entry.searchers();
            List<String> missing = index.isEmpty()
                    ? List.of()
                    : epochNames.stream()
                            .filter(epoch -> HeldAttributes.satisfying(index.get(), epoch, held, List.of(epoch))
                                    .isEmpty())
                            .toList();
            isNothing &= missing.size() == epochNames.size();
            if (!missing.isEmpty()) {
                gaps.add(HeldAttributes.gap(index.orElseThrow(), missing, held));
            }
        }
        return new SearchReach(isNothing, gaps);
    }

    /** As {@link TenantKeys#searchedIndexKeys}. */
    static Map<KeyId, IndexPublicKey> searched(List<IndexKeyEntry> keys) throws MalformedEncodingException {
        Map<KeyId, IndexPublicKey> searched = new LinkedHashMap<>();
        for (IndexKeyEntry entry : keys) {
            entry.searchers().ifPresent(index -> searched.put(entry.id(), index));
        }
        return searched;
    }

    /** Of each key; those with a policy make trapdoors as far as the attributes satisfy it. */
    static List<TrapdoorSource> sources(List<IndexKeyEntry> keys, Collection<Attribute> held)
            throws MalformedEncodingException {
        List<TrapdoorSource> sources = new ArrayList<>();
        for (IndexKeyEntry entry : keys) {
            Optional<IndexPublicKey> index = entry.searchers();
            sources.add(index.isEmpty() ? entry : new ByAttributes(entry, index.get(), List.copyOf(held)));
        }
        return sources;
    }

    /** Makes a searcher's key for each trapdoor, and erases it. */
    private record ByAttributes(IndexKeyEntry entry, IndexPublicKey index, List<Attribute> held)
            implements TrapdoorSource {
        private Optional<AttributeSet> attributes(String epoch) {
            return HeldAttributes.satisfying(index, epoch, held, List.of(epoch));
        }

        @Override
        public boolean isFor(String epoch) {
            return attributes(epoch).isPresent();
        }

        @Override
        public ScopedTrapdoor issue(KeywordDomain domain, Keyword keyword, TrapdoorStore store)
                throws MalformedEncodingException {
            SecureRandom random = new SecureRandom();
            AttributeSet its = attributes(domain.epoch()).orElseThrow();
            try (SecretKey key = searchers(entry).keyGen(its, random)) {
                return new Zxa14(random).token(key, index, domain, keyword).orElseThrow();
            }
        }
    }
}
