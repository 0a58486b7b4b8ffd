package dev.veilgate.abe.cp.bsw07;

import dev.veilgate.abe.kem.OutsourcedKemAttackTest;
import dev.veilgate.abe.kem.SchemeUnderTest;
import dev.veilgate.abe.policy.Policy;

/** {@link Bsw07} with a server's help, under the suite. */
class Bsw07OutsourcedAttackTest extends OutsourcedKemAttackTest<PublicKey, SecretKey, Policy, Ciphertext> {
    private static final Bsw07UnderTest SCHEME = new Bsw07UnderTest();

    @Override
    protected SchemeUnderTest<PublicKey, SecretKey, Policy, Ciphertext> scheme() {
        return SCHEME;
    }
}
