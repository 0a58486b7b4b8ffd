package dev.veilgate.benchmarks;

import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.IndexVerifier;
import dev.veilgate.peks.Posting;
import dev.veilgate.peks.PreparedTrapdoor;
import dev.veilgate.peks.SlotMatch;
import dev.veilgate.peks.StoredBlock;
import dev.veilgate.peks.lattice.ntru.Ciphertext;
import dev.veilgate.peks.lattice.ntru.NtruIndexSealer;
import dev.veilgate.peks.lattice.ntru.NtruIndexSealer.SlotPadding;
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
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a sender does. The time of one keyword is the slope between blocks of 16 and of all the keywords a block may
 * hold.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 8, time = 1)
@Fork(1)
public class EdgeBenchmark {
    private static final int RECORDS = 256;

    /** Parameter set. */
    @Param({"N512_Q24", "N1024_Q27", "N2048_Q29"})
    public String parameters = "N2048_Q29";

    private Corpus corpus;
    private NtruIndexSealer caching;
    private NtruIndexSealer forgetting;
    private List<Posting> few;
    private List<Posting> many;
    private IndexVerifier verifier;
    private IndexBlock block;
    private StoredBlock stored;
    private PreparedTrapdoor trapdoor;
    private int next;

    /** Generates a key. */
    @Setup
    public void keys() throws Exception {
        NtruParameters set = NtruParameters.byId(parameters);
        corpus = new Corpus(set);
        caching = new NtruIndexSealer(corpus.keys().publicKey(), new SecureRandom(), SlotPadding.MULTIPLE_OF_16, 2048);
        forgetting = new NtruIndexSealer(corpus.keys().publicKey(), new SecureRandom(), SlotPadding.MULTIPLE_OF_16, 0);
        few = Corpus.postings(0, 16, RECORDS);
        many = Corpus.postings(0, set.maxKeywords(), RECORDS);
        block = caching.seal(Corpus.DOMAIN, Corpus.MESSAGE, RECORDS, many).getFirst();
        verifier = corpus.scheme().verifier(corpus.keys().publicKey().encode());
        stored = admit();
        trapdoor = corpus.trapdoor(Corpus.word(0));
    }

    /** The paper's PEKS of one keyword, hash included. */
    @Benchmark
    public Ciphertext paperEncrypt() {
        return corpus.peks().encrypt(corpus.keys().publicKey(), Corpus.DOMAIN, Corpus.word(next++));
    }

    /** A block of 16 keywords whose hashes are cached. */
    @Benchmark
    public List<IndexBlock> sealFewCached() {
        return caching.seal(Corpus.DOMAIN, Corpus.MESSAGE, RECORDS, few);
    }

    /** A full block of keywords whose hashes are cached. */
    @Benchmark
    public List<IndexBlock> sealManyCached() {
        return caching.seal(Corpus.DOMAIN, Corpus.MESSAGE, RECORDS, many);
    }

    /** A block of 16 new keywords. */
    @Benchmark
    public List<IndexBlock> sealFewNew() {
        return forgetting.seal(Corpus.DOMAIN, Corpus.MESSAGE, RECORDS, few);
    }

    /** A full block of new keywords. */
    @Benchmark
    public List<IndexBlock> sealManyNew() {
        return forgetting.seal(Corpus.DOMAIN, Corpus.MESSAGE, RECORDS, many);
    }

    /** A hit in a full block, decoded in full: the gateway's cost of a match. */
    @Benchmark
    public List<SlotMatch> hit() {
        return corpus.scheme().match(trapdoor, stored);
    }

    /** The checks on arrival and the stored form of a full block. */
    @Benchmark
    public StoredBlock admit() throws Exception {
        return verifier.verify(List.of(block), Corpus.MESSAGE).getFirst();
    }
}
