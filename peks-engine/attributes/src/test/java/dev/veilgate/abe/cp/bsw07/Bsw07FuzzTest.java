package dev.veilgate.abe.cp.bsw07;

import dev.veilgate.abe.kem.CpaKemFuzzTest;
import dev.veilgate.abe.kem.SchemeUnderTest;
import dev.veilgate.abe.policy.Policy;

/** {@link Bsw07} under the suite. */
class Bsw07FuzzTest extends CpaKemFuzzTest<PublicKey, SecretKey, Policy, Ciphertext> {
    private static final Bsw07UnderTest SCHEME = new Bsw07UnderTest();

    @Override
    protected SchemeUnderTest<PublicKey, SecretKey, Policy, Ciphertext> scheme() {
        return SCHEME;
    }
}
