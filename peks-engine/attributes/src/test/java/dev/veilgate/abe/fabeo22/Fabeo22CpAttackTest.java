package dev.veilgate.abe.fabeo22;

import dev.veilgate.abe.kem.CpaKemAttackTest;
import dev.veilgate.abe.kem.SchemeUnderTest;
import dev.veilgate.abe.policy.Policy;

/** {@link Fabeo22Cp} under the suite. */
class Fabeo22CpAttackTest extends CpaKemAttackTest<PublicKey, CpSecretKey, Policy, CpCiphertext> {
    private static final CpUnderTest SCHEME = new CpUnderTest();

    @Override
    protected SchemeUnderTest<PublicKey, CpSecretKey, Policy, CpCiphertext> scheme() {
        return SCHEME;
    }
}
