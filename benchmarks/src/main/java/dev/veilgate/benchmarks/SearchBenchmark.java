package dev.veilgate.benchmarks;

import dev.veilgate.peks.PreparedTrapdoor;
import dev.veilgate.peks.SlotMatch;
import dev.veilgate.peks.StoredBlock;
import dev.veilgate.peks.lattice.ntru.NtruIndexSealer.SlotPadding;
import dev.veilgate.peks.lattice.ntru.NtruParameters;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Test of a wrong trapdoor against one block after the other, as a search does; time is a block's. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 8, time = 1)
@Fork(value = 1, jvmArgsAppend = "-Xmx4g")
public class SearchBenchmark {
    /** What is searched. */
    public enum Workload {
        /** 10,000 records of one distinct keyword each, one slot a block. */
        N1024_ONE_KEYWORD(NtruParameters.N1024_Q27, 10_000, 1, 1, SlotPadding.ONE_KEYWORD_PER_BLOCK),
        /** The same, padded to 16 slots. */
        N1024_ONE_KEYWORD_PADDED(NtruParameters.N1024_Q27, 10_000, 1, 1, SlotPadding.MULTIPLE_OF_16),
        /** 50,000 mails of 32 keywords. */
        N2048_32_KEYWORDS(NtruParameters.N2048_Q29, 50_000, 32, 1, SlotPadding.MULTIPLE_OF_16),
        /** The same blocks, few enough to stay in the second-level cache. */
        N2048_32_KEYWORDS_IN_CACHE(NtruParameters.N2048_Q29, 64, 32, 1, SlotPadding.MULTIPLE_OF_16),
        /** 5,000 batches of 256 log records with 200 keywords. */
        N2048_200_KEYWORDS(NtruParameters.N2048_Q29, 5_000, 200, 256, SlotPadding.MULTIPLE_OF_16),
        /** The same blocks, few enough to stay in the second-level cache. */
        N2048_200_KEYWORDS_IN_CACHE(NtruParameters.N2048_Q29, 64, 200, 256, SlotPadding.MULTIPLE_OF_16);

        private final NtruParameters parameters;
        private final int blocks;
        private final int keywords;
        private final int records;
        private final SlotPadding padding;

        Workload(NtruParameters parameters, int blocks, int keywords, int records, SlotPadding padding) {
            this.parameters = parameters;
            this.blocks = blocks;
            this.keywords = keywords;
            this.records = records;
            this.padding = padding;
        }
    }

    /** What is searched. */
    @Param
    public Workload workload = Workload.N1024_ONE_KEYWORD;

    private Corpus corpus;
    private List<StoredBlock> blocks;
    private PreparedTrapdoor[] trapdoors;
    private List<PreparedTrapdoor> sixteen;
    private int block;
    private int trapdoor;

    /** Seals the corpus. */
    @Setup
    public void seal() {
        corpus = new Corpus(workload.parameters);
        int vocabulary = workload.keywords == 1 ? workload.blocks : 4_000;
        blocks = corpus.blocks(workload.blocks, workload.keywords, workload.records, vocabulary, workload.padding);
        trapdoors = new PreparedTrapdoor[64];
        for (int i = 0; i < trapdoors.length; i++) {
            trapdoors[i] = corpus.wrongTrapdoor(i);
        }
        sixteen = List.of(trapdoors).subList(0, 16);
    }

    /** Tests of 16 trapdoors against one block; time is that of all 16. */
    @Benchmark
    public List<List<SlotMatch>> testSixteenTrapdoors() {
        if (block >= blocks.size()) {
            block = 0;
        }
        return corpus.scheme().matchTrapdoors(sixteen, blocks.get(block++));
    }

    /** Test of one trapdoor against one block after the other, as the search of a gateway calls it; time is a block's. */
    @Benchmark
    public List<SlotMatch> testOneByOne() {
        if (block >= blocks.size()) {
            block = 0;
            trapdoor = (trapdoor + 1) % trapdoors.length;
        }
        return corpus.scheme().match(trapdoors[trapdoor], blocks.get(block++));
    }
}
