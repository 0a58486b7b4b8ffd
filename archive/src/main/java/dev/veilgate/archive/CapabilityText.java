package dev.veilgate.archive;

import dev.veilgate.sse.Ask;
import dev.veilgate.sse.Capabilities;
import dev.veilgate.sse.Capabilities.Backward;
import dev.veilgate.sse.Capabilities.Deletion;
import dev.veilgate.sse.Capabilities.Devices;
import dev.veilgate.sse.Capabilities.Exactness;
import dev.veilgate.sse.Capabilities.Shows;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Says in plain words what a scheme can do, and what its server learns. */
public final class CapabilityText {
    /** Sentences about a search of an archive of segments. */
    public static final List<String> OF_SEGMENTS = List.of(
            "This search read pages of sealed objects in the archive's folder. Whoever sees files only, and not what is"
                    + " read of them, learned nothing.",
            "A server of a share that sees each read learned which pages these were: that the same was asked before,"
                    + " about how many documents were found, and, of those that were shown, their places in the"
                    + " archive. Not the words, nor names of documents.",
            "Before any search it knows the sizes of objects, when they came and how many documents are deleted in"
                    + " each, roughly. What is added later does not depend on what was searched.");

    private CapabilityText() {}

    /** Kinds of questions. */
    public static String asks(Set<Ask> asks) {
        return Stream.of(Ask.values())
                .filter(asks::contains)
                .map(ask -> switch (ask) {
                    case WORD -> "a word";
                    case PREFIX -> "how words begin (owl*)";
                    case PATTERN -> "how words begin and end (o*l)";
                    case ALL_OF -> "several words, all of them";
                    case BEST -> "several words, the best first (--best)";
                })
                .collect(Collectors.joining("; "));
    }

    /** Ways to delete. */
    public static String deletion(Deletion deletion) {
        return switch (deletion) {
            case NONE -> "no";
            case BY_ID -> "by id";
            case BY_WORDS -> "by id and words, which the archive keeps";
        };
    }

    /** Backward privacy. */
    public static String backward(Backward backward) {
        return switch (backward) {
            case TYPE_1 -> "type I";
            case TYPE_2 -> "type II";
            case TYPE_3 -> "type III";
            case NONE -> "no";
        };
    }

    /** Things that a server sees. */
    public static String shows(Set<Shows> shows) {
        return shows.isEmpty()
                ? "nothing"
                : Stream.of(Shows.values())
                        .filter(shows::contains)
                        .map(CapabilityText::shows)
                        .collect(Collectors.joining("; "));
    }

    private static String shows(Shows shows) {
        return switch (shows) {
            case LENGTH -> "how many words each document has";
            case EQUALITY -> "which entries have the same word";
            case FREQUENCY -> "how often a document has a word";
            case LETTERS -> "how long words are or which letters they share";
            case IDS -> "which documents are found, by their ids";
            case VOLUME -> "how many documents are found";
            case REPETITION -> "whether the same was asked before";
        };
    }

    /** Whether results can be wrong. */
    public static String exactness(Exactness exactness) {
        return switch (exactness) {
            case EXACT -> "exact";
            case FALSE_HITS -> "with some that do not answer the question";
            case LOSES -> "some that answer the question may be missing";
        };
    }

    /** Numbers of devices. */
    public static String devices(Devices devices) {
        return switch (devices) {
            case ONE -> "one";
            case MANY -> "several";
        };
    }

    /** Sentences about a search that was just made: what was said, and what the server has learned by it. */
    public static List<String> ofSearch(Capabilities capabilities, TrafficCount traffic) {
        List<String> sentences = new ArrayList<>();
        sentences.add("The server was sent " + count(traffic.messages(), "message") + " of "
                + count(traffic.bytes(), "byte") + " in " + count(traffic.turns(), "turn") + ", and answered with "
                + count(traffic.bytesAnswered(), "byte") + ".");
        sentences.add(
                "This search told it: " + shows(capabilities.atSearch()) + ". Not the words, nor names of documents.");
        sentences.add("Before any search it knows of the documents: " + shows(capabilities.atRest()) + ".");
        sentences.add(
                capabilities.forward()
                        ? "It does not see whether documents that are added later have what was searched."
                        : "From now on it may see which added documents have what was searched: the scheme is not"
                                + " forward private.");
        if (capabilities.deletion() != Deletion.NONE) {
            sentences.add(
                    switch (capabilities.backward()) {
                        case TYPE_1 -> "Of deleted documents it learns no more than how many updates the word had.";
                        case TYPE_2 ->
                            "Of deleted documents it learns when entries of the word were added and deleted.";
                        case TYPE_3 -> "Of deleted documents it learns which deletion belongs to which addition.";
                        case NONE -> "Of deleted documents it may learn that they had what was searched.";
                    });
        }
        return sentences;
    }

    private static String count(long count, String what) {
        return "%,d %s%s".formatted(count, what, count == 1 ? "" : "s");
    }
}
