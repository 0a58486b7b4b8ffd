package dev.veilgate.ese.elgamal;

import dev.veilgate.ese.EseUnderTest;
import java.security.SecureRandom;

/** The instance over ElGamal. */
public final class ElGamalUnderTest {
    private ElGamalUnderTest() {}

    /** With fresh keys. */
    public static EseUnderTest<PublicKey, SecretKey> of(SecureRandom random) {
        return EseUnderTest.of(new ElGamalKem(), random, PublicKey::decode, SecretKey::decode);
    }
}
