package dev.veilgate.abe.ks.zxa14;

import dev.veilgate.peks.IndexScheme;
import dev.veilgate.peks.IndexSchemeContractTest;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.random.TestSeed;

/** Runs the contract of all schemes against attribute-based keyword search. */
class Zxa14IndexSchemeContractTest extends IndexSchemeContractTest {
    private static final TestSeed SEED = TestSeed.of(Zxa14IndexSchemeContractTest.class);
    private static final Zxa14UnderTest[] SCHEMES = {ofOneLeaf("one"), ofOneLeaf("other")};

    /** The contract asks nothing of policies, and each leaf takes two pairings a slot. */
    private static Zxa14UnderTest ofOneLeaf(String use) {
        return Zxa14UnderTest.of(new ReplayableRandom(SEED.coins(use)), "role:auditor", "role:auditor");
    }

    @Override
    protected IndexScheme scheme() {
        return new Zxa14IndexScheme();
    }

    @Override
    protected byte[] publicKey(int which) {
        return SCHEMES[which].publicKey();
    }

    @Override
    protected ScopedTrapdoor trapdoor(int which, KeywordDomain domain, Keyword keyword) {
        return SCHEMES[which].trapdoor(domain, keyword);
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
