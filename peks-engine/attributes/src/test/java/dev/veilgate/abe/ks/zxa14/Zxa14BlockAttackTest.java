package dev.veilgate.abe.ks.zxa14;

import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.peks.pairing.PairingBlockAttackTest;
import dev.veilgate.peks.pairing.PairingSchemeUnderTest;
import dev.veilgate.random.TestSeed;

/** Pieces of blocks, taken apart and put together by who has no token. */
class Zxa14BlockAttackTest extends PairingBlockAttackTest {
    private static final Zxa14UnderTest SCHEME = Zxa14UnderTest.of(
            new ReplayableRandom(TestSeed.of(Zxa14BlockAttackTest.class).coins("keys")));

    @Override
    protected PairingSchemeUnderTest scheme() {
        return SCHEME;
    }
}
