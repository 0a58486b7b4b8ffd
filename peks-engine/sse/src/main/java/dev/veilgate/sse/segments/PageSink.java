package dev.veilgate.sse.segments;

import java.io.IOException;

/** Takes the pages of a part in their order. */
@FunctionalInterface
interface PageSink {
    /**
     * The next page.
     *
     * @param page   used again by the caller when this returns
     * @param length of it, {@link PageCipher#PAGE_BYTES} for all but the last
     */
    void page(byte[] page, int length) throws IOException;
}
