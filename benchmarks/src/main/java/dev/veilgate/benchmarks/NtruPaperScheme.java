package dev.veilgate.benchmarks;

import dev.veilgate.peks.IndexScheme;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.PreparedTrapdoor;
import dev.veilgate.peks.StoredBlock;
import dev.veilgate.peks.TrapdoorStore;
import dev.veilgate.peks.lattice.ntru.Ciphertext;
import dev.veilgate.peks.lattice.ntru.CiphertextStart;
import dev.veilgate.peks.lattice.ntru.NtruIndexSealer.SlotPadding;
import dev.veilgate.peks.lattice.ntru.NtruParameters;
import dev.veilgate.peks.lattice.ntru.Trapdoor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Function;

/** NTRU-PEKS with one of the paper's parameter sets. Encryption is the paper's form; records are blocks of one slot. */
final class NtruPaperScheme implements PaperScheme {
    private static final Millis NO_GOAL = new Millis(Double.NaN, Double.NaN, Double.NaN);

    private final String parameters;
    private final Millis paper;
    private final Corpus corpus;

    private NtruPaperScheme(NtruParameters parameters, int lambda, Millis paper) {
        this.parameters = "lambda " + lambda + " N " + parameters.n();
        this.paper = paper;
        this.corpus = new Corpus(parameters);
    }

    /** The paper's sets, with its Table 1. */
    static List<NtruPaperScheme> all() {
        return List.of(
                new NtruPaperScheme(NtruParameters.N512_Q24, 80, new Millis(0.34, 0.69, 5.15)),
                new NtruPaperScheme(NtruParameters.N1024_Q27, 192, new Millis(1.23, 2.50, 17.35)));
    }

    @Override
    public String name() {
        return "NTRU-PEKS";
    }

    @Override
    public String parameters() {
        return parameters;
    }

    @Override
    public Millis paper() {
        return paper;
    }

    @Override
    public Millis goal() {
        return NO_GOAL;
    }

    @Override
    public IndexScheme scheme() {
        return corpus.scheme();
    }

    @Override
    public List<StoredBlock> blocks(int count) {
        return corpus.blocks(count, 1, 1, count, SlotPadding.ONE_KEYWORD_PER_BLOCK);
    }

    @Override
    public PreparedTrapdoor wrongTrapdoor(int i) {
        return corpus.wrongTrapdoor(i);
    }

    @Override
    public Object encrypt(Keyword word) {
        return corpus.peks().encrypt(corpus.keys().publicKey(), Corpus.DOMAIN, word);
    }

    @Override
    public Function<Keyword, Object> trapdoors() {
        return trapdoors(new Corpus.MemoryStore());
    }

    /** Trapdoors that are taken from a store if they are in it. */
    Function<Keyword, Object> trapdoors(TrapdoorStore store) {
        return word -> {
            try {
                return corpus.peks().trapdoor(corpus.keys().secretKey(), Corpus.DOMAIN, word, store);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
    }

    /** A, before the keyword is known. */
    CiphertextStart start() {
        return corpus.peks().start(corpus.keys().publicKey());
    }

    Object encrypt(CiphertextStart start, Keyword word) {
        return corpus.peks().encrypt(start, Corpus.DOMAIN, word);
    }

    @Override
    public Object keyGen() {
        return corpus.peks().keyGen();
    }

    /** Tests in the paper's form, of all N coefficients, with a wrong trapdoor. */
    Sample.Pass paperTests(int count, int wrongWord) throws Exception {
        Ciphertext ciphertext = corpus.peks().encrypt(corpus.keys().publicKey(), Corpus.DOMAIN, Corpus.word(0));
        Trapdoor wrong =
                Trapdoor.decode(corpus.wrongTrapdoor(wrongWord).trapdoor().bytes());
        return () -> {
            long start = System.nanoTime();
            for (int i = 0; i < count; i++) {
                if (corpus.peks().test(wrong, ciphertext)) {
                    throw new IllegalStateException("a wrong keyword matched");
                }
            }
            return System.nanoTime() - start;
        };
    }
}
