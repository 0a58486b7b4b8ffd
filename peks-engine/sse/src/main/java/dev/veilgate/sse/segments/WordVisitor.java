package dev.veilgate.sse.segments;

import java.io.IOException;

/** Takes words in their order. */
@FunctionalInterface
public interface WordVisitor {
    /**
     * The next word.
     *
     * @param word valid until this returns
     * @return whether to go on
     */
    boolean visit(FoundWord word) throws IOException;
}
