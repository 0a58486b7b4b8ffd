package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.peks.IndexScheme;
import dev.veilgate.peks.IndexSchemeContractTest;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.ScopedTrapdoor;
import java.io.IOException;

/** Runs the contract of all schemes against NTRU-PEKS, at the default parameter set. */
class NtruIndexSchemeContractTest extends IndexSchemeContractTest {
    private static final NtruParameters P = NtruParameters.N2048_Q29;
    private static final KeyPair[] KEYS = {
        TestKeys.of(P), new NtruPeks(P, TestKeys.random("contract/second-key")).keyGen()
    };
    private static final InMemoryTrapdoorStore STORE = new InMemoryTrapdoorStore();

    @Override
    protected IndexScheme scheme() {
        return NtruIndexScheme.accepting(NtruParameters.all());
    }

    @Override
    protected byte[] publicKey(int which) {
        return KEYS[which].publicKey().encode();
    }

    @Override
    protected ScopedTrapdoor trapdoor(int which, KeywordDomain domain, Keyword keyword) throws IOException {
        return TestKeys.scheme(P).trapdoor(KEYS[which].secretKey(), domain, keyword, STORE);
    }

    @Override
    protected boolean hasPostingLists() {
        return true;
    }
}
