package dev.veilgate.sse.januspp;

import dev.veilgate.sse.Parameters;
import dev.veilgate.sse.RefusedException;
import dev.veilgate.sse.SseContractTest;
import dev.veilgate.sse.SseScheme;
import java.util.Map;

class JanusppTest extends SseContractTest {
    @Override
    protected SseScheme scheme() {
        return new JanusppScheme();
    }

    /** Few trees, for speed. */
    @Override
    protected Parameters parameters() throws RefusedException {
        return Parameters.of(scheme(), Map.of("deletions", 10L));
    }
}
