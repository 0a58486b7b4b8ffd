package dev.veilgate.sse.segments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.peks.Keyword;
import dev.veilgate.random.TestSeed;
import dev.veilgate.sse.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SegmentTest {
    private final TestSeed seed = TestSeed.of(getClass());

    @Test
    void answersAsThePlainModelDoes() throws Exception {
        SplittableRandom random = seed.random("model");
        for (int documents : new int[] {0, 1, 2, 7, 64, 300, 2000}) {
            for (int round = 0; round < 3; round++) {
                List<ArchivedDocument> all = Archives.random(random, documents, random.nextInt(60));
                Archives archive = new Archives(seed, "model " + documents + " " + round);
                new PlainSegment(all).requireSameAnswers(archive.build(all), random);
            }
        }
    }

    @Test
    void findsShortestAndLongestWords() throws Exception {
        Archives archive = new Archives(seed, "long");
        List<Keyword> words = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            words.add(Keyword.text("f".repeat(255), "x".repeat(4095 - i % 3) + (char) ('a' + i % 20)));
            words.add(Keyword.text("f", String.valueOf((char) ('a' + i % 20))));
        }
        List<ArchivedDocument> all = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            all.add(Archives.document("d" + i, words.get(i), words.get(i / 2)));
        }
        new PlainSegment(all).requireSameAnswers(archive.build(all), seed.random("long"));
    }

    @Test
    void findsWordsOfManyDocuments() throws Exception {
        Archives archive = new Archives(seed, "many");
        SegmentBuilder builder = new SegmentBuilder(archive.keys, archive.coins);
        Keyword all = Keyword.text("text", "all");
        Keyword some = Keyword.text("text", "some");
        TreeMap<Keyword, Integer> both = new TreeMap<>();
        both.put(all, 1);
        both.put(some, 3);
        int count = 100_000;
        for (int i = 0; i < count; i++) {
            builder.add(
                    i % 7 == 3
                            ? new ArchivedDocument(
                                    "d" + i, new byte[ArchivedDocument.DIGEST_BYTES], 0, Archives.counts(both))
                            : Archives.document("d" + i, all));
        }
        assertThat(builder.documents()).isEqualTo(count);
        SegmentReader reader = archive.keep(builder.finish());
        Postings everywhere = reader.find(WordBytes.of(all));
        assertThat(everywhere).isNotNull();
        assertThat(everywhere.count()).isEqualTo(count);
        assertThat(everywhere.number(count - 1)).isEqualTo(count - 1);
        Postings seventh = reader.find(WordBytes.of(some));
        assertThat(seventh).isNotNull();
        assertThat(seventh.count()).isEqualTo((count + 3) / 7);
        for (int i = 0; i < seventh.count(); i++) {
            assertThat(seventh.number(i)).isEqualTo(7 * i + 3);
            assertThat(seventh.tf(i)).isEqualTo(3);
            assertThat(seventh.lengthClass(i)).isEqualTo(4);
        }
        assertThat(reader.number("d99999")).isEqualTo(99_999);
        assertThat(reader.document(54_321).name()).isEqualTo("d54321");
    }

    @Test
    void ordersWordsSoThatBeginningsStandTogether() {
        SplittableRandom random = seed.random("order");
        List<ArchivedDocument> documents = Archives.random(random, 200, 30);
        List<Keyword> words = documents.stream()
                .flatMap(each -> each.words().toMap().keySet().stream())
                .distinct()
                .toList();
        for (Keyword word : words) {
            byte[] bytes = WordBytes.of(word);
            assertThat(bytes.length).isEqualTo(word.encode().length - 2);
            assertThat(WordBytes.value(bytes)).isEqualTo(word.value());
            for (Keyword other : words.subList(0, 50)) {
                assertThat(Arrays.equals(bytes, WordBytes.of(other))).isEqualTo(word.equals(other));
                if (!other.isInterval()) {
                    assertThat(WordBytes.startsWith(bytes, WordBytes.beginning(other.field(), other.value())))
                            .isEqualTo(!word.isInterval()
                                    && word.field().equals(other.field())
                                    && word.value().startsWith(other.value()));
                }
            }
        }
    }

    @Test
    void findsAllDocumentsOfOneName() throws Exception {
        Archives archive = new Archives(seed, "names");
        SegmentReader reader = archive.build(List.of(
                Archives.document("a"), Archives.document("b"), Archives.document("a"), Archives.document("a/b")));
        assertThat(reader.numbers("a")).containsExactly(0, 2);
        assertThat(reader.number("a")).isEqualTo(2);
        assertThat(reader.number("b")).isEqualTo(1);
        assertThat(reader.number("c")).isEqualTo(-1);
        assertThat(reader.numbers("")).isEmpty();
    }

    @Test
    void tellsNamesOfOneTagApart() throws Exception {
        Sha256 sha = new Sha256();
        Map<Long, String> byTag = new HashMap<>();
        List<ArchivedDocument> documents = new ArrayList<>();
        for (int i = 0; documents.size() < 4; i++) {
            String name = "n" + i;
            byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
            String other = byTag.putIfAbsent(NameTags.of(sha, utf8, utf8.length, 0), name);
            if (other != null) {
                documents.add(Archives.document(other));
                documents.add(Archives.document(name));
            }
        }
        Archives archive = new Archives(seed, "tags");
        SegmentReader all = archive.build(documents);
        SegmentReader half = archive.build(List.of(documents.get(0), documents.get(2)));
        for (int i = 0; i < 4; i++) {
            assertThat(all.numbers(documents.get(i).name())).containsExactly(i);
            assertThat(half.number(documents.get(i).name())).isEqualTo(i % 2 == 0 ? i / 2 : -1);
        }
    }

    @Test
    void takesNothingWhenItIsFinished() throws Exception {
        Archives archive = new Archives(seed, "finished");
        SegmentBuilder builder = new SegmentBuilder(archive.keys, archive.coins);
        builder.finish().close();
        assertThatThrownBy(builder::finish).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> builder.add(Archives.document("a"))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void estimatesItsSize() throws Exception {
        Archives archive = new Archives(seed, "size");
        SegmentBuilder builder = new SegmentBuilder(archive.keys, archive.coins);
        for (ArchivedDocument each : Archives.random(seed.random("size"), 5000, 40)) {
            builder.add(each);
        }
        long estimate = builder.bytes();
        SegmentLayout layout = builder.finish().entry().layout();
        long actual = layout.placeOf(SegmentPart.PADDING);
        assertThat(estimate).isBetween(actual / 2, 2 * actual);
    }

    @Test
    void refusesDocumentsThatCannotBe() {
        WordCounts none = WordCounts.NONE;
        byte[] digest = new byte[ArchivedDocument.DIGEST_BYTES];
        for (String name : List.of("", "x".repeat(4097), "\u00e9".repeat(2049), "\ud800")) {
            assertThatThrownBy(() -> new ArchivedDocument(name, digest, 0, none))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> Archives.counts(Map.of(Keyword.text("text", "owl"), 0)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ArchivedDocument("a", digest, -1, none))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ArchivedDocument("a", new byte[31], 0, none))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
