package dev.veilgate.sse.codeword;

import dev.veilgate.peks.Keyword;
import dev.veilgate.sse.Answers;
import dev.veilgate.sse.Document;
import dev.veilgate.sse.DocumentId;
import dev.veilgate.sse.LeakageTest;
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

class CodewordLeakageTest extends LeakageTest<CodewordLeakageTest.Leak> {
    /** The leakage of one operation; a searched word is a number, the same as when it was searched first. */
    sealed interface Leak {
        record Added(DocumentId id, int words) implements Leak {}

        record Deleted(Document document) implements Leak {}

        record Searched(int word, SortedSet<DocumentId> found) implements Leak {}
    }

    @Override
    protected SseScheme scheme() {
        return new CodewordScheme();
    }

    @Override
    protected List<Leak> leakage(List<Operation> history) {
        List<Leak> leaks = new ArrayList<>();
        Map<Keyword, Integer> searched = new HashMap<>();
        SortedMap<DocumentId, Document> live = new TreeMap<>();
        for (Operation operation : history) {
            switch (operation) {
                case Operation.Add add -> {
                    live.put(add.document().id(), add.document());
                    leaks.add(new Leak.Added(
                            add.document().id(), add.document().words().size()));
                }
                case Operation.Delete delete -> {
                    live.remove(delete.document().id());
                    leaks.add(new Leak.Deleted(Document.of(delete.document().id(), List.of())));
                }
                case Operation.Search search -> {
                    Keyword word = ((SseExpression.Word) search.question()).word();
                    int number = searched.computeIfAbsent(word, _ -> searched.size());
                    SortedSet<DocumentId> found = new TreeSet<>();
                    live.values().stream()
                            .filter(document -> document.words().containsKey(word))
                            .forEach(document -> found.add(document.id()));
                    leaks.add(new Leak.Searched(number, found));
                }
            }
        }
        return leaks;
    }

    @Override
    protected List<byte[]> simulate(List<Leak> leakage, SplittableRandom random) {
        List<byte[]> messages = new ArrayList<>();
        Map<Integer, byte[]> trapdoors = new HashMap<>();
        for (Leak leak : leakage) {
            switch (leak) {
                case Leak.Added added -> {
                    byte[] row = bytes(added.words() * Codeword.CODEWORD_BYTES, random);
                    messages.add(RowMessages.add(List.of(new RowMessages.Row(added.id(), row))));
                    messages.add(Answers.done());
                }
                case Leak.Deleted deleted -> {
                    messages.add(RowMessages.delete(List.of(deleted.document())));
                    messages.add(Answers.done());
                }
                case Leak.Searched searched -> {
                    byte[] trapdoor =
                            trapdoors.computeIfAbsent(searched.word(), _ -> bytes(Codeword.TRAPDOOR_BYTES, random));
                    messages.add(RowMessages.search(List.of(trapdoor)));
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
