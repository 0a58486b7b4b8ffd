package dev.veilgate.sse.aura;

import dev.veilgate.sse.Parameters;
import dev.veilgate.sse.RefusedException;
import dev.veilgate.sse.SseContractTest;
import dev.veilgate.sse.SseScheme;
import java.util.Map;

class AuraTest extends SseContractTest {
    @Override
    protected SseScheme scheme() {
        return new AuraScheme();
    }

    /** A small filter, for speed. */
    @Override
    protected Parameters parameters() throws RefusedException {
        return Parameters.of(scheme(), Map.of("deletions", 30L));
    }
}
