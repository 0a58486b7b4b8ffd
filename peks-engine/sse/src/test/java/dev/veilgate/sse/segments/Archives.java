package dev.veilgate.sse.segments;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.random.TestSeed;
import dev.veilgate.sse.ArchiveKey;
import dev.veilgate.sse.MemoryBlobs;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Documents of a test, and segments of them in memory. */
final class Archives {
    final MemoryBlobs store = new MemoryBlobs();
    final SecureRandom coins;
    final SegmentKeys keys;

    Archives(TestSeed seed, String use) {
        coins = new ReplayableRandom(seed.coins(use));
        keys = SegmentKeys.of(ArchiveKey.random(coins), new byte[SegmentKeys.ARCHIVE_BYTES]);
    }

    SealedSegment seal(Collection<ArchivedDocument> documents) throws IOException {
        SegmentBuilder builder = new SegmentBuilder(keys, coins);
        for (ArchivedDocument each : documents) {
            builder.add(each);
        }
        return builder.finish();
    }

    SegmentReader keep(SealedSegment segment) throws IOException, MalformedEncodingException {
        store.put(segment.entry().name(), segment.object());
        segment.close();
        return new SegmentReader(store, keys, segment.entry());
    }

    SegmentReader build(Collection<ArchivedDocument> documents) throws IOException, MalformedEncodingException {
        return keep(seal(documents));
    }

    static WordCounts counts(Map<Keyword, Integer> words) {
        WordCounter counter = new WordCounter(new SecureRandom());
        words.forEach(counter::add);
        return counter.counts();
    }

    static ArchivedDocument document(String name, Keyword... words) {
        TreeMap<Keyword, Integer> counted = new TreeMap<>();
        for (Keyword word : words) {
            counted.merge(word, 1, Integer::sum);
        }
        return new ArchivedDocument(name, new byte[ArchivedDocument.DIGEST_BYTES], 0, counts(counted));
    }

    /** Documents of words that are drawn as in texts: few of them often. */
    static List<ArchivedDocument> random(SplittableRandom random, int documents, int mostWords) {
        List<Keyword> words = words(random, 2 + documents * 2);
        List<ArchivedDocument> all = new ArrayList<>();
        for (int i = 0; i < documents; i++) {
            TreeMap<Keyword, Integer> counted = new TreeMap<>();
            for (int left = random.nextInt(mostWords + 1); left > 0; left--) {
                double rank = Math.pow(words.size(), random.nextDouble()) - 1;
                counted.merge(
                        words.get((int) rank), random.nextInt(20) == 0 ? random.nextInt(1, 1000) : 1, Integer::sum);
            }
            byte[] digest = new byte[ArchivedDocument.DIGEST_BYTES];
            random.nextBytes(digest);
            all.add(new ArchivedDocument(
                    name(random, i), digest, random.nextInt(4) == 0 ? random.nextLong(1L << 40) : 0, counts(counted)));
        }
        return all;
    }

    private static String name(SplittableRandom random, int i) {
        return switch (random.nextInt(8)) {
            case 0 -> "m\u00fcller/\u4e2d\ud83e\udd89/" + i;
            case 1 -> i + "x".repeat(random.nextInt(4000));
            case 2 -> String.valueOf(i);
            default -> "/var/log/syslog#" + i;
        };
    }

    private static List<Keyword> words(SplittableRandom random, int count) {
        TreeMap<Keyword, Integer> words = new TreeMap<>();
        while (words.size() < count) {
            String field = random.nextInt(4) == 0 ? "field-" + random.nextInt(20) : "text";
            words.put(
                    switch (random.nextInt(16)) {
                        case 0 -> Keyword.text(field, value(random, random.nextInt(1, 4097)));
                        case 1 -> Keyword.text("f".repeat(random.nextInt(1, 256)), value(random, 1));
                        case 2 -> Keyword.interval(field, random.nextInt(64), random.nextLong(1L << 62));
                        case 3 ->
                            Keyword.text(
                                    field,
                                    "\u00e9\u4e2d\ud83e\udd89".repeat(random.nextInt(1, 5)) + random.nextInt(50));
                        case 4 -> Keyword.text(field, "a\0".repeat(random.nextInt(1, 20)));
                        default -> Keyword.text(field, value(random, random.nextInt(1, 12)));
                    },
                    random.nextInt());
        }
        List<Keyword> mixed = new ArrayList<>(words.keySet());
        mixed.sort((a, b) -> words.get(a).compareTo(words.get(b)));
        return mixed;
    }

    private static String value(SplittableRandom random, int length) {
        StringBuilder value = new StringBuilder();
        for (int i = 0; i < length; i++) {
            value.append((char) ('a' + random.nextInt(i > 3 ? 2 : 26)));
        }
        return value.toString();
    }
}
