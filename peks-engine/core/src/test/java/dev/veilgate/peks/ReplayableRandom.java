package dev.veilgate.peks;

import dev.veilgate.random.CoinStream;
import dev.veilgate.random.TestSeed;
import java.security.SecureRandom;

/** Coins of a {@link TestSeed} for what asks for a {@link SecureRandom}, so that a run can be replayed. */
public final class ReplayableRandom extends SecureRandom {
    private static final long serialVersionUID = 1L;

    private final transient CoinStream coins;

    /** @param coins drawn from; nobody else may */
    public ReplayableRandom(CoinStream coins) {
        super(null, null);
        this.coins = coins;
    }

    @Override
    public synchronized void nextBytes(byte[] out) {
        coins.nextBytes(out);
    }

    @Override
    public void setSeed(long seed) {
        // the seed is given
    }
}
