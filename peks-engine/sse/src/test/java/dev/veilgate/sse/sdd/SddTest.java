package dev.veilgate.sse.sdd;

import dev.veilgate.sse.SseContractTest;
import dev.veilgate.sse.SseScheme;

class SddTest extends SseContractTest {
    @Override
    protected SseScheme scheme() {
        return new SddScheme();
    }
}
