package dev.veilgate.math.ring;

import dev.veilgate.random.CoinStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/** Random and pseudorandom ring elements. */
public final class RingSampling {
    /** 3^5 = 243 of the 256 values of a byte give five ternary digits; the others are drawn again. */
    private static final int TRITS_PER_BYTE = 5;

    private static final int TERNARY_LIMIT = 243;

    private RingSampling() {}

    /**
     * Uniform ternary coefficients: each -1, 0 or 1 with probability 1/3, exactly. Time depends on the number of rejected
     * coins only, never on the digits.
     */
    public static void ternary(CoinStream coins, int[] out) {
        for (int i = 0; i < out.length; ) {
            int x = coins.nextByte();
            if (x >= TERNARY_LIMIT) {
                continue;
            }
            for (int k = 0; k < TRITS_PER_BYTE && i < out.length; k++) {
                int third = x * 171 >>> 9; // floor(x/3), exact for x <= 255
                out[i++] = x - 3 * third - 1;
                x = third;
            }
        }
    }

    /** Uniform canonical coefficients, by rejection of words of {@link Modulus#bits} bits. */
    public static void uniform(CoinStream coins, Modulus modulus, int[] out) {
        int mask = (1 << modulus.bits()) - 1;
        int q = modulus.q();
        for (int i = 0; i < out.length; ) {
            int x = coins.nextInt() & mask;
            out[i] = x;
            i += x - q >>> 31; // stays when x >= q: no branch to mispredict
        }
    }

    /**
     * Hash to the ring, straight into the transform's domain, where uniform means uniform in R_q too: the coefficients of
     * {@link #uniform} with coins AES-256-CTR under the seed SHA-256(input). A random oracle if SHA-256 is one and AES-256 an
     * ideal cipher.
     *
     * @param input starts with a domain tag and is an injective encoding of what is hashed
     */
    public static void hashToRingHat(byte[] input, Modulus modulus, int[] outHat) {
        byte[] seed;
        try {
            seed = MessageDigest.getInstance("SHA-256").digest(input);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256", e);
        }
        try (CoinStream coins = CoinStream.ofSeed(seed)) {
            uniform(coins, modulus, outHat);
        }
        Arrays.fill(seed, (byte) 0);
    }
}
