package dev.veilgate.abe.fabeo22;

import dev.veilgate.abe.kem.CpaKemLawsTest;
import dev.veilgate.abe.kem.SchemeUnderTest;
import dev.veilgate.abe.policy.AttributeSet;

/** {@link Fabeo22Kp} under the suite. */
class Fabeo22KpLawsTest extends CpaKemLawsTest<PublicKey, KpSecretKey, AttributeSet, KpCiphertext> {
    private static final KpUnderTest SCHEME = new KpUnderTest();

    @Override
    protected SchemeUnderTest<PublicKey, KpSecretKey, AttributeSet, KpCiphertext> scheme() {
        return SCHEME;
    }
}
