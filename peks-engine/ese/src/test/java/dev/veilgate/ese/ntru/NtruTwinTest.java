package dev.veilgate.ese.ntru;

import static dev.veilgate.ese.EseUnderTest.DOMAIN;
import static dev.veilgate.ese.EseUnderTest.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.ese.Ciphertext;
import dev.veilgate.ese.EseUnderTest;
import dev.veilgate.ese.PlainEwh;
import dev.veilgate.math.ring.CoefficientPacking;
import dev.veilgate.math.ring.PlainRing;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.random.TestSeed;
import org.junit.jupiter.api.Test;

/** Keys and ciphertexts are what plain arithmetic makes of the specification. */
class NtruTwinTest {
    private static final TestSeed SEED = TestSeed.of(NtruTwinTest.class);
    private static final ParameterSet SET = ParameterSet.N1024_Q12289;
    private static final EseUnderTest<PublicKey, SecretKey> INSTANCE =
            NtruUnderTest.of(new ReplayableRandom(SEED.coins("keys")));

    /** h·f = g. */
    @Test
    void publicKeyIsTheQuotientOfTheSecretOnes() throws MalformedEncodingException {
        byte[] secret = INSTANCE.keys().secretKey().encode();
        int[] f = digits(secret, 2);
        int[] g = digits(secret, 2 + SET.n() / 4);
        for (int i = 0; i < f.length; i++) {
            f[i] = 2 * f[i] + (i == 0 ? 1 : 0);
            g[i] = Math.floorMod(g[i], SET.q());
        }
        assertThat(PlainRing.multiply(h(), f, SET.q())).isEqualTo(g);
    }

    private static int[] digits(byte[] encoded, int at) {
        int[] out = new int[SET.n()];
        for (int i = 0; i < out.length; i++) {
            out[i] = (encoded[at + i / 4] >> 2 * (i % 4) & 3) - 1;
        }
        return out;
    }

    private static int[] h() throws MalformedEncodingException {
        int[] h = new int[SET.n()];
        CoefficientPacking.unpack(INSTANCE.keys().publicKey().encode(), 2, 14, h, SET.q(), "h");
        return h;
    }

    /** The specification, line by line. */
    @Test
    void ciphertextIsThatOfTheSpecification() throws MalformedEncodingException {
        byte[] message = message("level:error");
        byte[] seed = PlainEwh.coins(
                "ese-ntru/N1024_Q12289", INSTANCE.keys().publicKey().encode(), DOMAIN, message);
        byte[] coins = PlainEwh.masked(new byte[1024], seed);
        int used = 0;
        int[] r = new int[SET.n()];
        for (int i = 0; i < r.length; ) { // five digits a byte, bytes from 243 on are passed over
            int x = coins[used++] & 0xff;
            for (int k = 0, rest = x; x < 243 && k < 5 && i < r.length; k++, rest /= 3) {
                r[i++] = rest % 3 - 1;
            }
        }
        int[] c = PlainRing.multiply(h(), r, SET.q());
        byte[] m = new byte[SET.n() / 8];
        System.arraycopy(coins, used, m, 0, m.length);
        byte[] packed = new byte[SET.n() * 14 / 8];
        for (int i = 0; i < c.length; i++) {
            c[i] = (2 * c[i] + (m[i / 8] >> i % 8 & 1)) % SET.q();
            for (int bit = 0; bit < 14; bit++) {
                int at = 14 * i + bit;
                packed[at / 8] |= (byte) ((c[i] >> bit & 1) << at % 8);
            }
        }
        byte[] masked = PlainEwh.masked(message, PlainEwh.hash("veilgate/ese/ntru/key/1", packed, m));
        Ciphertext sent = INSTANCE.encrypt(DOMAIN, message);
        assertThat(sent.encode()).isEqualTo(PlainEwh.ciphertext(2, packed, masked));
        assertThat(sent.tag().encode()).isEqualTo(PlainEwh.hash("veilgate/ese/tag/1", sent.encode()));
    }
}
