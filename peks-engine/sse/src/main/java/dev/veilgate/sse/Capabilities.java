package dev.veilgate.sse;

import java.util.OptionalLong;
import java.util.Set;

/**
 * Abilities of a scheme, and what its server learns.
 *
 * @param ask              questions that it answers
 * @param deletion         how documents are deleted
 * @param forward          whether an addition tells nothing about words that were searched before
 * @param backward         what a search tells about documents that were deleted before it
 * @param atRest           what the server knows before any search
 * @param atSearch         what a search tells it
 * @param exactness        whether results can be wrong though everybody is honest
 * @param turns            how often owner and server speak in turns
 * @param devices          how many devices of an owner may use an archive
 * @param capacity         most (word, document) pairs, or none if there is no bound
 * @param searchesByItself whether the owner has to search now and then for the scheme's own sake
 */
public record Capabilities(
        Set<Ask> ask,
        Deletion deletion,
        boolean forward,
        Backward backward,
        Set<Shows> atRest,
        Set<Shows> atSearch,
        Exactness exactness,
        Turns turns,
        Devices devices,
        OptionalLong capacity,
        boolean searchesByItself) {
    /** Copies. */
    public Capabilities {
        ask = Set.copyOf(ask);
        atRest = Set.copyOf(atRest);
        atSearch = Set.copyOf(atSearch);
    }

    /** Ways to delete documents. */
    public enum Deletion {
        /** Documents cannot be deleted. */
        NONE,
        /** By their ids alone. */
        BY_ID,
        /** By their ids and the words that they were added with. */
        BY_WORDS
    }

    /** Backward privacy, as Bost, Minaud and Ohrimenko define it (CCS 2017), the strongest first. */
    public enum Backward {
        /** Type I: which live documents have the word and when each was added; how many updates the word has. */
        TYPE_1,
        /** Type II: also when each update of the word was. */
        TYPE_2,
        /** Type III: also which deletion deleted which addition. */
        TYPE_3,
        /** The ids of deleted documents, or more. */
        NONE
    }

    /** Things that a server can see. */
    public enum Shows {
        /** The number of words of each document. */
        LENGTH,
        /** Which entries have the same word. */
        EQUALITY,
        /** The number of times that a document has a word. */
        FREQUENCY,
        /** How long words are, or which letters two of them share. */
        LETTERS,
        /** Which documents are found. */
        IDS,
        /** The number of documents that are found. */
        VOLUME,
        /** Whether a question was asked before. */
        REPETITION
    }

    /** The ways in which results of honest sides can be wrong. */
    public enum Exactness {
        /** Results cannot be wrong. */
        EXACT,
        /** Documents may be found that do not answer the question. */
        FALSE_HITS,
        /** Documents that do answer it may be missing. */
        LOSES
    }

    /** The number of devices of an owner that may use an archive at a time. */
    public enum Devices {
        /** A single one: a second one would break what is promised, or what is found. */
        ONE,
        /** Several. */
        MANY
    }

    /**
     * Numbers of turns of owner and server: one turn is a message and its answer.
     *
     * @param add     of one addition; none of an addition without words, in schemes that have nothing to say of it
     * @param delete  of one deletion, in the same way; 0 if the server is not told before the next search
     * @param search  of one search, at most
     * @param perPair whether the first two are for each pair of a word and a document, as pairs are updated one after
     *                the other; and at most so many, as a young archive takes fewer
     */
    public record Turns(int add, int delete, int search, boolean perPair) {
        /** Turns of schemes that update any number of documents at once. */
        public Turns(int add, int delete, int search) {
            this(add, delete, search, false);
        }
    }

    /**
     * Refuses what a scheme cannot answer.
     *
     * @param scheme its name, for the message
     */
    public void requireCanAsk(SseExpression question, String scheme) throws RefusedException {
        requireCan(question.ask(), scheme);
        if (question instanceof SseExpression.AllOf all) {
            for (SseExpression part : all.parts()) {
                requireCan(part.ask(), scheme);
            }
        }
    }

    private void requireCan(Ask kind, String scheme) throws RefusedException {
        if (!ask.contains(kind)) {
            throw new RefusedException("the scheme " + scheme + " cannot "
                    + switch (kind) {
                        case WORD -> "search for words";
                        case PREFIX -> "search for words that begin so";
                        case PATTERN -> "search for words by their first and last letters";
                        case ALL_OF -> "search for several words at once";
                        case BEST -> "rank what it finds";
                    });
        }
    }
}
