package dev.veilgate.sse.januspp;

import dev.veilgate.sse.Parameters;
import dev.veilgate.sse.RefusedException;
import dev.veilgate.sse.SseContractTest;
import dev.veilgate.sse.SseScheme;
import java.util.Map;

/** Keys of a single deletion: the second one is after a search of each of its words. */
class JanusppWithFewDeletionsTest extends SseContractTest {
    @Override
    protected SseScheme scheme() {
        return new JanusppScheme();
    }

    @Override
    protected Parameters parameters() throws RefusedException {
        return Parameters.of(scheme(), Map.of("deletions", 1L));
    }
}
