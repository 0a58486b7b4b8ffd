package dev.veilgate.abe.fabeo22;

import dev.veilgate.abe.kem.OutsourcedKemAttackTest;
import dev.veilgate.abe.kem.SchemeUnderTest;
import dev.veilgate.abe.policy.Policy;

/** {@link Fabeo22Cp} with a server's help, under the suite. */
class Fabeo22CpOutsourcedAttackTest extends OutsourcedKemAttackTest<PublicKey, CpSecretKey, Policy, CpCiphertext> {
    private static final CpUnderTest SCHEME = new CpUnderTest();

    @Override
    protected SchemeUnderTest<PublicKey, CpSecretKey, Policy, CpCiphertext> scheme() {
        return SCHEME;
    }
}
