package dev.veilgate.math.lattice;

import dev.veilgate.math.ring.NegacyclicNtt;
import dev.veilgate.random.CoinStream;
import dev.veilgate.random.TestSeed;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Secret bases that several tests look at, each generated once from the tests' seed. */
final class SampleBases {
    private static final TestSeed SEED = TestSeed.of(SampleBases.class);
    private static final Map<String, NtruBasis> BASES = new ConcurrentHashMap<>();

    private SampleBases() {}

    /** The basis of a ring; not to be destroyed. */
    static NtruBasis of(NegacyclicNtt ntt) {
        return BASES.computeIfAbsent(ntt.n() + " " + ntt.modulus().q(), use -> {
            try (CoinStream coins = SEED.coins(use)) {
                return new NtruBasisGenerator(ntt).generate(coins);
            }
        });
    }

    /** One that may be destroyed. */
    static NtruBasis copy(NtruBasis basis) {
        return new NtruBasis(
                basis.f().clone(),
                basis.g().clone(),
                basis.capitalF().clone(),
                basis.capitalG().clone());
    }
}
