package dev.veilgate.abe.kem;

import dev.veilgate.abe.policy.RandomPolicies;
import dev.veilgate.random.CoinStream;
import dev.veilgate.random.TestSeed;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;

/** What suites that run against every scheme begin with: the scheme, and coins of the test's own seed. */
abstract class KemSuite<P, S, D, C> {
    SchemeUnderTest<P, S, D, C> scheme;
    OutsourcedKem<P, S, D, C> kem;
    CoinStream coins;
    RandomPolicies policies;
    SplittableRandom random;

    /** The scheme; it may be the same for all tests. */
    protected abstract SchemeUnderTest<P, S, D, C> scheme();

    @BeforeEach
    void prepare() {
        TestSeed seed = TestSeed.of(getClass());
        scheme = scheme();
        kem = scheme.kem();
        coins = seed.coins("scheme");
        policies = new RandomPolicies(seed.random("policies"));
        random = seed.random("bytes");
    }
}
