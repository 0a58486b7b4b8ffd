package dev.veilgate.sse.segments;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.peks.Keyword;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;

/** Plain twin of a segment: the same answers from maps. */
final class PlainSegment {
    private final List<ArchivedDocument> documents;
    private final int[] lengthClasses;
    private final SortedMap<byte[], SortedMap<Integer, Integer>> words = new TreeMap<>(Arrays::compareUnsigned);

    PlainSegment(List<ArchivedDocument> documents) {
        this.documents = documents;
        lengthClasses = new int[documents.size()];
        Arrays.setAll(lengthClasses, i -> LengthClass.of(length(i)));
        for (int i = 0; i < documents.size(); i++) {
            for (Map.Entry<Keyword, Integer> each :
                    documents.get(i).words().toMap().entrySet()) {
                words.computeIfAbsent(WordBytes.of(each.getKey()), word -> new TreeMap<>())
                        .put(i, each.getValue());
            }
        }
    }

    private long length(int document) {
        return documents.get(document).words().toMap().values().stream()
                .mapToLong(times -> times)
                .sum();
    }

    void requireSameAnswers(SegmentReader reader, SplittableRandom random) throws Exception {
        SegmentLayout layout = reader.entry().layout();
        assertThat(layout.documents()).isEqualTo(documents.size());
        assertThat(layout.words()).isEqualTo(words.size());
        long total = 0;
        List<String> names = new ArrayList<>();
        for (int i = 0; i < documents.size(); i++) {
            total += length(i);
            ArchivedDocument document = documents.get(i);
            assertThat(reader.document(i).name()).isEqualTo(document.name());
            assertThat(reader.document(i).digest()).isEqualTo(document.digest());
            assertThat(reader.document(i).place()).isEqualTo(document.place());
            assertThat(reader.lengthClass(i)).isEqualTo(lengthClasses[i]);
            assertThat(reader.numbers(document.name())).contains(i);
            names.add(document.name());
            names.add(document.name() + i);
            assertThat(reader.number(document.name() + "/")).isEqualTo(-1);
        }
        SortedSet<Integer> found = new TreeSet<>();
        for (NameMatch match : reader.matches(new WantedNames(names))) {
            ArchivedDocument document = documents.get(match.number());
            assertThat(document.name()).isEqualTo(names.get(match.place()));
            assertThat(match.digest()).isEqualTo(document.digest());
            found.add(match.number());
        }
        assertThat(found).hasSize(documents.size());
        assertThat(layout.totalLength()).isEqualTo(total);
        for (Map.Entry<byte[], SortedMap<Integer, Integer>> each : words.entrySet()) {
            byte[] word = each.getKey();
            requireSame(reader.find(word), each.getValue());
            for (byte[] other : List.of(
                    Arrays.copyOf(word, word.length + 1),
                    Arrays.copyOf(word, word.length - 1),
                    changed(word, random.nextInt(word.length)))) {
                SortedMap<Integer, Integer> expected = words.get(other);
                if (expected == null) {
                    assertThat(reader.find(other)).isNull();
                } else {
                    requireSame(reader.find(other), expected);
                }
            }
        }
        List<byte[]> sorted = new ArrayList<>(words.keySet());
        requireSameScan(reader, new byte[0]);
        requireSameScan(reader, new byte[] {-1, -1});
        for (int i = 0; i < 40 && !sorted.isEmpty(); i++) {
            byte[] word = sorted.get(random.nextInt(sorted.size()));
            requireSameScan(reader, Arrays.copyOf(word, 1 + random.nextInt(word.length + 1)));
        }
    }

    private static byte[] changed(byte[] word, int at) {
        byte[] other = word.clone();
        other[at]++;
        return other;
    }

    /** Scans the words that begin so, and stops behind them. */
    private void requireSameScan(SegmentReader reader, byte[] beginning) throws Exception {
        List<byte[]> found = new ArrayList<>();
        reader.scan(beginning, word -> {
            if (!word.startsWith(beginning)) {
                return false;
            }
            found.add(word.bytes());
            SortedMap<Integer, Integer> expected = words.get(word.bytes());
            assertThat(expected).isNotNull();
            assertThat(word.count()).isEqualTo(expected.size());
            assertThat(word.endsWith(Arrays.copyOfRange(word.bytes(), word.bytes().length - 1, word.bytes().length)))
                    .isTrue();
            requireSame(word.postings(), expected);
            return true;
        });
        List<byte[]> expected = words.keySet().stream()
                .filter(word -> WordBytes.startsWith(word, beginning))
                .toList();
        assertThat(Arrays.deepEquals(found.toArray(), expected.toArray())).isTrue();
    }

    private void requireSame(Postings found, SortedMap<Integer, Integer> expected) throws IOException {
        assertThat(found).isNotNull();
        assertThat(found.count()).isEqualTo(expected.size());
        assertThat(found.numbers())
                .isEqualTo(expected.keySet().stream().mapToInt(i -> i).toArray());
        int[] times = new int[found.count()];
        int[] ofDocuments = new int[found.count()];
        for (int i = 0; i < times.length; i++) {
            times[i] = found.tf(i);
            ofDocuments[i] = found.lengthClass(i);
        }
        assertThat(times).isEqualTo(expected.values().stream().mapToInt(i -> i).toArray());
        assertThat(ofDocuments)
                .isEqualTo(expected.keySet().stream()
                        .mapToInt(i -> lengthClasses[i])
                        .toArray());
    }
}
