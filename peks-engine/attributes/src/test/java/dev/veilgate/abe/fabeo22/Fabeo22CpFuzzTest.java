package dev.veilgate.abe.fabeo22;

import dev.veilgate.abe.kem.CpaKemFuzzTest;
import dev.veilgate.abe.kem.SchemeUnderTest;
import dev.veilgate.abe.policy.Policy;

/** {@link Fabeo22Cp} under the suite. */
class Fabeo22CpFuzzTest extends CpaKemFuzzTest<PublicKey, CpSecretKey, Policy, CpCiphertext> {
    private static final CpUnderTest SCHEME = new CpUnderTest();

    @Override
    protected SchemeUnderTest<PublicKey, CpSecretKey, Policy, CpCiphertext> scheme() {
        return SCHEME;
    }
}
