package dev.veilgate.benchmarks;

import dev.veilgate.benchmarks.Sample.Budget;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.TrapdoorStore;
import dev.veilgate.peks.lattice.ntru.CiphertextStart;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Savings of computing ahead, which the NTRU-PEKS paper proposes in its section 5.2: A before the keyword is known
 * ("twice as fast"), and trapdoors that are kept, each of which is checked before it is given out.
 */
final class PaperAhead {
    private final List<Keyword> words;
    private final Budget budget;
    private final List<String> rows =
            new ArrayList<>(List.of("scheme,parameters,operation,whole_ms,ahead_ms,ratio,paper_ratio"));

    private PaperAhead(int count, Budget budget) {
        this.words = IntStream.range(0, count).mapToObj(Corpus::word).toList();
        this.budget = budget;
    }

    /** The rows of {@code paper-ahead.csv}: milliseconds of an operation, whole and with what was computed ahead. */
    static List<String> rows(int count, Budget budget) throws Exception {
        PaperAhead figures = new PaperAhead(count, budget);
        for (NtruPaperScheme scheme : NtruPaperScheme.all()) {
            figures.measure(scheme);
        }
        return figures.rows;
    }

    private void measure(NtruPaperScheme scheme) throws Exception {
        Sample whole = Sample.ofPasses(() -> nanos(scheme::encrypt), budget);
        Sample ahead = Sample.ofPasses(
                () -> {
                    Iterator<CiphertextStart> starts = Stream.generate(scheme::start)
                            .limit(words.size())
                            .toList()
                            .iterator();
                    return nanos(word -> scheme.encrypt(starts.next(), word));
                },
                budget);
        row(scheme, "PEKS", whole, ahead, "2");
        Sample sampled = Sample.ofPasses(() -> nanos(scheme.trapdoors()), budget);
        TrapdoorStore store = new Corpus.MemoryStore();
        nanos(scheme.trapdoors(store)); // which keeps them
        Sample kept = Sample.ofPasses(() -> nanos(scheme.trapdoors(store)), budget);
        row(scheme, "Trapdoor", sampled, kept, "");
    }

    private long nanos(Function<Keyword, Object> operation) {
        long start = System.nanoTime();
        for (Keyword word : words) {
            Sample.sink = operation.apply(word);
        }
        return System.nanoTime() - start;
    }

    private void row(NtruPaperScheme scheme, String operation, Sample whole, Sample ahead, String paper) {
        rows.add(String.format(
                Locale.ROOT,
                "%s,%s,%s,%.5f,%.5f,%.2f,%s",
                scheme.name(),
                scheme.parameters(),
                operation,
                whole.millis() / words.size(),
                ahead.millis() / words.size(),
                whole.millis() / ahead.millis(),
                paper));
    }
}
