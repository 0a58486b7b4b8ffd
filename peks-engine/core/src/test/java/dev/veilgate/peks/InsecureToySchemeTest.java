package dev.veilgate.peks;

/** Runs the contract against the toy scheme: where both it and the real scheme pass, the contract is not one scheme's habit. */
class InsecureToySchemeTest extends IndexSchemeContractTest {
    private static final byte[][] KEYS = {keyOf(1), keyOf(2)};

    private static byte[] keyOf(int first) {
        byte[] key = new byte[InsecureToyScheme.KEY_BYTES];
        key[0] = (byte) first;
        return key;
    }

    @Override
    protected IndexScheme scheme() {
        return new InsecureToyScheme();
    }

    @Override
    protected byte[] publicKey(int which) {
        return KEYS[which].clone();
    }

    @Override
    protected ScopedTrapdoor trapdoor(int which, KeywordDomain domain, Keyword keyword) {
        return InsecureToyScheme.trapdoor(KEYS[which], domain, keyword);
    }

    @Override
    protected boolean hasPostingLists() {
        return false;
    }
}
