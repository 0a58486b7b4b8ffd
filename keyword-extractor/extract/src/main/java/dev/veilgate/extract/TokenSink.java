package dev.veilgate.extract;

/** Takes what a {@link Tokenizer} finds. */
@FunctionalInterface
public interface TokenSink {
    /**
     * One token, normalised, in UTF-8.
     *
     * @param kind  what it is
     * @param bytes valid during the call only
     * @param from  first byte
     * @param to    behind the last byte
     */
    void token(TokenKind kind, byte[] bytes, int from, int to);
}
