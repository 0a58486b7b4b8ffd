package dev.veilgate.abe.cp.bsw07;

import dev.veilgate.abe.kem.CpaKemLawsTest;
import dev.veilgate.abe.kem.SchemeUnderTest;
import dev.veilgate.abe.policy.Policy;

/** {@link Bsw07} under the suite. */
class Bsw07LawsTest extends CpaKemLawsTest<PublicKey, SecretKey, Policy, Ciphertext> {
    private static final Bsw07UnderTest SCHEME = new Bsw07UnderTest();

    @Override
    protected SchemeUnderTest<PublicKey, SecretKey, Policy, Ciphertext> scheme() {
        return SCHEME;
    }
}
