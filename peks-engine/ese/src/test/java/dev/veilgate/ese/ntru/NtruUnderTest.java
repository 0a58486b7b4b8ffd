package dev.veilgate.ese.ntru;

import dev.veilgate.ese.EseUnderTest;
import java.security.SecureRandom;

/** The instance over NTRU. */
public final class NtruUnderTest {
    private NtruUnderTest() {}

    /** With fresh keys. */
    public static EseUnderTest<PublicKey, SecretKey> of(SecureRandom random) {
        return EseUnderTest.of(new NtruKem(ParameterSet.N1024_Q12289), random, PublicKey::decode, SecretKey::decode);
    }
}
