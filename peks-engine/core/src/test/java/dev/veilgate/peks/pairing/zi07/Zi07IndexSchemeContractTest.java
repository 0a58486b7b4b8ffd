package dev.veilgate.peks.pairing.zi07;

import dev.veilgate.peks.IndexScheme;
import dev.veilgate.peks.IndexSchemeContractTest;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.random.TestSeed;

/** Runs the contract of all schemes against keyword search from Gentry's scheme. */
class Zi07IndexSchemeContractTest extends IndexSchemeContractTest {
    private static final Zi07 SCHEME = new Zi07(
            new ReplayableRandom(TestSeed.of(Zi07IndexSchemeContractTest.class).coins("keys")));
    private static final KeyPair[] KEYS = {SCHEME.keyGen(), SCHEME.keyGen()};

    @Override
    protected IndexScheme scheme() {
        return new Zi07IndexScheme();
    }

    @Override
    protected byte[] publicKey(int which) {
        return KEYS[which].publicKey().encode();
    }

    @Override
    protected ScopedTrapdoor trapdoor(int which, KeywordDomain domain, Keyword keyword) {
        return SCHEME.trapdoor(KEYS[which].secretKey(), domain, keyword);
    }

    @Override
    protected boolean hasPostingLists() {
        return true;
    }

    @Override
    protected int step() {
        return 10;
    }

    @Override
    protected int manyKeywords() {
        return 40;
    }
}
