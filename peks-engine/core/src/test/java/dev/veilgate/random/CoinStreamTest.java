package dev.veilgate.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/**
 * Coins are the AES-256 keystream that the class promises, its derived seeds are HMAC, and bounded integers are exactly
 * uniform: everything random or deterministic in the engine rests on these bytes.
 */
class CoinStreamTest {
    /** Bytes that the stream makes at a time. A number is never read across the end of such a piece. */
    private static final int PIECE = 4096;

    private static final TestSeed SEED = TestSeed.of(CoinStreamTest.class);

    @Test
    void bytesAreTheCounterKeystream() {
        byte[] seed = seed("keystream");
        byte[] out = new byte[3 * PIECE + 77];
        CoinStream.ofSeed(seed).nextBytes(out);
        assertThat(out).isEqualTo(keystream(seed, out.length));
    }

    @Test
    void firstBlockOfTheZeroSeedIsThePublishedOne() {
        byte[] out = new byte[16];
        CoinStream.ofSeed(new byte[32]).nextBytes(out);
        // AES-256 of the zero block under the zero key
        assertThat(HexFormat.of().formatHex(out)).isEqualTo("dc95c078a2408989ad48a21492842087");
    }

    @Test
    void numbersAreLittleEndianPiecesOfTheKeystream() {
        byte[] seed = seed("numbers");
        ByteBuffer expected = ByteBuffer.wrap(keystream(seed, 64)).order(ByteOrder.LITTLE_ENDIAN);
        CoinStream coins = CoinStream.ofSeed(seed);
        assertThat(coins.nextInt()).isEqualTo(expected.getInt());
        assertThat(coins.nextLong()).isEqualTo(expected.getLong());
        assertThat(coins.nextByte()).isEqualTo(expected.get() & 0xff);
        byte[] five = new byte[5];
        byte[] expectedFive = new byte[5];
        coins.nextBytes(five);
        expected.get(expectedFive);
        assertThat(five).isEqualTo(expectedFive);
        assertThat(coins.nextLong()).isEqualTo(expected.getLong());
    }

    /** Bytes that a number does not fit into any more are left out, so that the bytes drawn depend on how they are read. */
    @Test
    void numberThatWouldCrossAPieceStartsWithTheNext() {
        byte[] seed = seed("pieces");
        ByteBuffer stream = ByteBuffer.wrap(keystream(seed, 3 * PIECE)).order(ByteOrder.LITTLE_ENDIAN);
        for (int left = 0; left <= 9; left++) {
            byte[] skipped = new byte[PIECE - left];
            CoinStream ints = CoinStream.ofSeed(seed);
            ints.nextBytes(skipped);
            assertThat(ints.nextInt()).isEqualTo(stream.getInt(left >= 4 ? PIECE - left : PIECE));
            CoinStream longs = CoinStream.ofSeed(seed);
            longs.nextBytes(skipped);
            assertThat(longs.nextLong()).isEqualTo(stream.getLong(left >= 8 ? PIECE - left : PIECE));
            CoinStream bytes = CoinStream.ofSeed(seed);
            bytes.nextBytes(skipped);
            byte[] across = new byte[PIECE + 20];
            bytes.nextBytes(across);
            assertThat(across)
                    .isEqualTo(Arrays.copyOfRange(stream.array(), PIECE - left, PIECE - left + across.length));
        }
    }

    @Test
    void mixedReadsFollowAPlainTwin() {
        byte[] seed = seed("mixed");
        byte[] stream = keystream(seed, 64 * PIECE);
        ByteBuffer numbers = ByteBuffer.wrap(stream).order(ByteOrder.LITTLE_ENDIAN);
        CoinStream coins = CoinStream.ofSeed(seed);
        var random = SEED.random("mixed reads");
        int at = 0;
        while (at < 60 * PIECE) {
            switch (random.nextInt(4)) {
                case 0 -> {
                    assertThat(coins.nextByte()).isEqualTo(stream[at] & 0xff);
                    at++;
                }
                case 1 -> {
                    at = roomFor(4, at);
                    assertThat(coins.nextInt()).isEqualTo(numbers.getInt(at));
                    at += 4;
                }
                case 2 -> {
                    at = roomFor(8, at);
                    assertThat(coins.nextLong()).isEqualTo(numbers.getLong(at));
                    at += 8;
                }
                default -> {
                    byte[] out = new byte[random.nextInt(40)];
                    coins.nextBytes(out);
                    assertThat(out).isEqualTo(Arrays.copyOfRange(stream, at, at + out.length));
                    at += out.length;
                }
            }
        }
    }

    private static int roomFor(int bytes, int at) {
        int left = PIECE - at % PIECE;
        return left < bytes ? at + left : at;
    }

    @Test
    void derivedSeedIsHmacOfDomainLengthDomainAndInput() throws GeneralSecurityException {
        byte[] key = seed("derived");
        for (String domain : List.of("", "veilgate/test/1", "x".repeat(255))) {
            for (byte[] input : new byte[][] {{}, {1, 2, 3}, new byte[500]}) {
                Mac mac = Mac.getInstance("HmacSHA256");
                mac.init(new SecretKeySpec(key, "HmacSHA256"));
                mac.update((byte) domain.length());
                mac.update(domain.getBytes(StandardCharsets.US_ASCII));
                assertThat(first(CoinStream.derived(key, domain, input))).isEqualTo(keystream(mac.doFinal(input), 64));
            }
        }
    }

    @Test
    void derivedCoinsDependOnEachArgumentAndOnWhereTheDomainEnds() {
        byte[] key = seed("independence");
        byte[] otherKey = key.clone();
        otherKey[31] ^= 1;
        byte[] bc = {'b', 'c'};
        List<byte[]> streams = List.of(
                first(CoinStream.derived(key, "a", bc)),
                first(CoinStream.derived(otherKey, "a", bc)),
                first(CoinStream.derived(key, "A", bc)),
                first(CoinStream.derived(key, "a", new byte[] {'b', 'd'})),
                first(CoinStream.derived(key, "a", new byte[] {'b', 'c', 0})),
                first(CoinStream.derived(key, "ab", new byte[] {'c'})),
                first(CoinStream.derived(key, "", new byte[] {'a', 'b', 'c'})));
        for (int i = 0; i < streams.size(); i++) {
            for (int j = 0; j < i; j++) {
                assertThat(differingBits(streams.get(i), streams.get(j)))
                        .as("streams %d and %d", i, j)
                        .isBetween(256 - 70, 256 + 70); // six deviations of 512 fair coins
            }
        }
        assertThat(first(CoinStream.derived(key, "a", bc))).isEqualTo(streams.getFirst());
    }

    @Test
    void refusesLongDomainsAndWrongSeeds() {
        byte[] key = seed("arguments");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        CoinStream.derived(key, "x".repeat(256), new byte[0]).close());
        for (int length : new int[] {0, 16, 31, 33}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> CoinStream.ofSeed(new byte[length]).close());
        }
    }

    @Test
    void freshCoinsAreSeededWith32BytesOfTheInjectedSource() {
        byte[] seed = seed("fresh");
        OneSeed random = new OneSeed(seed);
        assertThat(first(CoinStream.fresh(random))).isEqualTo(keystream(seed, 64));
        assertThat(random.drawn).isEqualTo(CoinStream.SEED_BYTES);
        assertThat(random.filled).as("the copy of the seed is wiped").containsOnly(0);
    }

    @Test
    void theCallerMayWipeTheSeed() {
        byte[] seed = seed("wiped");
        byte[] expected = keystream(seed, 2 * PIECE);
        CoinStream coins = CoinStream.ofSeed(seed);
        Arrays.fill(seed, (byte) 0);
        byte[] out = new byte[2 * PIECE];
        coins.nextBytes(out);
        assertThat(out).isEqualTo(expected);
    }

    @Test
    void closedStreamGivesNothing() {
        CoinStream coins = CoinStream.ofSeed(seed("closed"));
        coins.nextLong();
        coins.close();
        coins.close();
        assertThatIllegalStateException().isThrownBy(coins::nextByte);
        assertThatIllegalStateException().isThrownBy(coins::nextInt);
        assertThatIllegalStateException().isThrownBy(coins::nextLong);
        assertThatIllegalStateException().isThrownBy(() -> coins.nextInt(5));
        assertThatIllegalStateException().isThrownBy(() -> coins.nextBytes(new byte[1]));
    }

    @Test
    void boundedIntegersAreTheHighHalfOfAProduct() {
        byte[] seed = seed("bounded");
        int rejected = 0;
        for (int bound : new int[] {1, 2, 3, 243, 12_289, 1 << 30, 3 << 29, (1 << 30) + 1, Integer.MAX_VALUE}) {
            CoinStream words = CoinStream.ofSeed(seed);
            CoinStream coins = CoinStream.ofSeed(seed);
            long uneven = (1L << 32) % bound; // so many words have to go, for the rest to be a multiple of the bound
            for (int i = 0; i < 500; i++) {
                BigInteger product = product(words, bound);
                while (product.mod(BigInteger.ONE.shiftLeft(32)).longValueExact() < uneven) {
                    product = product(words, bound);
                    rejected++;
                }
                assertThat(coins.nextInt(bound))
                        .isEqualTo(product.shiftRight(32).intValueExact())
                        .isBetween(0, bound - 1);
            }
        }
        assertThat(rejected).isGreaterThan(100);
    }

    private static BigInteger product(CoinStream words, int bound) {
        return BigInteger.valueOf(Integer.toUnsignedLong(words.nextInt())).multiply(BigInteger.valueOf(bound));
    }

    @Test
    void refusesBoundsThatAreNotPositive() {
        CoinStream coins = CoinStream.ofSeed(seed("bounds"));
        for (int bound : new int[] {0, -1, Integer.MIN_VALUE}) {
            assertThatIllegalArgumentException().isThrownBy(() -> coins.nextInt(bound));
        }
    }

    @Test
    void boundedIntegersAreUniform() {
        CoinStream coins = SEED.coins("uniform");
        for (int bound : new int[] {2, 3, 7, 10, 100, 243, 12_289, 1 << 30, 3 << 29, Integer.MAX_VALUE}) {
            assertThat(nonUniformity(coins::nextInt, bound))
                    .as("bound %d", bound)
                    .isEmpty();
        }
    }

    /** With a bound as large as 3·2^29, what is done without rejection shows at once. */
    @Test
    void samplersWithoutRejectionAreFoundOut() {
        CoinStream coins = SEED.coins("saboteurs");
        int bound = 3 << 29;
        IntUnaryOperator modulo = b -> (coins.nextInt() >>> 1) % b;
        IntUnaryOperator product = b -> (int) ((coins.nextInt() & 0xffff_ffffL) * b >>> 32);
        IntUnaryOperator constant = b -> 0;
        int[] turn = {0};
        IntUnaryOperator tooEven = b -> turn[0] = (int) ((turn[0] + 0x9e37_79b9L) % b);
        assertThat(nonUniformity(modulo, bound)).isNotEmpty();
        assertThat(nonUniformity(product, bound)).isNotEmpty();
        assertThat(nonUniformity(constant, bound)).isNotEmpty();
        assertThat(nonUniformity(tooEven, bound)).isNotEmpty();
    }

    /** What a sampler of [0, bound) gets wrong: its high digits, and its residues modulo 3 and 16. */
    private static List<String> nonUniformity(IntUnaryOperator sampler, int bound) {
        int samples = 200_000;
        int ranges = Math.min(bound, 60);
        IntBinaryOperator start = (i, of) -> (int) (((long) i * bound + of - 1) / of);
        long[] high = new long[ranges];
        long[] mod3 = new long[Math.min(bound, 3)];
        long[] mod16 = new long[Math.min(bound, 16)];
        for (int i = 0; i < samples; i++) {
            int x = sampler.applyAsInt(bound);
            high[(int) ((long) x * ranges / bound)]++;
            mod3[x % mod3.length]++;
            mod16[x % mod16.length]++;
        }
        TwoSided check = new TwoSided();
        double[] probability = new double[ranges];
        for (int i = 0; i < ranges; i++) {
            probability[i] = (start.applyAsInt(i + 1, ranges) - start.applyAsInt(i, ranges)) / (double) bound;
        }
        check.counts("high digits", high, probability);
        check.counts("modulo 3", mod3, residues(bound, mod3.length));
        check.counts("modulo 16", mod16, residues(bound, mod16.length));
        return check.outliers();
    }

    private static double[] residues(int bound, int m) {
        double[] probability = new double[m];
        for (int i = 0; i < m; i++) {
            probability[i] = (bound / m + (i < bound % m ? 1 : 0)) / (double) bound;
        }
        return probability;
    }

    private static byte[] first(CoinStream coins) {
        try (coins) {
            byte[] out = new byte[64];
            coins.nextBytes(out);
            return out;
        }
    }

    private static int differingBits(byte[] a, byte[] b) {
        int bits = 0;
        for (int i = 0; i < a.length; i++) {
            bits += Integer.bitCount((a[i] ^ b[i]) & 0xff);
        }
        return bits;
    }

    private static byte[] seed(String use) {
        byte[] seed = new byte[32];
        SEED.random(use).nextBytes(seed);
        return seed;
    }

    /** The plain twin: the block cipher alone, on counters written out. */
    private static byte[] keystream(byte[] seed, int length) {
        try {
            Cipher cipher = Cipher.getInstance("AES/ECB/NoPadding");
            cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(seed, "AES"));
            byte[] counters = new byte[(length + 15) / 16 * 16];
            ByteBuffer blocks = ByteBuffer.wrap(counters);
            for (long i = 0; blocks.hasRemaining(); i++) {
                blocks.putLong(0).putLong(i);
            }
            return Arrays.copyOf(cipher.doFinal(counters), length);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Gives one seed, and remembers the array it was written to. */
    private static final class OneSeed extends SecureRandom {
        private static final long serialVersionUID = 1L;

        private final byte[] seed;
        private byte[] filled = {};
        private int drawn;

        OneSeed(byte[] seed) {
            this.seed = seed;
        }

        @Override
        public void nextBytes(byte[] bytes) {
            System.arraycopy(seed, drawn, bytes, 0, bytes.length);
            drawn += bytes.length;
            filled = bytes;
        }
    }
}
