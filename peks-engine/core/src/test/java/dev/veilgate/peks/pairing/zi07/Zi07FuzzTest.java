package dev.veilgate.peks.pairing.zi07;

import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.peks.pairing.PairingCodecFuzzTest;
import dev.veilgate.peks.pairing.PairingSchemeUnderTest;
import dev.veilgate.random.TestSeed;

class Zi07FuzzTest extends PairingCodecFuzzTest {
    @Override
    protected PairingSchemeUnderTest scheme() {
        return Zi07UnderTest.of(
                new ReplayableRandom(TestSeed.of(Zi07FuzzTest.class).coins("keys")));
    }
}
