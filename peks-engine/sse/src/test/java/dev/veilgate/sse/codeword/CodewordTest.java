package dev.veilgate.sse.codeword;

import dev.veilgate.sse.SseContractTest;
import dev.veilgate.sse.SseScheme;

class CodewordTest extends SseContractTest {
    @Override
    protected SseScheme scheme() {
        return new CodewordScheme();
    }
}
