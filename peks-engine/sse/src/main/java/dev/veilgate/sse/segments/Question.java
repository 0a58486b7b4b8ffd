package dev.veilgate.sse.segments;

import dev.veilgate.peks.Keyword;
import java.util.List;

/** A question to an archive: documents that have words, in any combination. Shows no words when it is printed. */
public sealed interface Question {
    /** Most parts of a question, itself and those that stand in others among them. */
    int MAX_PARTS = 256;

    /** How often parts may stand in each other. */
    int MAX_DEPTH = 32;

    /** Documents that have a word. */
    record Word(Keyword word) implements Question {
        @Override
        public String toString() {
            return "Word[hidden]";
        }
    }

    /**
     * Documents with a word of a field that looks so.
     *
     * @param pattern letters, {@code *} for any letters or none, and {@code ?} for one; begins with a letter or not
     */
    record Pattern(String field, String pattern) implements Question {
        /** Tells if a word of the field looks so, as terms are compared. */
        public boolean matches(String word) {
            return WordPattern.matches(
                    pattern.codePoints().toArray(), word.codePoints().toArray());
        }

        @Override
        public String toString() {
            return "Pattern[hidden]";
        }
    }

    /**
     * Documents with a word of a field between two others, as the bytes of words are ordered. All words that lie there
     * are read, however many.
     *
     * @param from  the lowest, which need not be there
     * @param below behind the highest
     */
    record Between(String field, String from, String below) implements Question {
        @Override
        public String toString() {
            return "Between[hidden]";
        }
    }

    /** Documents that answer all of several questions. */
    record And(List<Question> parts) implements Question {
        /** Copies. */
        public And {
            parts = List.copyOf(parts);
        }

        @Override
        public String toString() {
            return "And[" + parts.size() + " hidden]";
        }
    }

    /** Documents that answer at least one of several questions. */
    record Or(List<Question> parts) implements Question {
        /** Copies. */
        public Or {
            parts = List.copyOf(parts);
        }

        @Override
        public String toString() {
            return "Or[" + parts.size() + " hidden]";
        }
    }

    /** Documents that do not answer a question. */
    record Not(Question part) implements Question {
        @Override
        public String toString() {
            return "Not[hidden]";
        }
    }
}
