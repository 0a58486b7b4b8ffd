package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.peks.StoredBlock;
import dev.veilgate.random.CoinStream;
import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Random vectors of the distribution of trapdoors, t from D(0, sigma)^N, that no keyword has: an honest block matches none of them, a
 * block that matches a share p of all trapdoors matches one with probability of about 1 - (1 - p)^{@value #PROBES}. This check asks nothing
 * about how a forgery is made (specification, section 4).
 *
 * <p>The vectors are sums of three of six that are drawn from D(0, sigma/sqrt(3))^N: each of the {@value #PROBES} is distributed as a trapdoor
 * is, and one row of Test takes six inner products for all of them. Any two differ in at least two of the six, modulo 2 as well, so that they fall on
 * different slots, unless half of everything matches. (Sums of four with all signs would be one vector modulo 2, for an A of multiples of q/2.)
 *
 * <p>An honest block matches by chance with probability below 2^-100 (the rows and the tag of a wrong keyword). Whoever sends blocks
 * that match a given trapdoor once in all is refused {@value #PROBES} times before, in the mean.
 *
 * <p>The summands are secret, drawn anew after {@value #BLOCKS} blocks, and for each block multiplied by random powers of x, so that a block that
 * passed once does not pass again for that. Which blocks are refused tells a sender something of them, and nothing of any trapdoor. Coordinates are
 * rounded normal values, which is near enough to a discrete Gaussian of width sigma in the thousands; coins are of AES-256 under a fresh seed.
 *
 * <p>Safe for use by several threads.
 */
final class ProbeVectors {
    static final String REFUSAL = "must not match random vectors: the block would match trapdoors of any keyword";
    /** Vectors that each block is tested against. */
    static final int PROBES = 16;
    /** Blocks after which the vectors are thrown away. */
    static final int BLOCKS = 1024;

    private static final int SUMMANDS = 6;
    private static final int TERMS = 3;
    /** Which summands each vector has, a bit each: all choices of three but four, so that each summand is in eight. */
    private static final int[] CHOICES = IntStream.range(0, 1 << SUMMANDS)
            .filter(choice -> Integer.bitCount(choice) == TERMS)
            .filter(choice -> choice != 0b000111 && choice != 0b111000 && choice != 0b010101 && choice != 0b101010)
            .toArray();

    private static final Map<NtruParameters, ProbeVectors> OF_PARAMETERS = new ConcurrentHashMap<>();

    private final NtruParameters parameters;
    private final TestKernel kernel;
    private final SecureRandom random;
    private volatile Generation generation;

    @SuppressWarnings("ArrayRecordComponent")
    private record Generation(int[][] summands, int[][] windows, AtomicInteger uses) {}

    ProbeVectors(NtruParameters parameters, SecureRandom random) {
        this.parameters = parameters;
        this.kernel = new TestKernel(parameters);
        this.random = random;
        this.generation = draw();
    }

    /** The vectors that all blocks of a parameter set are tested against in this process. */
    static ProbeVectors of(NtruParameters parameters) {
        return OF_PARAMETERS.computeIfAbsent(parameters, p -> new ProbeVectors(p, new SecureRandom()));
    }

    /** Whether the block, of these parameters, matches one of the vectors. */
    boolean match(StoredBlock block) {
        return match(block, new SecretChoices());
    }

    /** @param choices not known to the sender */
    boolean match(StoredBlock block, RandomGenerator choices) {
        Generation current = current();
        int[] powers = new int[SUMMANDS];
        for (int i = 0; i < SUMMANDS; i++) {
            powers[i] = choices.nextInt(2 * parameters.n());
        }
        int left = survivors(block.hot(), current.windows(), powers);
        for (int probe = 0; probe < PROBES; probe++) {
            if ((left >> probe & 1) != 0
                    && !new PreparedVector(parameters, vector(current.summands(), powers, CHOICES[probe]))
                            .decodeSurvivors(block)
                            .isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** The vectors to which the hot rows leave a slot: a bit each. */
    private int survivors(byte[] hot, int[][] windows, int[] powers) {
        int slots = HotBlock.slots(hot, 0);
        int words = HotBlock.words(slots);
        long[] alive = new long[PROBES * words];
        for (int i = 0; i < alive.length; i++) {
            alive[i] = TestKernel.alive(slots, i % words);
        }
        int[] phases = new int[SUMMANDS];
        int left = (1 << PROBES) - 1;
        for (int row = 0; row < parameters.hotRows() && left != 0; row++) {
            int needed = needed(left);
            for (int i = 0; i < SUMMANDS; i += 2) {
                if ((needed >> i & 3) == 0) {
                    continue;
                }
                long two = kernel.coefficients(
                        hot, windows[i], coefficient(row, powers[i]), windows[i + 1], coefficient(row, powers[i + 1]));
                phases[i] = rotated((int) two, row, powers[i]);
                phases[i + 1] = rotated((int) (two >>> 32), row, powers[i + 1]);
            }
            for (int probe = 0; probe < PROBES; probe++) {
                if ((left >> probe & 1) != 0
                        && !kernel.narrow(alive, probe * words, words, hot, row, sum(phases, CHOICES[probe]))) {
                    left &= ~(1 << probe);
                }
            }
        }
        return left;
    }

    /** The summands of these vectors: when few are left, not all rows are computed. */
    private static int needed(int vectors) {
        int needed = 0;
        for (int rest = vectors; rest != 0; rest &= rest - 1) {
            needed |= CHOICES[Integer.numberOfTrailingZeros(rest)];
        }
        return needed;
    }

    /** Which coefficient of A·b is, but for its sign, the kept one of this row of A·x^power·b. */
    private int coefficient(int row, int power) {
        return Math.floorMod(parameters.stride() * row - power, parameters.n());
    }

    /** With its sign: x^N = -1. */
    private int rotated(int phase, int row, int power) {
        return (Math.floorDiv(parameters.stride() * row - power, parameters.n()) & 1) == 0 ? phase : -phase;
    }

    private static int sum(int[] values, int choice) {
        int sum = 0;
        for (int rest = choice; rest != 0; rest &= rest - 1) {
            sum += values[Integer.numberOfTrailingZeros(rest)];
        }
        return sum;
    }

    private static int[] vector(int[][] summands, int[] powers, int choice) {
        int n = summands[0].length;
        int[] t = new int[n];
        for (int rest = choice; rest != 0; rest &= rest - 1) {
            int summand = Integer.numberOfTrailingZeros(rest);
            for (int i = 0; i < n; i++) {
                int to = i + powers[summand];
                t[to % n] += (to / n & 1) == 0 ? summands[summand][i] : -summands[summand][i];
            }
        }
        return t;
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
        int[][] summands = new int[SUMMANDS][parameters.n()];
        int[][] windows = new int[SUMMANDS][];
        double width = parameters.sigma() / Math.sqrt(TERMS);
        try (CoinStream coins = CoinStream.fresh(random)) {
            RandomGenerator normal = coins::nextLong;
            for (int summand = 0; summand < SUMMANDS; summand++) {
                for (int i = 0; i < parameters.n(); i++) {
                    summands[summand][i] = (int) Math.rint(normal.nextGaussian() * width);
                }
                windows[summand] = TestKernel.window(summands[summand]);
            }
        }
        return new Generation(summands, windows, new AtomicInteger());
    }
}
