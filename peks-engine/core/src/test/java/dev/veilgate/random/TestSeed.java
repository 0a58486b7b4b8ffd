package dev.veilgate.random;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.SplittableRandom;

/**
 * Where a test class's random inputs come from: a seed that is always the same, so that a run can be repeated, unless
 * {@code -Dveilgate.seed=anything} gives another one. It is printed.
 */
public final class TestSeed {
    private static final String PROPERTY = "veilgate.seed";

    private final String name;

    private TestSeed(String name) {
        this.name = name;
    }

    /** The seed of a test class; prints how to repeat the run. */
    public static TestSeed of(Class<?> test) {
        String seed = System.getProperty(PROPERTY, "1");
        System.out.println(test.getSimpleName() + ": -D" + PROPERTY + "=" + seed);
        return new TestSeed(test.getName() + "/" + seed);
    }

    /** Coins that no other use has. */
    public CoinStream coins(String use) {
        return CoinStream.ofSeed(sha256(name + "/" + use));
    }

    /** A source that does not depend on the code under test. */
    public SplittableRandom random(String use) {
        byte[] digest = sha256(name + "/" + use);
        long seed = 0;
        for (int i = 0; i < 8; i++) {
            seed = seed << 8 | digest[i] & 0xff;
        }
        return new SplittableRandom(seed);
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
