package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.peks.StoredBlock;
import dev.veilgate.random.CoinStream;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Random vectors of the distribution of trapdoors, t from D(0, sigma)^N, that no keyword has: an honest block matches none of them, a
 * block that matches a share p of all trapdoors matches one with probability 1 - (1 - p)^{@value #PROBES}. This check asks nothing
 * about how a forgery is made (specification, section 4).
 *
 * <p>An honest block matches by chance with probability below 2^-100 (the rows and the tag of a wrong keyword). Whoever sends blocks
 * that match a given trapdoor once in all is refused {@value #PROBES} times before, in the mean.
 *
 * <p>The vectors are secret, and drawn anew after {@value #BLOCKS} blocks: which blocks are refused tells a sender something of them, and nothing of any trapdoor. Coordinates are rounded
 * normal values, which is near enough to a discrete Gaussian of width sigma in the thousands; coins are of AES-256 under a fresh seed.
 *
 * <p>Safe for use by several threads.
 */
final class ProbeVectors {
    static final String REFUSAL = "must not match random vectors: the block would match trapdoors of any keyword";
    /** Vectors that each block is tested against. */
    static final int PROBES = 16;
    /** Blocks after which the vectors are thrown away. */
    static final int BLOCKS = 1024;

    private static final Map<NtruParameters, ProbeVectors> OF_PARAMETERS = new ConcurrentHashMap<>();

    private final NtruParameters parameters;
    private final SecureRandom random;
    private volatile Generation generation;

    private record Generation(List<PreparedVector> vectors, AtomicInteger uses) {}

    ProbeVectors(NtruParameters parameters, SecureRandom random) {
        this.parameters = parameters;
        this.random = random;
        this.generation = draw();
    }

    /** The vectors that all blocks of a parameter set are tested against in this process. */
    static ProbeVectors of(NtruParameters parameters) {
        return OF_PARAMETERS.computeIfAbsent(parameters, p -> new ProbeVectors(p, new SecureRandom()));
    }

    /** Whether the block, of these parameters, matches one of the vectors. */
    boolean match(StoredBlock block) {
        for (PreparedVector vector : current().vectors()) {
            if (vector.mayMatch(block.hot(), 0)
                    && !vector.decodeSurvivors(block).isEmpty()) {
                return true;
            }
        }
        return false;
    }

    private Generation current() {
        Generation current = generation;
        if (current.uses().incrementAndGet() > BLOCKS) {
            synchronized (this) {
                if (generation == current) {
                    generation = draw();
                }
                current = generation;
            }
        }
        return current;
    }

    private Generation draw() {
        try (CoinStream coins = CoinStream.fresh(random)) {
            RandomGenerator normal = coins::nextLong;
            return new Generation(
                    IntStream.range(0, PROBES)
                            .mapToObj(i -> new PreparedVector(parameters, vector(normal)))
                            .toList(),
                    new AtomicInteger());
        }
    }

    private int[] vector(RandomGenerator normal) {
        int[] t = new int[parameters.n()];
        for (int i = 0; i < t.length; i++) {
            t[i] = (int) Math.rint(normal.nextGaussian() * parameters.sigma());
        }
        return t;
    }
}
