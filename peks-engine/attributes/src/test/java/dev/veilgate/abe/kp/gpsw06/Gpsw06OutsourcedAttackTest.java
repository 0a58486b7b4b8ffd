package dev.veilgate.abe.kp.gpsw06;

import dev.veilgate.abe.kem.OutsourcedKemAttackTest;
import dev.veilgate.abe.kem.SchemeUnderTest;
import dev.veilgate.abe.policy.AttributeSet;

/** {@link Gpsw06} with a server's help, under the suite. */
class Gpsw06OutsourcedAttackTest extends OutsourcedKemAttackTest<PublicKey, SecretKey, AttributeSet, Ciphertext> {
    private static final Gpsw06UnderTest SCHEME = new Gpsw06UnderTest();

    @Override
    protected SchemeUnderTest<PublicKey, SecretKey, AttributeSet, Ciphertext> scheme() {
        return SCHEME;
    }
}
