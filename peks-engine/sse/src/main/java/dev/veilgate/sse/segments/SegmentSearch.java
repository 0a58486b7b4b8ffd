package dev.veilgate.sse.segments;

import dev.veilgate.peks.Keyword;
import dev.veilgate.secret.Secret;
import dev.veilgate.sse.RefusedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** A question put to the segments of one state. For one use. */
@Secret
final class SegmentSearch {
    private final List<SegmentReader> readers;
    private final List<DeadSet> dead;
    /** Words of each pattern of the question, as their terms. */
    private final Map<Question.Pattern, List<byte[]>> expanded = new HashMap<>();

    SegmentSearch(List<SegmentReader> readers, List<DeadSet> dead) {
        this.readers = readers;
        this.dead = dead;
    }

    /**
     * Numbers of the documents that answer, by segment.
     *
     * @param questions one a segment: each is asked as the rules of its words read the question
     */
    List<BitSet> matches(List<Question> questions) throws IOException {
        Set<Question> distinct = Collections.newSetFromMap(new IdentityHashMap<>()); // a deep one has no hash
        distinct.addAll(questions);
        for (Question question : distinct) {
            if (size(question, 0) > Question.MAX_PARTS) {
                throw new RefusedException("a question has at most " + Question.MAX_PARTS + " parts");
            }
            expand(question);
        }
        List<BitSet> all = new ArrayList<>();
        for (int i = 0; i < readers.size(); i++) {
            BitSet found = matches(questions.get(i), readers.get(i));
            for (int number : dead.get(i).numbers()) {
                found.clear(number);
            }
            all.add(found);
        }
        return all;
    }

    /** Parts of a question, all that stand in others among them. */
    private static int size(Question question, int depth) throws RefusedException {
        if (depth > Question.MAX_DEPTH) {
            throw new RefusedException(
                    "parts of a question stand in each other " + Question.MAX_DEPTH + " times at most");
        }
        List<Question> parts = switch (question) {
            case Question.Word _, Question.Pattern _, Question.Between _ -> List.of();
            case Question.Not not -> List.of(not.part());
            case Question.And and -> and.parts();
            case Question.Or or -> or.parts();
        };
        int size = 1;
        for (int i = 0; i < parts.size() && size <= Question.MAX_PARTS; i++) {
            size += size(parts.get(i), depth + 1);
        }
        return size;
    }

    private BitSet matches(Question question, SegmentReader reader) throws IOException {
        int documents = reader.entry().layout().documents();
        return switch (question) {
            case Question.Word word -> numbers(List.of(WordBytes.of(word.word())), reader);
            case Question.Pattern pattern -> numbers(expanded.getOrDefault(pattern, List.of()), reader);
            case Question.Between between -> numbers(between, reader);
            case Question.Not not -> {
                BitSet found = matches(not.part(), reader);
                found.flip(0, documents);
                yield found;
            }
            case Question.And and -> {
                BitSet found = new BitSet(documents);
                found.set(0, documents);
                for (Question part : and.parts()) {
                    if (!found.isEmpty()) {
                        found.and(matches(part, reader));
                    }
                }
                yield found;
            }
            case Question.Or or -> {
                BitSet found = new BitSet(documents);
                for (Question part : or.parts()) {
                    found.or(matches(part, reader));
                }
                yield found;
            }
        };
    }

    private static BitSet numbers(List<byte[]> terms, SegmentReader reader) throws IOException {
        BitSet found = new BitSet(reader.entry().layout().documents());
        for (byte[] term : terms) {
            Postings postings = reader.find(term);
            if (postings != null) {
                set(postings, found);
            }
        }
        return found;
    }

    private static BitSet numbers(Question.Between between, SegmentReader reader) throws IOException {
        BitSet found = new BitSet(reader.entry().layout().documents());
        byte[] from = WordBytes.beginning(between.field(), between.from());
        byte[] below = WordBytes.beginning(between.field(), between.below());
        reader.scan(from, word -> {
            if (Arrays.compareUnsigned(word.bytes(), below) >= 0) {
                return false;
            }
            set(word.postings(), found);
            return true;
        });
        return found;
    }

    private static void set(Postings postings, BitSet found) {
        for (int i = 0; i < postings.count(); i++) {
            found.set(postings.number(i));
        }
    }

    /** Finds the words of each pattern in all segments. */
    private void expand(Question question) throws IOException {
        switch (question) {
            case Question.Word _, Question.Between _ -> {}
            case Question.Not not -> expand(not.part());
            case Question.And and -> {
                for (Question part : and.parts()) {
                    expand(part);
                }
            }
            case Question.Or or -> {
                for (Question part : or.parts()) {
                    expand(part);
                }
            }
            case Question.Pattern pattern -> expanded.put(pattern, words(pattern));
        }
    }

    private List<byte[]> words(Question.Pattern pattern) throws IOException {
        WordPattern looks = WordPattern.of(pattern);
        SortedSet<byte[]> terms = new TreeSet<>(Arrays::compareUnsigned);
        for (SegmentReader reader : readers) {
            reader.scan(looks.beginning(), word -> {
                if (!word.startsWith(looks.beginning())) {
                    return false;
                }
                byte[] term = word.bytes();
                if (looks.matches(term)) {
                    terms.add(term);
                }
                return terms.size() <= WordPattern.COUNTED;
            });
        }
        if (terms.size() > WordPattern.MAX_WORDS) {
            throw new RefusedException("the pattern matches "
                    + (terms.size() > WordPattern.COUNTED
                            ? "more than " + WordPattern.COUNTED
                            : String.valueOf(terms.size()))
                    + " words; at most " + WordPattern.MAX_WORDS + " are searched: give more letters");
        }
        return List.copyOf(terms);
    }

    /** Words that count for the order of the results: those that are not asked to be absent. */
    static List<Keyword> scored(Question question) {
        return switch (question) {
            case Question.Word word -> List.of(word.word());
            case Question.Pattern _, Question.Between _, Question.Not _ -> List.of();
            case Question.And and ->
                and.parts().stream().flatMap(part -> scored(part).stream()).toList();
            case Question.Or or ->
                or.parts().stream().flatMap(part -> scored(part).stream()).toList();
        };
    }
}
