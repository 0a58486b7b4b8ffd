package dev.veilgate.sse.chlh15;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.random.TestSeed;
import dev.veilgate.sse.ArchiveKey;
import dev.veilgate.sse.AttackRates;
import dev.veilgate.sse.DocumentId;
import dev.veilgate.sse.Sha256;
import dev.veilgate.sse.SseContractTest;
import dev.veilgate.sse.SseExpression;
import dev.veilgate.sse.SseScheme;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class Chlh15Test extends SseContractTest {
    private final ReplayableRandom random =
            new ReplayableRandom(TestSeed.of(getClass()).coins("filters"));
    private final Chlh15 scheme = new Chlh15(ArchiveKey.random(random), random);

    @Override
    protected SseScheme scheme() {
        return new Chlh15Scheme();
    }

    private double rate(SseExpression question, int words) {
        int found = 0;
        List<byte[]> trapdoor = scheme.trapdoor(question);
        Keyword word = Keyword.text("subject", "zzzz");
        Sha256 h = new Sha256();
        for (int i = 0; i < words; i++) {
            DocumentId id = new DocumentId(i);
            byte[] filter = scheme.buildIndex(id, 0, word);
            found += Chlh15.search(trapdoor, id.encode(), 0, filter, 0, h) ? 1 : 0;
        }
        return (double) found / words;
    }

    /** A filter has 175 positions drawn from 256 bits: 127 are set, and 7 positions hit with a chance of 0.0074. */
    @Test
    void findsAWordFalselyAsOftenAsItsFilterIsFull() {
        assertThat(rate(new SseExpression.Prefix(Keyword.text("subject", "a")), 40_000))
                .isBetween(0.0058, 0.0090);
        assertThat(rate(new SseExpression.Prefix(Keyword.text("subject", "ab")), 100_000))
                .isLessThan(0.0004);
    }

    @Test
    void filtersOfShortAndLongWordsAreEquallyFull() {
        for (String word : List.of("a", "ab", "abcdefghijkl", "abcdefghijklmnopqrstuvwxyz")) {
            long bits = 0;
            for (int i = 0; i < 2000; i++) {
                byte[] filter = scheme.buildIndex(new DocumentId(i), 0, Keyword.text("subject", word));
                for (byte each : filter) {
                    bits += Integer.bitCount(each & 0xff);
                }
            }
            assertThat(bits / 2000.0)
                    .as("bits of a filter of %d letters", word.length())
                    .isBetween(125.9, 127.9);
        }
    }

    /** Trapdoors give letters away: the server links letters and places of different questions. */
    @Test
    void trapdoorsOfWordsWithACommonBeginningShareTheLettersOfIt() throws Exception {
        Set<String> shared = new TreeSet<>(hex("hooting"));
        shared.retainAll(hex("hoover"));
        assertThat(shared).hasSize(3);
        AttackRates.store("chlh15", "equal letters of two questions are linked", shared.size(), 3);
        Set<String> other = new TreeSet<>(hex("hooting"));
        other.retainAll(hex("zebra"));
        assertThat(other).isEmpty();
    }

    private List<String> hex(String beginning) {
        List<String> tokens = new ArrayList<>();
        scheme.trapdoor(new SseExpression.Prefix(Keyword.text("subject", beginning)))
                .forEach(token -> tokens.add(HexFormat.of().formatHex(token)));
        return tokens;
    }

    @Test
    void equalWordsOfDifferentDocumentsHaveDifferentFilters() {
        Keyword word = Keyword.text("subject", "abcdefghijkl");
        byte[] one = scheme.buildIndex(new DocumentId(1), 0, word);
        assertThat(Arrays.equals(one, scheme.buildIndex(new DocumentId(2), 0, word)))
                .isFalse();
        assertThat(Arrays.equals(one, scheme.buildIndex(new DocumentId(1), 1, word)))
                .isFalse();
    }
}
