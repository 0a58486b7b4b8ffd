package dev.veilgate.sse.suise;

import dev.veilgate.sse.Parameters;
import dev.veilgate.sse.RefusedException;
import dev.veilgate.sse.SseContractTest;
import dev.veilgate.sse.SseScheme;
import java.util.Map;

class SuiseWithPrefixesTest extends SseContractTest {
    @Override
    protected SseScheme scheme() {
        return new SuiseScheme();
    }

    @Override
    protected Parameters parameters() throws RefusedException {
        return Parameters.of(scheme(), Map.of("prefixes", 1L));
    }
}
