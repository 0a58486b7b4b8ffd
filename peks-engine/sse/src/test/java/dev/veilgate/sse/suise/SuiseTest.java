package dev.veilgate.sse.suise;

import dev.veilgate.sse.SseContractTest;
import dev.veilgate.sse.SseScheme;

class SuiseTest extends SseContractTest {
    @Override
    protected SseScheme scheme() {
        return new SuiseScheme();
    }
}
