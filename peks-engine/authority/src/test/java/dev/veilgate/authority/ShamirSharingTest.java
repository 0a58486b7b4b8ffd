package dev.veilgate.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.random.TestSeed;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The field, the sharing against its definition, and that too few shares say nothing. */
class ShamirSharingTest {
    private static final TestSeed SEED = TestSeed.of(ShamirSharingTest.class);

    /** Gives out the same byte for ever: the one coefficient of a sharing by two. */
    private static class Fixed extends SecureRandom {
        private static final long serialVersionUID = 1L;

        private final byte value;

        Fixed(int value) {
            super(null, null);
            this.value = (byte) value;
        }

        @Override
        public void nextBytes(byte[] out) {
            Arrays.fill(out, value);
        }
    }

    /** By long division of polynomials, bit by bit. */
    private static int plainProduct(int a, int b) {
        int product = 0;
        for (int i = 0; i < 8; i++) {
            if ((b >> i & 1) == 1) {
                product ^= a << i;
            }
        }
        for (int i = 14; i >= 8; i--) {
            if ((product >> i & 1) == 1) {
                product ^= 0x11b << i - 8;
            }
        }
        return product;
    }

    @Test
    void multipliesAsTheDefinitionDoes() {
        for (int a = 0; a < 256; a++) {
            for (int b = 0; b < 256; b++) {
                assertThat(ShamirSharing.multiply(a, b)).isEqualTo(plainProduct(a, b));
            }
        }
        assertThat(ShamirSharing.multiply(0x57, 0x83)).isEqualTo(0xc1); // FIPS 197, section 4.2
    }

    @Test
    void everyElementButZeroHasItsInverse() {
        for (int a = 1; a < 256; a++) {
            assertThat(ShamirSharing.multiply(a, ShamirSharing.inverse(a))).isEqualTo(1);
        }
        assertThat(ShamirSharing.inverse(0)).isZero();
    }

    /** s = 42 and f(x) = 42 + 13 x + 7 x^2, by hand. */
    @Test
    void sharesAreValuesOfThePolynomial() {
        int[] expected = new int[5];
        for (int x = 1; x <= 5; x++) {
            expected[x - 1] = 0x42 ^ plainProduct(0x13, x) ^ plainProduct(0x07, plainProduct(x, x));
        }
        byte[] coins = {0x13, 0x07};
        SecureRandom given = new Fixed(0) {
            private static final long serialVersionUID = 1L;

            private int next;

            @Override
            public void nextBytes(byte[] out) {
                out[0] = coins[next++];
            }
        };
        byte[][] shares = ShamirSharing.split(new byte[] {0x42}, 3, 5, given);
        for (int x = 1; x <= 5; x++) {
            assertThat(shares[x - 1][0] & 0xff).isEqualTo(expected[x - 1]);
        }
    }

    @Test
    void anyChoiceOfEnoughSharesRestores() {
        ReplayableRandom random = new ReplayableRandom(SEED.coins("choices"));
        byte[] secret = new byte[32];
        random.nextBytes(secret);
        for (int n = 2; n <= 7; n++) {
            for (int t = 2; t <= n; t++) {
                byte[][] shares = ShamirSharing.split(secret, t, n, random);
                for (int choice = 0; choice < 1 << n; choice++) {
                    int[] indices = indices(choice);
                    byte[][] values =
                            Arrays.stream(indices).mapToObj(i -> shares[i - 1]).toArray(byte[][]::new);
                    if (indices.length >= t) {
                        assertThat(ShamirSharing.interpolate(indices, values, 0))
                                .isEqualTo(secret);
                    } else if (indices.length > 0) {
                        assertThat(ShamirSharing.interpolate(indices, values, 0))
                                .isNotEqualTo(secret);
                    }
                }
            }
        }
        byte[][] most = ShamirSharing.split(secret, 16, 16, random);
        assertThat(ShamirSharing.interpolate(indices(0xffff), most, 0)).isEqualTo(secret);
    }

    private static int[] indices(int choice) {
        return java.util.stream.IntStream.rangeClosed(1, 16)
                .filter(i -> (choice >> i - 1 & 1) == 1)
                .toArray();
    }

    /** Exhaustive for one byte and a sharing by two: whatever share is seen, each secret has exactly one coin that gives it. */
    @Test
    void oneShareOfTwoFitsEverySecretEquallyOften() {
        for (int index = 1; index <= 3; index++) {
            int[][] seen = new int[256][256];
            for (int secret = 0; secret < 256; secret++) {
                for (int coin = 0; coin < 256; coin++) {
                    byte[][] shares = ShamirSharing.split(new byte[] {(byte) secret}, 2, 3, new Fixed(coin));
                    seen[shares[index - 1][0] & 0xff][secret]++;
                }
            }
            for (int[] bySecret : seen) {
                assertThat(bySecret).containsOnly(1);
            }
        }
    }

    /** The same for two shares of three: every third share's value leads to a secret of its own. */
    @Test
    void twoSharesOfThreeFitEverySecret() {
        ReplayableRandom random = new ReplayableRandom(SEED.coins("three"));
        for (int round = 0; round < 50; round++) {
            byte[][] shares = ShamirSharing.split(new byte[] {(byte) round}, 3, 5, random);
            boolean[] possible = new boolean[256];
            for (int third = 0; third < 256; third++) {
                byte[][] values = {shares[0], shares[3], {(byte) third}};
                possible[ShamirSharing.interpolate(new int[] {1, 4, 5}, values, 0)[0] & 0xff] = true;
            }
            assertThat(possible).containsOnly(true);
        }
    }

    /** The saboteur: coefficients that are not drawn leave the secret in every share. */
    @Test
    void theCheckFindsASharingWithoutCoins() {
        byte[] secret = HexFormat.of().parseHex("00112233");
        assertThat(ShamirSharing.split(secret, 2, 3, new Fixed(0))[0]).isEqualTo(secret);
        assertThat(ShamirSharing.split(secret, 2, 3, new SecureRandom())[0]).isNotEqualTo(secret);
    }

    @Test
    void oneOfManyIsNoSharing() {
        SecureRandom random = new SecureRandom();
        for (int[] bad : new int[][] {{1, 3}, {0, 3}, {4, 3}, {2, 17}, {17, 17}}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ShamirSharing.split(new byte[32], bad[0], bad[1], random));
        }
    }
}
