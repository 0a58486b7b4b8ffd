package dev.veilgate.envelope;

import dev.veilgate.abe.AttributeRetrievalKey;
import dev.veilgate.secret.Secret;
import java.util.Optional;

/**
 * A server that does a reader's pairings while envelopes are opened, and that nobody trusts: what it answers is checked, and what it answers wrong, or not at all, is done by the reader. Safe for use by
 * several threads.
 */
@Secret
public interface OpeningHelp {
    /** Nobody's. */
    OpeningHelp NONE = new OpeningHelp() {
        @Override
        public Optional<Answer> answer(Envelope envelope, int wrap, ReaderKey key) {
            return Optional.empty();
        }

        @Override
        public void wasWrong(Envelope envelope) {}
    };

    /**
     * What a server answered.
     *
     * @param key     the other half of the key that it was given
     * @param element untrusted; not copied
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Answer(AttributeRetrievalKey key, byte[] element) {}

    /**
     * The server's answer for a wrap.
     *
     * @param wrap its place among the envelope's
     * @param key  which satisfies its policy
     * @return empty if there is none: then the reader does all of it
     */
    Optional<Answer> answer(Envelope envelope, int wrap, ReaderKey key);

    /** Told of an answer that was wrong: the reader opened the envelope without it. */
    void wasWrong(Envelope envelope);
}
