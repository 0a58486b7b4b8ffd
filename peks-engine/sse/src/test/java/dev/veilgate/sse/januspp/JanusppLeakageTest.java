package dev.veilgate.sse.januspp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.peks.Keyword;
import dev.veilgate.random.TestSeed;
import dev.veilgate.sse.Document;
import dev.veilgate.sse.DocumentId;
import dev.veilgate.sse.LeakageTest;
import dev.veilgate.sse.MessageOrder;
import dev.veilgate.sse.Parameters;
import dev.veilgate.sse.RefusedException;
import dev.veilgate.sse.SseExpression;
import dev.veilgate.sse.SseScheme;
import dev.veilgate.sse.StuckRandom;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A search shows the ids that it finds and the number of its word's deletions; updates show how many they are. */
class JanusppLeakageTest extends LeakageTest<JanusppLeakageTest.Leak> {
    private static final int DELETIONS = 50;

    /** The leakage of one operation. */
    sealed interface Leak {
        record Updated(int kind, int pairs) implements Leak {}

        record Searched(int word, boolean withUpdates, int deletions, List<DocumentId> found) implements Leak {}
    }

    @Override
    protected SseScheme scheme() {
        return new JanusppScheme();
    }

    @Override
    protected Parameters parameters() throws RefusedException {
        return Parameters.of(scheme(), Map.of("deletions", (long) DELETIONS));
    }

    /** The history of one word. */
    private static final class History {
        final Map<DocumentId, Boolean> live = new LinkedHashMap<>();
        boolean updated;
        int deletions;
        int number = -1;
    }

    @Override
    protected List<Leak> leakage(List<Operation> history) {
        List<Leak> leaks = new ArrayList<>();
        Map<Keyword, History> words = new HashMap<>();
        int searched = 0;
        for (Operation operation : history) {
            switch (operation) {
                case Operation.Add add -> {
                    Document document = add.document();
                    for (Keyword word : document.words().keySet()) {
                        History of = words.computeIfAbsent(word, _ -> new History());
                        of.live.put(document.id(), true);
                        of.updated = true;
                    }
                    leaks.add(new Leak.Updated(
                            JanusppMessages.ADD, document.words().size()));
                }
                case Operation.Delete delete -> {
                    Document document = delete.document();
                    for (Keyword word : document.words().keySet()) {
                        History of = words.get(word);
                        of.live.remove(document.id());
                        of.updated = true;
                        of.deletions++;
                    }
                    leaks.add(new Leak.Updated(
                            JanusppMessages.DELETE, document.words().size()));
                }
                case Operation.Search search -> {
                    History of =
                            words.computeIfAbsent(((SseExpression.Word) search.question()).word(), _ -> new History());
                    if (of.number < 0) {
                        of.number = searched++;
                    }
                    leaks.add(new Leak.Searched(of.number, of.updated, of.deletions, List.copyOf(of.live.keySet())));
                    of.updated = false;
                    of.deletions = 0;
                }
            }
        }
        return leaks;
    }

    @Override
    protected List<byte[]> simulate(List<Leak> leakage, SplittableRandom random) {
        Puncturable scheme = new Puncturable(DELETIONS, 64);
        List<byte[]> messages = new ArrayList<>();
        Map<Integer, byte[]> caches = new HashMap<>();
        Map<Integer, Long> generations = new HashMap<>();
        long number = 0;
        for (Leak leak : leakage) {
            switch (leak) {
                case Leak.Updated updated -> {
                    int length =
                            updated.kind() == JanusppMessages.ADD ? JanusEntry.BYTES : JanusEntry.deletionBytes(scheme);
                    messages.add(
                            JanusppMessages.update(updated.kind(), ++number, bytes(updated.pairs() * length, random)));
                    messages.add(MessageOrder.done());
                }
                case Leak.Searched searched -> {
                    byte[] cache = caches.computeIfAbsent(searched.word(), _ -> bytes(16, random));
                    long generation = generations.getOrDefault(searched.word(), 1L);
                    if (searched.withUpdates()) {
                        byte[] rest = scheme.rest(bytes(16, random), searched.deletions());
                        random.nextBytes(rest);
                        messages.add(JanusppMessages.search(
                                ++number,
                                bytes(16, random),
                                bytes(16, random),
                                cache,
                                generation,
                                searched.deletions(),
                                rest));
                        generations.put(searched.word(), generation + 1);
                    } else {
                        messages.add(JanusppMessages.again(number, cache, generation - 1));
                    }
                    ByteArrayOutputStream ids = new ByteArrayOutputStream();
                    searched.found().forEach(id -> ids.writeBytes(id.encode()));
                    messages.add(JanusppMessages.found(ids.toByteArray()));
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

    @Test
    void aGeneratorThatIsStuckIsSeenByTheSimulator() throws Exception {
        List<Operation> history = history(TestSeed.of(getClass()).random("stuck"));
        assertThat(shape(history, new StuckRandom())).isNotEqualTo(simulated(history, "stuck"));
    }
}
