package dev.veilgate.sse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.random.TestSeed;
import dev.veilgate.sse.codeword.CodewordScheme;
import dev.veilgate.sse.suise.SuiseScheme;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Names of searched words by how many documents each search finds, for a server that learns the ids and knows how often
 * words occur in a collection like this one. Words follow Zipf's law, in two halves of one collection.
 */
class ResultCountAttackTest {
    private static final int DOCUMENTS = 4_000;
    private static final int WORDS_OF_A_DOCUMENT = 10;
    private static final int DICTIONARY = 500;
    private static final int COMMONEST = 20;

    static Stream<SseScheme> schemes() {
        return Stream.of(new CodewordScheme(), new SuiseScheme());
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void aServerNamesTheCommonestWordsThatAreSearched(SseScheme scheme) throws Exception {
        TestSeed seed = TestSeed.of(getClass());
        SplittableRandom random = seed.random("documents");
        Map<String, Integer> known = new HashMap<>();
        Map<String, Integer> own = new HashMap<>();
        List<Document> documents = new ArrayList<>();
        for (int i = 0; i < DOCUMENTS; i++) {
            Set<String> words = words(random);
            words.forEach(word -> own.merge(word, 1, Integer::sum));
            documents.add(Document.of(
                    new DocumentId(i),
                    words.stream().map(word -> Keyword.text("row", word)).toList()));
            words(random).forEach(word -> known.merge(word, 1, Integer::sum));
        }
        TestArchive archive = new TestArchive(
                scheme, Parameters.standard(scheme), new ReplayableRandom(seed.coins("counts" + scheme.id())));
        archive.add(documents.toArray(Document[]::new));
        Map<Integer, Integer> found = new HashMap<>();
        Map<Integer, String> truth = new HashMap<>();
        for (String word : own.keySet()) {
            int search = found.size();
            truth.put(search, word);
            Channel seen = messages -> {
                List<Message> answers = Channel.to(archive.server).send(messages);
                try {
                    found.put(
                            search,
                            Answers.readIds(answers.getFirst().toBytes()).size());
                } catch (MalformedEncodingException e) {
                    throw new AssertionError(e);
                }
                return answers;
            };
            seen.run(archive.owner.search(new SseExpression.Word(Keyword.text("row", word))));
        }
        int named = AttackRates.namedByRank(found, known, truth, COMMONEST);
        AttackRates.store(scheme.id(), "counts of results name the commonest searched words", named, COMMONEST);
        assertThat(named).as("of the 20 commonest words").isGreaterThanOrEqualTo(10);
    }

    private static Set<String> words(SplittableRandom random) {
        Set<String> words = new HashSet<>();
        for (int i = 0; i < WORDS_OF_A_DOCUMENT; i++) {
            words.add("w" + (int) Math.floor(Math.pow(DICTIONARY, random.nextDouble())));
        }
        return words;
    }
}
