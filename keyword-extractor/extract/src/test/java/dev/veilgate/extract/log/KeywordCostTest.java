package dev.veilgate.extract.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.PostingCollector;
import dev.veilgate.peks.Posting;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Keywords are what sealing costs: fields, paths and times must add little to the plain words and numbers of a batch. */
class KeywordCostTest {
    private static final int BATCH = 256;

    @Test
    void extrasAddLittleToPlainTokens() throws Exception {
        long plainTotal = 0;
        long ourTotal = 0;
        int batches = 0;
        System.out.println("keywords a batch of 256: log, plain tokens, ours, extra, by field");
        for (Map.Entry<String, List<byte[]>> log : Loghub.logs().entrySet()) {
            LogExtractor extractor = LogExtractor.of(ExtractorProfile.defaults(), LogFormat.AUTO);
            Map<String, Integer> byField = new TreeMap<>();
            long plain = 0;
            long ours = 0;
            int logBatches = 0;
            List<byte[]> lines = log.getValue();
            for (int from = 0; from + BATCH <= lines.size(); from += BATCH) {
                List<byte[]> batch = lines.subList(from, from + BATCH);
                plain += plainTokens(batch);
                List<Posting> postings = postings(extractor, batch);
                ours += postings.size();
                postings.forEach(p -> byField.merge(p.keyword().field(), 1, Integer::sum));
                logBatches++;
            }
            int n = logBatches;
            byField.replaceAll((field, count) -> count / n);
            System.out.printf(
                    Locale.ROOT,
                    "%-12s %5d %5d %+5.1f%%  %s%n",
                    log.getKey(),
                    plain / n,
                    ours / n,
                    100.0 * (ours - plain) / plain,
                    byField);
            plainTotal += plain;
            ourTotal += ours;
            batches += n;
        }
        System.out.printf(
                Locale.ROOT,
                "%-12s %5d %5d %+5.1f%%%n",
                "average",
                plainTotal / batches,
                ourTotal / batches,
                100.0 * (ourTotal - plainTotal) / plainTotal);
        boolean real = System.getProperty("veilgate.data") != null;
        assertThat((double) ourTotal / plainTotal).isLessThan(real ? 1.085 : 1.4); // ours are half JSON and pairs
    }

    private static List<Posting> postings(LogExtractor extractor, List<byte[]> batch) {
        PostingCollector collector = new PostingCollector();
        for (int i = 0; i < batch.size(); i++) {
            collector.add(i, extractor.extract(batch.get(i)).keywords());
        }
        return collector.finish();
    }

    private static int plainTokens(List<byte[]> batch) {
        Set<String> tokens = new HashSet<>();
        for (byte[] line : batch) {
            for (String token : new String(line, StandardCharsets.ISO_8859_1)
                    .toLowerCase(Locale.ROOT)
                    .split("[^a-z0-9]+")) {
                tokens.add(token);
            }
        }
        return tokens.size();
    }
}
