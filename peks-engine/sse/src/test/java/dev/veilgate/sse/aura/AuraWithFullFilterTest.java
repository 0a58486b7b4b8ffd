package dev.veilgate.sse.aura;

import dev.veilgate.sse.Parameters;
import dev.veilgate.sse.RefusedException;
import dev.veilgate.sse.SseContractTest;
import dev.veilgate.sse.SseScheme;
import java.util.Map;

/** A filter for two deletions takes one of five documents for deleted, and more after others: none is lost. */
class AuraWithFullFilterTest extends SseContractTest {
    @Override
    protected SseScheme scheme() {
        return new AuraScheme();
    }

    @Override
    protected Parameters parameters() throws RefusedException {
        return Parameters.of(scheme(), Map.of("hashes", 2L, "deletions", 2L, "rarity", 5L));
    }
}
