package dev.veilgate.ese.ntru;

import static dev.veilgate.ese.EseUnderTest.DOMAIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.ese.Ciphertext;
import dev.veilgate.ese.EseUnderTest;
import dev.veilgate.ese.RefusedCiphertextException;
import dev.veilgate.math.ring.CoefficientPacking;
import dev.veilgate.math.ring.NegacyclicNtt;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.random.TestSeed;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Forged polynomials, and what NTRU's algebra lets everybody do. */
class NtruAttackTest {
    private static final TestSeed SEED = TestSeed.of(NtruAttackTest.class);
    private static final ParameterSet SET = ParameterSet.N1024_Q12289;
    private static final NtruKem KEM = new NtruKem(SET);
    private static final int WIDTH = SET.ring().modulus().bits();
    private static final EseUnderTest<PublicKey, SecretKey> INSTANCE =
            NtruUnderTest.of(new ReplayableRandom(SEED.coins("keys")));

    private static int[] polynomial(byte[] encoded, int at) throws MalformedEncodingException {
        int[] out = new int[SET.n()];
        CoefficientPacking.unpack(encoded, at, WIDTH, out, SET.q(), "test");
        return out;
    }

    private static byte[] with(byte[] encoded, int at, int[] polynomial) {
        byte[] out = encoded.clone();
        CoefficientPacking.pack(polynomial, WIDTH, out, at);
        return out;
    }

    @Test
    void coefficientsOfQAndMoreAreRefused() throws MalformedEncodingException {
        byte[] ciphertext = INSTANCE.encrypt("error").encode();
        byte[] key = INSTANCE.keys().publicKey().encode();
        for (int value : new int[] {SET.q(), SET.q() + 1, (1 << WIDTH) - 1}) {
            for (int at : new int[] {0, 1, SET.n() / 2, SET.n() - 1}) {
                int[] c = polynomial(ciphertext, 2);
                c[at] = value;
                assertThatThrownBy(() -> INSTANCE.ese().decode(with(ciphertext, 2, c)))
                        .isInstanceOf(MalformedEncodingException.class)
                        .hasMessageStartingWith("ciphertext.c");
                int[] h = polynomial(key, 2);
                h[at] = value;
                assertThatThrownBy(() -> PublicKey.decode(with(key, 2, h)))
                        .isInstanceOf(MalformedEncodingException.class)
                        .hasMessageStartingWith("public-key.h");
            }
        }
        byte[] tooShort = new byte[KEM.encapsulationBytes() - 1];
        assertThatThrownBy(() -> KEM.check(tooShort)).isInstanceOf(MalformedEncodingException.class);
    }

    /** Under h = 0, c would be m in clear; where h has no inverse, parts of m would show. */
    @Test
    void publicKeysWithoutAnInverseAreRefused() throws MalformedEncodingException {
        NegacyclicNtt ring = SET.ring();
        byte[] key = INSTANCE.keys().publicKey().encode();
        int[] h = polynomial(key, 2);
        ring.forwardInPlace(h);
        h[17] = 0;
        ring.inverseInPlace(h);
        for (int[] forged : new int[][] {new int[SET.n()], h}) {
            assertThatThrownBy(() -> PublicKey.decode(with(key, 2, forged)))
                    .isInstanceOf(MalformedEncodingException.class)
                    .hasMessage("public-key.h: must be invertible");
        }
    }

    @Test
    void secretKeysThatAreNotTernaryOrHaveNoInverseAreRefused() {
        byte[] key = INSTANCE.keys().secretKey().encode();
        for (int at : new int[] {2, 2 + SET.n() / 4, key.length - 1}) {
            byte[] changed = key.clone();
            changed[at] |= 3;
            assertThatThrownBy(() -> SecretKey.decode(changed))
                    .isInstanceOf(MalformedEncodingException.class)
                    .hasMessageEndingWith("coefficients must be below 3");
        }
        byte[] zero = key.clone();
        Arrays.fill(zero, 2 + SET.n() / 4, zero.length, (byte) 0x55); // g = 0
        assertThatThrownBy(() -> SecretKey.decode(zero))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessage("secret-key: f and g must be invertible");
        byte[] otherSet = key.clone();
        otherSet[1] = 3;
        assertThatThrownBy(() -> SecretKey.decode(otherSet))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageStartingWith("secret-key.parameters");
    }

    /**
     * f·(c + 2e) = f·c + 2·e·f has the same m for most short e: an attacker would read from which e change it how large f·c is, and in the end f. The check
     * refuses all of them, whether or not they change m.
     */
    @Test
    void ciphertextsThatDecryptToTheSameBitsAreRefused() throws Exception {
        byte[] sent = INSTANCE.encrypt("error").encode();
        byte[] m = KEM.decrypt(INSTANCE.keys().secretKey(), polynomial(sent, 2));
        int same = 0;
        int other = 0;
        for (int e : new int[] {1, 5, 50, 2000, 3000}) {
            int[] c = polynomial(sent, 2);
            c[3] = (c[3] + 2 * e) % SET.q();
            Ciphertext taken = INSTANCE.ese().decode(with(sent, 2, c));
            boolean unchanged = Arrays.equals(KEM.decrypt(INSTANCE.keys().secretKey(), c), m);
            same += unchanged ? 1 : 0;
            other += unchanged ? 0 : 1;
            assertThatThrownBy(() -> INSTANCE.decrypt(DOMAIN, taken)).isInstanceOf(RefusedCiphertextException.class);
        }
        assertThat(same).isPositive();
        assertThat(other).isPositive();
    }
}
