package dev.veilgate.math.ring;

import dev.veilgate.random.CoinStream;

/** Random and pseudorandom ring elements. */
public final class RingSampling {
    /** 3^5 = 243 of the 256 values of a byte give five ternary digits; the others are drawn again. */
    private static final int TRITS_PER_BYTE = 5;

    private static final int TERNARY_LIMIT = 243;
    private static final int CHUNK = 256;

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

    /**
     * Uniform canonical coefficients, by rejection of words of {@link Modulus#bits} bits. Nearly all words are taken, so that most
     * chunks are without a rejection, which one test of the whole chunk tells.
     */
    public static void uniform(CoinStream coins, Modulus modulus, int[] out) {
        int mask = (1 << modulus.bits()) - 1;
        int q = modulus.q();
        for (int from = 0; from < out.length; ) {
            int to = Math.min(from + CHUNK, out.length);
            coins.nextInts(out, from, to);
            int rejected = 0;
            for (int i = from; i < to; i++) {
                int x = out[i] & mask;
                out[i] = x;
                rejected |= q - 1 - x;
            }
            from = rejected >= 0 ? to : compact(out, from, to, q);
        }
    }

    /** Moves the values below q together, from {@code from} on, and returns where they end. */
    private static int compact(int[] values, int from, int to, int q) {
        int taken = from;
        for (int i = from; i < to; i++) {
            int x = values[i];
            values[taken] = x;
            taken += x - q >>> 31; // stays when x >= q: no branch to mispredict
        }
        return taken;
    }

    /** {@link RingHash#hashHat} of one input. */
    public static void hashToRingHat(byte[] input, Modulus modulus, int[] outHat) {
        try (RingHash hash = new RingHash(modulus)) {
            hash.hashHat(input, outHat);
        }
    }
}
