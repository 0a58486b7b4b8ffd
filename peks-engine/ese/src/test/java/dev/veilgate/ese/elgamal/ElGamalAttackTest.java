package dev.veilgate.ese.elgamal;

import static dev.veilgate.ese.EseUnderTest.DOMAIN;
import static dev.veilgate.ese.EseUnderTest.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.ese.Ciphertext;
import dev.veilgate.ese.EseUnderTest;
import dev.veilgate.ese.PlainEwh;
import dev.veilgate.ese.RefusedCiphertextException;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.Zr;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.random.TestSeed;
import java.math.BigInteger;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Forged points and numbers, and what ElGamal's algebra lets everybody do. */
class ElGamalAttackTest {
    private static final TestSeed SEED = TestSeed.of(ElGamalAttackTest.class);
    private static final EseUnderTest<PublicKey, SecretKey> INSTANCE =
            ElGamalUnderTest.of(new ReplayableRandom(SEED.coins("keys")));

    private static void refused(byte[] point, String why) {
        byte[] ciphertext = INSTANCE.encrypt("error").encode();
        System.arraycopy(point, 0, ciphertext, 2, G1.BYTES);
        assertThatThrownBy(() -> INSTANCE.ese().decode(ciphertext))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessage("ciphertext.c: " + why);
        byte[] key = INSTANCE.keys().publicKey().encode();
        System.arraycopy(point, 0, key, 1, G1.BYTES);
        assertThatThrownBy(() -> PublicKey.decode(key))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessage("public-key.y: " + why);
        assertThatThrownBy(() -> new ElGamalKem().decapsulate(INSTANCE.keys().secretKey(), point))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatIsNoElementOfG1IsRefused() {
        refused(G1.IDENTITY.encode(), "not the identity");
        int offCurve = 0;
        int offGroup = 0;
        for (int x = 1; x < 20; x++) {
            byte[] point = new byte[G1.BYTES];
            point[0] = (byte) 0x80;
            point[G1.BYTES - 1] = (byte) x;
            String why = "";
            try {
                G1.decode("a", point);
            } catch (MalformedEncodingException e) {
                why = e.getMessage().substring(3);
            }
            offCurve += why.contains("point of the curve") ? 1 : 0;
            offGroup += why.contains("group of prime order") ? 1 : 0;
            refused(point, why);
        }
        assertThat(offCurve).isPositive();
        assertThat(offGroup).isPositive();
        byte[] aboveP = new byte[G1.BYTES];
        Arrays.fill(aboveP, (byte) 0xff);
        aboveP[0] = (byte) 0x9f;
        refused(aboveP, "a point of the curve, with canonical coordinates");
        byte[] uncompressed = G1.GENERATOR.encode();
        uncompressed[0] &= 0x7f;
        refused(uncompressed, "a compressed point of 48 bytes");
    }

    @Test
    void numbersThatAreNotCanonicalAreRefused() {
        for (BigInteger y : new BigInteger[] {
            BigInteger.ZERO,
            Zr.ORDER,
            Zr.ORDER.add(BigInteger.ONE),
            BigInteger.TWO.pow(256).subtract(BigInteger.ONE)
        }) {
            byte[] key = new byte[1 + Zr.BYTES];
            byte[] digits = y.toByteArray();
            int length = Math.min(digits.length, Zr.BYTES);
            System.arraycopy(digits, digits.length - length, key, key.length - length, length);
            key[0] = 1;
            assertThatThrownBy(() -> SecretKey.decode(key))
                    .isInstanceOf(MalformedEncodingException.class)
                    .hasMessageStartingWith("secret-key.y");
        }
    }

    /** Of c and another message's mask: keys of c + c', -c, c + g1 are other keys, and the check refuses whatever comes of them. */
    @Test
    void pointsThatAreMadeOfHonestOnesAreRefused() throws MalformedEncodingException {
        byte[] sent = INSTANCE.encrypt("error 1").encode();
        G1 c = G1.decode("c", Arrays.copyOfRange(sent, 2, 2 + G1.BYTES));
        G1 other = G1.decode("c", Arrays.copyOfRange(INSTANCE.encrypt("error 2").encode(), 2, 2 + G1.BYTES));
        for (G1 forged : new G1[] {c.negate(), c.plus(other), c.plus(G1.GENERATOR), c.times(Zr.of(2))}) {
            byte[] changed = sent.clone();
            System.arraycopy(forged.encode(), 0, changed, 2, G1.BYTES);
            Ciphertext taken = INSTANCE.ese().decode(changed);
            assertThatThrownBy(() -> INSTANCE.decrypt(DOMAIN, taken)).isInstanceOf(RefusedCiphertextException.class);
        }
    }

    /** The specification, line by line. */
    @Test
    void ciphertextIsThatOfTheSpecification() {
        byte[] message = message("level:error");
        byte[] key = INSTANCE.keys().publicKey().encode();
        byte[] seed = PlainEwh.coins("ese-elgamal/BLS12-381-G1", key, DOMAIN, message);
        byte[] wide = PlainEwh.masked(new byte[48], seed); // the first coins
        Zr k = Zr.of(new BigInteger(1, wide));
        byte[] c = G1.GENERATOR.times(k).encode();
        byte[] shared = INSTANCE.keys().publicKey().y().times(k).encode();
        byte[] masked = PlainEwh.masked(message, PlainEwh.hash("veilgate/ese/elgamal/key/1", c, shared));
        Ciphertext sent = INSTANCE.encrypt(DOMAIN, message);
        assertThat(sent.encode()).isEqualTo(PlainEwh.ciphertext(1, c, masked));
        assertThat(sent.tag().encode()).isEqualTo(PlainEwh.hash("veilgate/ese/tag/1", sent.encode()));
    }
}
