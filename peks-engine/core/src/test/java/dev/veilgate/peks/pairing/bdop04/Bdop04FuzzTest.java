package dev.veilgate.peks.pairing.bdop04;

import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.peks.pairing.PairingCodecFuzzTest;
import dev.veilgate.peks.pairing.PairingSchemeUnderTest;
import dev.veilgate.random.TestSeed;

class Bdop04FuzzTest extends PairingCodecFuzzTest {
    @Override
    protected PairingSchemeUnderTest scheme() {
        return Bdop04UnderTest.of(
                new ReplayableRandom(TestSeed.of(Bdop04FuzzTest.class).coins("keys")));
    }
}
