package dev.veilgate.peks.pairing.bdop04;

import dev.veilgate.peks.IndexScheme;
import dev.veilgate.peks.IndexSchemeContractTest;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.random.TestSeed;

/** Runs the contract of all schemes against BCO. */
class Bdop04IndexSchemeContractTest extends IndexSchemeContractTest {
    private static final Bdop04 SCHEME = new Bdop04(new ReplayableRandom(
            TestSeed.of(Bdop04IndexSchemeContractTest.class).coins("keys")));
    private static final KeyPair[] KEYS = {SCHEME.keyGen(), SCHEME.keyGen()};

    @Override
    protected IndexScheme scheme() {
        return new Bdop04IndexScheme();
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
}
