package dev.veilgate.peks;

import java.util.List;
import java.util.function.BiFunction;

/** A sealer that puts something else in the place of each block that an honest one made. */
public final class LyingSealer implements IndexSealer {
    private final IndexSealer honest;
    private final BiFunction<IndexBlock, MessageContext, IndexBlock> lie;

    /** @param lie gets the honest block and the message that it is for */
    public LyingSealer(IndexSealer honest, BiFunction<IndexBlock, MessageContext, IndexBlock> lie) {
        this.honest = honest;
        this.lie = lie;
    }

    @Override
    public KeyId keyId() {
        return honest.keyId();
    }

    @Override
    public List<IndexBlock> seal(
            KeywordDomain domain, MessageContext context, int recordCount, List<Posting> postings) {
        return honest.seal(domain, context, recordCount, postings).stream()
                .map(block -> lie.apply(block, context))
                .toList();
    }
}
