package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.random.CoinStream;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Choices that whoever sends a block cannot foresee: which part of it a check looks at. Coins are of AES-256 under a seed of this process, fetched in bulk, since a check
 * makes some hundred choices in some microseconds.
 *
 * <p>Not safe for use by several threads; each block has its own.
 */
final class SecretChoices implements RandomGenerator {
    /** Of 32 bits: about what admitting a block takes. */
    private static final int BUFFER_INTS = 512;
    /** Far below what one seed may give. */
    private static final int BUFFERS_OF_A_SEED = 1 << 20;

    private static final SecureRandom SEEDS = new SecureRandom();
    private static final CoinStream SHARED = CoinStream.fresh(SEEDS);
    private static int buffers;

    private final int[] buffer = new int[BUFFER_INTS];
    private int used = buffer.length;

    @Override
    public int nextInt() {
        if (used == buffer.length) {
            refill(buffer);
            used = 0;
        }
        return buffer[used++];
    }

    @Override
    public long nextLong() {
        return (long) nextInt() << 32 | nextInt() & 0xffff_ffffL;
    }

    private static void refill(int[] buffer) {
        synchronized (SHARED) {
            if (++buffers == BUFFERS_OF_A_SEED) {
                byte[] seed = new byte[CoinStream.SEED_BYTES];
                SEEDS.nextBytes(seed);
                SHARED.reseed(seed);
                Arrays.fill(seed, (byte) 0);
                buffers = 0;
            }
            SHARED.nextInts(buffer, 0, buffer.length);
        }
    }
}
