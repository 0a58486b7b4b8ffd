package dev.veilgate.benchmarks;

import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.lattice.ntru.KeyPair;
import dev.veilgate.peks.lattice.ntru.NtruParameters;
import dev.veilgate.peks.lattice.ntru.NtruPeks;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What the authority does: keys and trapdoors. */
@State(Scope.Benchmark)
@Fork(1)
public class AuthorityBenchmark {
    /** Parameter set. */
    @Param({"N512_Q24", "N1024_Q27", "N2048_Q29"})
    public String parameters = "N2048_Q29";

    private NtruPeks peks;
    private KeyPair keys;
    private Corpus.MemoryStore store;
    private int next;

    /** Generates a key. */
    @Setup
    public void keys() throws Exception {
        peks = new NtruPeks(NtruParameters.byId(parameters), new SecureRandom());
        keys = peks.keyGen();
    }

    /** Forgets the trapdoors of the last iteration. */
    @Setup(Level.Iteration)
    public void emptyStore() {
        store = new Corpus.MemoryStore();
    }

    /** KeyGen. */
    @Benchmark
    @BenchmarkMode(Mode.SingleShotTime)
    @OutputTimeUnit(TimeUnit.MILLISECONDS)
    @Warmup(iterations = 3)
    @Measurement(iterations = 20)
    public KeyPair keyGen() {
        return peks.keyGen();
    }

    /** Trapdoor of a new keyword. */
    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @OutputTimeUnit(TimeUnit.MICROSECONDS)
    @Warmup(iterations = 3, time = 1)
    @Measurement(iterations = 8, time = 1)
    public ScopedTrapdoor trapdoor() throws IOException {
        return peks.trapdoor(keys.secretKey(), Corpus.DOMAIN, Corpus.word(next++), store);
    }
}
