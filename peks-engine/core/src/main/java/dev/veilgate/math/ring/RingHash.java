package dev.veilgate.math.ring;

import dev.veilgate.random.CoinStream;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * Hash to the ring, straight into the transform's domain, where uniform means uniform in R_q too: the coefficients of {@link
 * RingSampling#uniform} with coins AES-256-CTR under the seed SHA-256(input). A random oracle if SHA-256 is one and AES-256 an
 * ideal cipher.
 *
 * <p>Keeps a digest and a cipher, which take longer to look up than to run. Not safe for use by several threads.
 */
public final class RingHash implements AutoCloseable {
    private final Modulus modulus;
    private final MessageDigest sha;
    private final byte[] seed = new byte[CoinStream.SEED_BYTES];
    private final CoinStream coins = CoinStream.ofSeed(seed);

    /** @param modulus of the ring's coefficients */
    public RingHash(Modulus modulus) {
        this.modulus = modulus;
        try {
            sha = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256", e);
        }
    }

    /**
     * The transform of the hash of {@code input}, in [0, q).
     *
     * @param input starts with a domain tag and is an injective encoding of what is hashed
     */
    public void hashHat(byte[] input, int[] outHat) {
        try {
            sha.update(input);
            sha.digest(seed, 0, seed.length);
        } catch (DigestException e) {
            throw new IllegalStateException("SHA-256 failed", e);
        }
        coins.reseed(seed);
        RingSampling.uniform(coins, modulus, outHat);
    }

    /** Erases the coins of the last hash. */
    @Override
    public void close() {
        Arrays.fill(seed, (byte) 0);
        coins.close();
    }
}
