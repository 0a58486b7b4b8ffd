package dev.veilgate.ese.ntru;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.math.ring.PlainRing;
import dev.veilgate.math.ring.RingSampling;
import dev.veilgate.peks.lattice.ntru.PrimalUsvp;
import dev.veilgate.random.CoinStream;
import dev.veilgate.random.TestSeed;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Decryption cannot fail: the worst case of all keys and coins, both signs, against q/2; and the estimate of the attacks. */
class NtruBoundsTest {
    private static final TestSeed SEED = TestSeed.of(NtruBoundsTest.class);
    private static final ParameterSet SET = ParameterSet.N1024_Q12289;
    private static final NtruKem KEM = new NtruKem(SET);

    private static int[] all(int value) {
        int[] out = new int[SET.n()];
        Arrays.fill(out, value);
        return out;
    }

    /** m + 2(g·r + F·m), exactly, over the integers. */
    private static BigInteger[] exact(int[] capitalF, int[] g, int[] r, int[] m) {
        BigInteger[] gr = PlainRing.multiplyBig(g, r);
        BigInteger[] fm = PlainRing.multiplyBig(capitalF, m);
        BigInteger[] out = new BigInteger[gr.length];
        for (int i = 0; i < out.length; i++) {
            out[i] = BigInteger.valueOf(m[i]).add(gr[i].add(fm[i]).shiftLeft(1));
        }
        return out;
    }

    private static int largest(BigInteger[] a) {
        return Arrays.stream(a).mapToInt(x -> x.abs().intValueExact()).max().orElseThrow();
    }

    private static void decryptsExactly(SecretKey key, int[] capitalF, int[] g, int[] r, int[] m) {
        assertThat(largest(exact(capitalF, g, r, m))).isLessThanOrEqualTo(SET.decryptionBound());
        byte[] bits = new byte[SET.n() / 8];
        for (int i = 0; i < m.length; i++) {
            bits[i / 8] |= (byte) (m[i] << i % 8);
        }
        int[] c = KEM.encrypt(key.publicKey(), r, bits);
        assertThat(KEM.decrypt(key, c)).isEqualTo(bits);
    }

    /** In coefficient N - 1 of a product nothing is subtracted: the largest sum is reached by polynomials that are all 1. */
    @Test
    void worstCaseIsTheBoundAndBelowHalfOfQ() {
        assertThat(largest(exact(all(1), all(1), all(1), all(1)))).isEqualTo(SET.decryptionBound());
        assertThat(SET.decryptionBound()).isEqualTo(4097);
        assertThat(2 * SET.decryptionBound()).isLessThan(SET.q());
    }

    @Test
    void worstKeysAndCoinsDecrypt() {
        for (int signF : new int[] {1, -1}) {
            for (int signG : new int[] {1, -1}) {
                int[] capitalF = all(signF);
                int[] g = all(signG);
                SecretKey key = SecretKey.of(SET, capitalF.clone(), g.clone()).orElseThrow();
                for (int signR : new int[] {1, -1}) {
                    decryptsExactly(key, capitalF, g, all(signR), all(1));
                    decryptsExactly(key, capitalF, g, all(signR), all(0));
                }
            }
        }
    }

    /** Coins that are the worst for a random key: r turns all terms of one coefficient of g·r to one side, m those of F·m. */
    @Test
    void worstCoinsOfRandomKeysDecrypt() {
        SplittableRandom random = SEED.random("coefficients");
        try (CoinStream coins = SEED.coins("keys")) {
            int n = SET.n();
            for (int round = 0; round < 6; round++) {
                int[] capitalF = new int[n];
                int[] g = new int[n];
                RingSampling.ternary(coins, capitalF);
                RingSampling.ternary(coins, g);
                var key = SecretKey.of(SET, capitalF.clone(), g.clone());
                if (key.isEmpty()) {
                    continue;
                }
                int at = random.nextInt(n);
                int sign = 2 * (round & 1) - 1;
                int[] r = new int[n];
                int[] m = new int[n];
                for (int j = 0; j < n; j++) {
                    int i = Math.floorMod(at - j, n); // x^i·x^j = ±x^at
                    int turn = i + j == at ? sign : -sign;
                    r[j] = turn * g[i];
                    m[j] = turn * capitalF[i] > 0 ? 1 : 0;
                }
                assertThat(largest(exact(capitalF, g, r, m))).isGreaterThan(n);
                decryptsExactly(key.get(), capitalF, g, r, m);
            }
        }
    }

    /** The estimate that the parameter set carries is what the estimator says, and the key is harder to find than a message. */
    @Test
    void estimateIsRecomputed() {
        double log2Q = Math.log(SET.q()) / Math.log(2);
        int beta = PrimalUsvp.blockSize(SET.n(), SET.n(), log2Q, 0.5);
        assertThat(SET.security())
                .isEqualTo(new ParameterSet.SecurityEstimate(
                        beta, (int) PrimalUsvp.classicalBits(beta), (int) PrimalUsvp.quantumBits(beta), "2026-11"));
        assertThat(PrimalUsvp.blockSize(SET.n(), SET.n(), log2Q, Math.sqrt(2.0 / 3)))
                .isEqualTo(712)
                .isGreaterThan(beta);
        assertThat((double) SET.q()).isLessThan(0.004 * Math.pow(SET.n(), 2.484)); // not overstretched
    }
}
