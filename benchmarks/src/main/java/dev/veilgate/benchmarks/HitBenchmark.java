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
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Test of a right trapdoor: what a hit costs, in a block of 150 keywords of one record that is in the cache. What docs/adr/0017 decides by. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 8, time = 1)
@Fork(1)
public class HitBenchmark {
    private static final int BLOCKS = 64;
    private static final int KEYWORDS = 150;

    private Corpus corpus;
    private List<StoredBlock> blocks;
    private PreparedTrapdoor trapdoor;
    private int block;

    /** Seals blocks that all have one word. */
    @Setup
    public void seal() {
        corpus = new Corpus(NtruParameters.N2048_Q29);
        blocks = corpus.blocks(BLOCKS, KEYWORDS, 1, KEYWORDS, SlotPadding.MULTIPLE_OF_16);
        trapdoor = corpus.trapdoor(Corpus.word(0));
        for (StoredBlock each : blocks) {
            if (corpus.scheme().match(trapdoor, each).size() != 1) {
                throw new IllegalStateException("the word of a block is not found in it");
            }
        }
    }

    private StoredBlock next() {
        block = (block + 1) % BLOCKS;
        return blocks.get(block);
    }

    /** All of it, as a route's. */
    @Benchmark
    public List<SlotMatch> hit() {
        return corpus.scheme().match(trapdoor, next());
    }
}
