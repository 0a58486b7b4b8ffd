package dev.veilgate.gateway.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.peks.RecordSet;
import dev.veilgate.query.BlockTarget;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Takes what a search finds; each envelope may be found once. */
final class Found implements SearchSink {
    final Map<UUID, SearchHit> hits = new HashMap<>();

    @Nullable
    SearchProgress last;

    /** Null if it was not told. */
    @Nullable
    List<BlockTarget> unasked;

    @Override
    public void hit(SearchHit hit) {
        assertThat(hits.put(hit.envelope(), hit)).as("found twice").isNull();
    }

    @Override
    public void progress(SearchProgress progress) {
        last = progress;
    }

    @Override
    public void unasked(List<BlockTarget> targets) {
        assertThat(unasked).as("told twice").isNull();
        unasked = targets;
    }

    Map<UUID, RecordSet> records() {
        Map<UUID, RecordSet> records = new HashMap<>();
        hits.forEach((id, hit) -> records.put(id, hit.records()));
        return records;
    }
}
