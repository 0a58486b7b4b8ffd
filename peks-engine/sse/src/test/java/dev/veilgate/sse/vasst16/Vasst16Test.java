package dev.veilgate.sse.vasst16;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.random.TestSeed;
import dev.veilgate.sse.ArchiveKey;
import dev.veilgate.sse.AttackRates;
import dev.veilgate.sse.Channel;
import dev.veilgate.sse.Document;
import dev.veilgate.sse.DocumentId;
import dev.veilgate.sse.Hits;
import dev.veilgate.sse.MemoryCells;
import dev.veilgate.sse.Parameters;
import dev.veilgate.sse.RefusedException;
import dev.veilgate.sse.SseContractTest;
import dev.veilgate.sse.SseExpression;
import dev.veilgate.sse.SseOwner;
import dev.veilgate.sse.SseScheme;
import dev.veilgate.sse.Terms;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class Vasst16Test extends SseContractTest {
    @Override
    protected SseScheme scheme() {
        return new Vasst16Scheme();
    }

    /** Powers are tested below; here they would only take time. */
    @Override
    protected Parameters parameters() throws RefusedException {
        return Parameters.of(scheme(), Map.of("prefixes", 1L, Vasst16Scheme.SECOND_LEVEL, 0L));
    }

    @Test
    void theModulusIsASafePrime() {
        assertThat(Vasst16.P.bitLength()).isEqualTo(2048);
        assertThat(Vasst16.P.isProbablePrime(64)).isTrue();
        assertThat(Vasst16.P.subtract(BigInteger.ONE).shiftRight(1).isProbablePrime(64))
                .isTrue();
    }

    @Test
    void tagsArePowersAndEqualForEqualWordsOnly() {
        ReplayableRandom random = new ReplayableRandom(TestSeed.of(getClass()).coins("tags"));
        Vasst16 scheme = new Vasst16(ArchiveKey.random(random), true);
        byte[] owl = scheme.tag(Terms.word(Keyword.text("subject", "owl")));
        assertThat(owl).hasSize(256).isEqualTo(scheme.tag(Terms.word(Keyword.text("subject", "owl"))));
        assertThat(owl).isNotEqualTo(scheme.tag(Terms.word(Keyword.text("from", "owl"))));
        BigInteger half = Vasst16.P.subtract(BigInteger.ONE).shiftRight(1);
        assertThat(new BigInteger(1, owl).modPow(half, Vasst16.P)).isEqualTo(BigInteger.ONE);
    }

    @Test
    void findsByPowersToo() throws Exception {
        ReplayableRandom random = new ReplayableRandom(TestSeed.of(getClass()).coins("powers"));
        SseScheme scheme = scheme();
        Parameters powers = Parameters.standard(scheme);
        SseOwner owner = scheme.owner(ArchiveKey.random(random), new MemoryCells(), powers, random);
        Channel server = Channel.to(scheme.server(new MemoryCells(), powers));
        Keyword owl = Keyword.text("subject", "owl");
        Document three = new Document(new DocumentId(3), new TreeMap<>(Map.of(owl, 3)));
        Document one = new Document(new DocumentId(1), new TreeMap<>(Map.of(owl, 1)));
        Document none = Document.of(new DocumentId(2), List.of(Keyword.text("subject", "hoot")));
        server.run(owner.add(List.of(one, none, three)));
        Hits hits = server.run(owner.search(new SseExpression.Best(List.of(owl), 10)));
        assertThat(hits.ids()).containsExactly(three.id(), one.id());
        server.run(owner.delete(List.of(three)));
        assertThat(server.run(owner.search(new SseExpression.Word(owl))).ids()).containsExactly(one.id());
    }

    /**
     * Equal tags and frequencies give words away at rest: a server that knows how often words occur elsewhere names the
     * common ones by rank, without a search. Words here follow Zipf's law, in two halves of one collection.
     */
    @Test
    void aServerNamesCommonWordsByTheirFrequencies() throws Exception {
        ReplayableRandom random = new ReplayableRandom(TestSeed.of(getClass()).coins("frequencies"));
        SplittableRandom words = TestSeed.of(getClass()).random("frequencies");
        Vasst16 scheme = new Vasst16(ArchiveKey.random(random), false);
        Map<String, Integer> known = new HashMap<>();
        Map<String, Integer> seen = new HashMap<>();
        Map<String, String> truth = new HashMap<>();
        for (int i = 0; i < 200_000; i++) {
            String word = "w" + (int) Math.floor(Math.pow(2000, words.nextDouble()));
            if (i % 2 == 0) {
                known.merge(word, 1, Integer::sum);
            } else {
                String tag = HexFormat.of().formatHex(scheme.tag(Terms.word(Keyword.text("subject", word))));
                seen.merge(tag, 1, Integer::sum);
                truth.put(tag, word);
            }
        }
        int right = AttackRates.namedByRank(seen, known, truth, 20);
        AttackRates.store("vasst16", "frequencies of tags at rest name the commonest words", right, 20);
        assertThat(right).as("of the 20 commonest words").isGreaterThanOrEqualTo(15);
    }
}
