package dev.veilgate.sse.segments;

import dev.veilgate.sse.RefusedException;

/** A question, as each of the rules reads it by which words of documents may have been made. */
@FunctionalInterface
public interface QuestionByRules {
    /**
     * The question that segments of some rules are asked.
     *
     * @throws RefusedException if it cannot be asked by these
     */
    Question of(int rules) throws RefusedException;
}
