package dev.veilgate.sse.suise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.random.TestSeed;
import dev.veilgate.sse.Answers;
import dev.veilgate.sse.ArchiveKey;
import dev.veilgate.sse.AttackRates;
import dev.veilgate.sse.Channel;
import dev.veilgate.sse.Document;
import dev.veilgate.sse.DocumentId;
import dev.veilgate.sse.LeakageTest;
import dev.veilgate.sse.MemoryCells;
import dev.veilgate.sse.Parameters;
import dev.veilgate.sse.SseExpression;
import dev.veilgate.sse.SseOwner;
import dev.veilgate.sse.SseScheme;
import dev.veilgate.sse.SseServer;
import dev.veilgate.sse.StuckRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SuiseLeakageTest extends LeakageTest<SuiseLeakageTest.Leak> {
    /** The leakage of one operation; a searched word is a number, the same as when it was searched first. */
    sealed interface Leak {
        record Added(DocumentId id, int words, SortedSet<Integer> searched) implements Leak {}

        record Deleted(DocumentId id) implements Leak {}

        record Searched(int word, SortedSet<DocumentId> found) implements Leak {}
    }

    @Override
    protected SseScheme scheme() {
        return new SuiseScheme();
    }

    @Override
    protected List<Leak> leakage(List<Operation> history) {
        List<Leak> leaks = new ArrayList<>();
        Map<Keyword, Integer> searched = new HashMap<>();
        SortedMap<DocumentId, Document> live = new TreeMap<>();
        for (Operation operation : history) {
            leaks.add(
                    switch (operation) {
                        case Operation.Add add -> {
                            live.put(add.document().id(), add.document());
                            SortedSet<Integer> known = new TreeSet<>();
                            add.document().words().keySet().stream()
                                    .filter(searched::containsKey)
                                    .forEach(word -> known.add(searched.get(word)));
                            yield new Leak.Added(
                                    add.document().id(), add.document().words().size(), known);
                        }
                        case Operation.Delete delete -> {
                            live.remove(delete.document().id());
                            yield new Leak.Deleted(delete.document().id());
                        }
                        case Operation.Search search -> {
                            Keyword word = ((SseExpression.Word) search.question()).word();
                            int number = searched.computeIfAbsent(word, _ -> searched.size());
                            SortedSet<DocumentId> found = new TreeSet<>();
                            live.values().stream()
                                    .filter(document -> document.words().containsKey(word))
                                    .forEach(document -> found.add(document.id()));
                            yield new Leak.Searched(number, found);
                        }
                    });
        }
        return leaks;
    }

    @Override
    protected List<byte[]> simulate(List<Leak> leakage, SplittableRandom random) {
        List<byte[]> messages = new ArrayList<>();
        Map<Integer, byte[]> tokens = new HashMap<>();
        SuiseHistory.States states = new SuiseHistory.States(0, List.of(new byte[SuiseHistory.DIGEST_BYTES]));
        for (Leak leak : leakage) {
            switch (leak) {
                case Leak.Added added -> {
                    List<byte[]> words = new ArrayList<>();
                    for (int i = 0; i < added.words(); i++) {
                        words.add(bytes(Suise.CIPHERTEXT_BYTES, random));
                    }
                    List<byte[]> searched =
                            added.searched().stream().map(tokens::get).toList();
                    messages.add(
                            SuiseMessages.add(states, List.of(new SuiseMessages.Entry(added.id(), words, searched))));
                    messages.add(Answers.done());
                }
                case Leak.Deleted deleted -> {
                    messages.add(SuiseMessages.delete(states, List.of(deleted.id())));
                    messages.add(Answers.done());
                }
                case Leak.Searched searched -> {
                    boolean repeated = tokens.containsKey(searched.word());
                    byte[] token = tokens.computeIfAbsent(searched.word(), _ -> bytes(Suise.TOKEN_BYTES, random));
                    byte[] after = SuiseHistory.after(states.lastDigest(), token);
                    messages.add(SuiseMessages.search(
                            repeated
                                    ? states
                                    : new SuiseHistory.States(states.last(), List.of(states.lastDigest(), after)),
                            List.of(token)));
                    states = repeated ? states : new SuiseHistory.States(states.last() + 1, List.of(after));
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

    /** Salts that repeat would show equal words of documents at rest: the harness sees it too. */
    @Test
    void aGeneratorThatIsStuckIsSeenByTheSimulator() throws Exception {
        List<Operation> history = history(TestSeed.of(getClass()).random("stuck"));
        assertThat(shape(history, new StuckRandom())).isNotEqualTo(simulated(history, "stuck"));
    }

    /**
     * File injection (Zhang, Katz and Papamanthou 2016): a server that gets one mail in names the words that were
     * searched. A word is named by ten documents of half of a dictionary each.
     */
    @Test
    void aServerThatInjectsDocumentsNamesEverySearchedWord() throws Exception {
        SplittableRandom random = TestSeed.of(getClass()).random("injection");
        ReplayableRandom coins = new ReplayableRandom(TestSeed.of(getClass()).coins("injection"));
        SseScheme scheme = new SuiseScheme();
        Parameters parameters = Parameters.standard(scheme);
        SseOwner owner = scheme.owner(ArchiveKey.random(coins), new MemoryCells(), parameters, coins);
        SseServer server = scheme.server(new MemoryCells(), parameters);
        List<Keyword> dictionary = new ArrayList<>();
        for (int i = 0; i < 1024; i++) {
            dictionary.add(Keyword.text("subject", "word" + i));
        }
        Map<String, Keyword> truth = new LinkedHashMap<>();
        for (int i = 0; i < 50; i++) {
            Keyword word = dictionary.get(random.nextInt(dictionary.size()));
            Channel seen = messages -> {
                truth.put(token(messages.getFirst().toBytes()), word);
                return Channel.to(server).send(messages);
            };
            seen.run(owner.search(new SseExpression.Word(word)));
        }
        Map<String, Integer> named = new HashMap<>();
        truth.keySet().forEach(token -> named.put(token, 0));
        for (int bit = 0; bit < 10; bit++) {
            int of = bit;
            List<Keyword> half = dictionary.stream()
                    .filter(word -> (dictionary.indexOf(word) >> of & 1) == 1)
                    .toList();
            Channel seen = messages -> {
                String message = HexFormat.of().formatHex(messages.getFirst().toBytes());
                named.replaceAll((token, number) -> message.contains(token) ? number | 1 << of : number);
                return Channel.to(server).send(messages);
            };
            seen.run(owner.add(List.of(Document.of(new DocumentId(1000 + bit), half))));
        }
        long right = truth.entrySet().stream()
                .filter(each -> dictionary.get(named.get(each.getKey())).equals(each.getValue()))
                .count();
        AttackRates.store("suise", "ten injected documents name the searched words", right, truth.size());
        assertThat(right).isEqualTo(truth.size());
    }

    private static String token(byte[] search) {
        return HexFormat.of().formatHex(search, search.length - Suise.TOKEN_BYTES, search.length);
    }
}
