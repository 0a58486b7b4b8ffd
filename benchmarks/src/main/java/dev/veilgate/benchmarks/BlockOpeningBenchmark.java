package dev.veilgate.benchmarks;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.SlotMatch;
import dev.veilgate.peks.lattice.ntru.BlockOpening;
import dev.veilgate.peks.lattice.ntru.NtruIndexSealer;
import dev.veilgate.peks.lattice.ntru.NtruParameters;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Check of an index by an authority, which sees whether a record's keywords are in it: a block of 256 keywords of 256
 * records, and each keyword.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 8, time = 1)
@Fork(1)
public class BlockOpeningBenchmark {
    private static final int KEYWORDS = 256;
    private static final int RECORDS = 256;

    private Corpus corpus;
    private IndexBlock block;
    private BlockOpening opening;
    private int next;

    /** Seals a block and opens it. */
    @Setup
    public void seal() throws MalformedEncodingException {
        corpus = new Corpus(NtruParameters.N2048_Q29);
        block = new NtruIndexSealer(corpus.keys().publicKey(), new SecureRandom())
                .seal(Corpus.DOMAIN, Corpus.MESSAGE, RECORDS, Corpus.postings(0, KEYWORDS, RECORDS))
                .getFirst();
        opening = open();
        for (int i = 0; i < KEYWORDS; i++) {
            if (!opening.has(Corpus.word(i), i % RECORDS) || opening.has(Corpus.word(i + KEYWORDS), i % RECORDS)) {
                throw new IllegalStateException("the block does not have its words, or has others");
            }
        }
    }

    /** Erases r. */
    @TearDown
    public void close() {
        opening.close();
    }

    private BlockOpening open() throws MalformedEncodingException {
        return corpus.peks().open(corpus.keys().secretKey(), Corpus.DOMAIN.tenant(), block, Corpus.MESSAGE);
    }

    /** From the bytes of a block to r, with the check of its binding. */
    @Benchmark
    public boolean block() throws MalformedEncodingException {
        try (BlockOpening opened = open()) {
            return opened.isWellFormed();
        }
    }

    /** A keyword that is there. */
    @Benchmark
    public List<SlotMatch> keyword() {
        next = (next + 1) % KEYWORDS;
        return opening.find(Corpus.word(next));
    }

    /** A keyword that is not there. */
    @Benchmark
    public List<SlotMatch> absentKeyword() {
        next = (next + 1) % KEYWORDS;
        return opening.find(Corpus.word(KEYWORDS + next));
    }
}
