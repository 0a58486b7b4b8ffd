package dev.veilgate.sse;

import dev.veilgate.peks.Keyword;
import java.util.List;

/** A question of an owner to an archive. {@link Capabilities} say which a scheme can answer; it refuses others. */
public sealed interface SseExpression {
    /** Most words of one question. */
    int MAX_WORDS = 64;

    /** Which kind of question this is. */
    Ask ask();

    /** Documents that have a word. */
    record Word(Keyword word) implements SseExpression {
        @Override
        public Ask ask() {
            return Ask.WORD;
        }

        @Override
        public String toString() {
            return "Word[hidden]";
        }
    }

    /**
     * Documents with a word that begins so.
     *
     * @param beginning a field and the first letters of a value
     */
    record Prefix(Keyword beginning) implements SseExpression {
        @Override
        public Ask ask() {
            return Ask.PREFIX;
        }

        @Override
        public String toString() {
            return "Prefix[hidden]";
        }
    }

    /**
     * Documents with a word of a field that begins and ends so, whatever stands between, as in {@code ab*yz}.
     *
     * @param front may be empty, if {@code end} is not
     * @param end   may be empty, if {@code front} is not
     */
    record Pattern(String field, String front, String end) implements SseExpression {
        /** @throws IllegalArgumentException if both parts are empty */
        public Pattern {
            if (front.isEmpty() && end.isEmpty()) {
                throw new IllegalArgumentException("a pattern has a first or a last letter");
            }
        }

        @Override
        public Ask ask() {
            return Ask.PATTERN;
        }

        @Override
        public String toString() {
            return "Pattern[hidden]";
        }
    }

    /**
     * Documents that answer all of some questions.
     *
     * @param parts one or more, none of them again of this kind
     */
    record AllOf(List<SseExpression> parts) implements SseExpression {
        /** @throws IllegalArgumentException if there is none, there are too many, or one is of another kind */
        public AllOf {
            parts = List.copyOf(parts);
            requireSize(parts.size());
            if (parts.stream().anyMatch(part -> part.ask() == Ask.ALL_OF || part.ask() == Ask.BEST)) {
                throw new IllegalArgumentException("its parts are words, prefixes and patterns");
            }
        }

        @Override
        public Ask ask() {
            return Ask.ALL_OF;
        }

        @Override
        public String toString() {
            return "AllOf[" + parts.size() + " hidden]";
        }
    }

    /**
     * The documents that some words say most of, by term frequency and inverse document frequency, the best first.
     *
     * @param words one or more; one that is named twice counts once
     * @param most  how many documents, at least 1
     */
    record Best(List<Keyword> words, int most) implements SseExpression {
        /** @throws IllegalArgumentException if there is no word, there are too many, or no document is wanted */
        public Best {
            words = List.copyOf(words);
            requireSize(words.size());
            if (most < 1) {
                throw new IllegalArgumentException("at least one document must be asked for");
            }
        }

        @Override
        public Ask ask() {
            return Ask.BEST;
        }

        @Override
        public String toString() {
            return "Best[" + words.size() + " hidden]";
        }
    }

    private static void requireSize(int size) {
        if (size < 1 || size > MAX_WORDS) {
            throw new IllegalArgumentException("a question has 1 to " + MAX_WORDS + " words");
        }
    }
}
