package dev.veilgate.console.search;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.client.SearchEvent;
import dev.veilgate.console.query.Intent;
import dev.veilgate.envelope.PublicBundle.Epoch;
import dev.veilgate.extract.ReadQuery;
import dev.veilgate.query.BlockTarget;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A search as it was understood, and where it was asked; of the manifest of an export.
 *
 * @param reading       the query as it was understood by the latest rules, on one line
 * @param notes         sentences: what of it was not searched, or not as it stood there
 * @param warnings      what may have been a mistake
 * @param rules         by whose readings it was asked
 * @param scopes        that were asked
 * @param from          the earliest time that was asked for; absent if the query names none
 * @param to            the end of the times that were asked for; absent if the query names none
 * @param epochs        names, the earliest first; none if the search ended before the gateway was asked
 * @param earlierEpochs how many there were before these, since the tenant's keys were made
 * @param indexKeys     whose trapdoors were issued
 * @param notAsked      what the gateway has beside that in these scopes and times; absent if it does not tell
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record AskedSearch(
        String reading,
        List<String> notes,
        List<String> warnings,
        List<Integer> rules,
        List<String> scopes,
        @Nullable Instant from,
        @Nullable Instant to,
        List<String> epochs,
        int earlierEpochs,
        List<IndexKey> indexKeys,
        SearchEvent.@Nullable NotAsked notAsked) {
    /**
     * An index key, and in which epochs it was asked.
     *
     * @param key its id, lower-case hex
     */
    record IndexKey(String key, String scheme, List<String> epochs) {}

    static AskedSearch of(Intent intent, SearchEvidence evidence) {
        ReadQuery read = intent.readings().shown();
        List<BlockTarget> targets = evidence.targets();
        return new AskedSearch(
                read.reading(),
                read.notes(),
                read.warnings().stream().map(ReadQuery.Warning::message).toList(),
                intent.readings().rules(),
                List.of(intent.text().scope()),
                intent.text().from(),
                intent.text().to(),
                intent.epochs().stream()
                        .filter(epoch -> targets.stream()
                                .anyMatch(target -> target.epoch().equals(epoch)))
                        .toList(),
                evidence.earlier().size(),
                indexKeys(targets),
                evidence.notAsked().orElse(null));
    }

    /** Epochs of the tenant's keys before those that a search asks. */
    static List<String> earlier(Intent intent, TenantKeys keys) {
        EpochPolicy policy = keys.epochs();
        Instant first = policy.named(intent.epochs().getFirst()).from();
        return policy.between(keys.created(), first).stream().map(Epoch::name).toList();
    }

    private static List<IndexKey> indexKeys(List<BlockTarget> targets) {
        Map<String, IndexKey> keys = new LinkedHashMap<>();
        for (BlockTarget target : targets) {
            String key = target.keyId().toString();
            List<String> epochs = keys.computeIfAbsent(key, _ -> new IndexKey(key, target.scheme(), new ArrayList<>()))
                    .epochs();
            if (!epochs.contains(target.epoch())) {
                epochs.add(target.epoch());
            }
        }
        return List.copyOf(keys.values());
    }

    @Override
    public String toString() {
        return "AskedSearch[hidden]";
    }
}
