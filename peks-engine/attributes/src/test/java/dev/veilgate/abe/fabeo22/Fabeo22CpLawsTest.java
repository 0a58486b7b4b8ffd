package dev.veilgate.abe.fabeo22;

import dev.veilgate.abe.kem.CpaKemLawsTest;
import dev.veilgate.abe.kem.SchemeUnderTest;
import dev.veilgate.abe.policy.Policy;

/** {@link Fabeo22Cp} under the suite. */
class Fabeo22CpLawsTest extends CpaKemLawsTest<PublicKey, CpSecretKey, Policy, CpCiphertext> {
    private static final CpUnderTest SCHEME = new CpUnderTest();

    @Override
    protected SchemeUnderTest<PublicKey, CpSecretKey, Policy, CpCiphertext> scheme() {
        return SCHEME;
    }
}
