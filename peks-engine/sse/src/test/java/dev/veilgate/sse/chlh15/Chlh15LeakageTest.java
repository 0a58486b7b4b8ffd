package dev.veilgate.sse.chlh15;

import dev.veilgate.peks.Keyword;
import dev.veilgate.sse.Answers;
import dev.veilgate.sse.Document;
import dev.veilgate.sse.DocumentId;
import dev.veilgate.sse.LeakageTest;
import dev.veilgate.sse.RefusedException;
import dev.veilgate.sse.RowMessages;
import dev.veilgate.sse.SseExpression;
import dev.veilgate.sse.SseScheme;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A search shows which of its letters and places were asked for before, and the ids; a filter shows nothing. Questions
 * fix six letters or more, so that false hits, which depend on the filters' bits, are rare.
 */
class Chlh15LeakageTest extends LeakageTest<Chlh15LeakageTest.Leak> {
    /** The leakage of one operation; a letter at a place is a number, the same as when it was asked for first. */
    sealed interface Leak {
        record Added(DocumentId id, int words) implements Leak {}

        record Searched(List<Integer> letters, SortedSet<DocumentId> found) implements Leak {}
    }

    @Override
    protected SseScheme scheme() {
        return new Chlh15Scheme();
    }

    /** Words of eight letters out of five, which share some; every other question is for a part of one. */
    @Override
    protected List<Operation> history(SplittableRandom random) throws RefusedException {
        List<Operation> history = new ArrayList<>();
        for (Operation operation : super.history(random)) {
            history.add(
                    switch (operation) {
                        case Operation.Add add ->
                            new Operation.Add(Document.of(
                                    add.document().id(),
                                    add.document().words().keySet().stream()
                                            .map(Chlh15LeakageTest::ofLetters)
                                            .toList()));
                        case Operation.Search search -> {
                            Keyword word = ofLetters(((SseExpression.Word) search.question()).word());
                            String value = word.value();
                            yield new Operation.Search(
                                    random.nextBoolean()
                                            ? new SseExpression.Word(word)
                                            : new SseExpression.Pattern(
                                                    word.field(), value.substring(0, 4), value.substring(6)));
                        }
                        case Operation.Delete delete -> delete;
                    });
        }
        return history;
    }

    private static Keyword ofLetters(Keyword word) {
        SplittableRandom letters = new SplittableRandom(word.value().hashCode());
        StringBuilder value = new StringBuilder();
        for (int i = 0; i < 8; i++) {
            value.append((char) ('a' + letters.nextInt(5)));
        }
        return Keyword.text(word.field(), value.toString());
    }

    @Override
    protected List<Leak> leakage(List<Operation> history) {
        List<Leak> leaks = new ArrayList<>();
        Map<String, Integer> asked = new HashMap<>();
        SortedMap<DocumentId, Document> documents = new TreeMap<>();
        for (Operation operation : history) {
            switch (operation) {
                case Operation.Add add -> {
                    documents.put(add.document().id(), add.document());
                    leaks.add(new Leak.Added(
                            add.document().id(), add.document().words().size()));
                }
                case Operation.Delete _ -> throw new IllegalStateException("nothing can be deleted");
                case Operation.Search search -> {
                    List<Integer> letters = letters(search.question()).stream()
                            .map(letter -> asked.computeIfAbsent(letter, _ -> asked.size()))
                            .toList();
                    SortedSet<DocumentId> found = new TreeSet<>();
                    documents.values().stream()
                            .filter(document -> document.words().keySet().stream()
                                    .anyMatch(word -> answers(word.value(), search.question())))
                            .forEach(document -> found.add(document.id()));
                    leaks.add(new Leak.Searched(letters, found));
                }
            }
        }
        return leaks;
    }

    /** Letters with their places, from the front, then the end, then from the end. */
    private static List<String> letters(SseExpression question) {
        List<String> letters = new ArrayList<>();
        String front = question instanceof SseExpression.Pattern pattern
                ? pattern.front()
                : ((SseExpression.Word) question).word().value();
        String end = question instanceof SseExpression.Pattern pattern ? pattern.end() : front;
        for (int i = 0; i < front.length(); i++) {
            letters.add(i + " " + front.charAt(i));
        }
        if (question instanceof SseExpression.Word) {
            letters.add(front.length() + " end");
        }
        for (int i = 1; i <= end.length(); i++) {
            letters.add(-i + " " + end.charAt(end.length() - i));
        }
        return letters;
    }

    private static boolean answers(String value, SseExpression question) {
        return switch (question) {
            case SseExpression.Word word -> value.equals(word.word().value());
            case SseExpression.Pattern pattern -> value.startsWith(pattern.front()) && value.endsWith(pattern.end());
            default -> throw new IllegalStateException();
        };
    }

    @Override
    protected List<byte[]> simulate(List<Leak> leakage, SplittableRandom random) {
        List<byte[]> messages = new ArrayList<>();
        Map<Integer, byte[]> tokens = new HashMap<>();
        for (Leak leak : leakage) {
            switch (leak) {
                case Leak.Added added -> {
                    byte[] filters = bytes(added.words() * Chlh15.FILTER_BYTES, random);
                    messages.add(RowMessages.add(List.of(new RowMessages.Row(added.id(), filters))));
                    messages.add(Answers.done());
                }
                case Leak.Searched searched -> {
                    messages.add(RowMessages.search(searched.letters().stream()
                            .map(letter -> tokens.computeIfAbsent(letter, _ -> bytes(Chlh15.TOKEN_BYTES, random)))
                            .toList()));
                    messages.add(Answers.ids(searched.found()));
                }
            }
        }
        return messages;
    }

    private static byte[] bytes(int length, SplittableRandom random) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
