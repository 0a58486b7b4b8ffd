package dev.veilgate.extract.template;

import java.util.SplittableRandom;

/** Random inputs that are the same in every run, unless {@code -Dveilgate.seed=anything} gives others. */
final class TestSeed {
    private static final String PROPERTY = "veilgate.seed";

    private TestSeed() {}

    /** A source of a test class; prints how to repeat the run. */
    static SplittableRandom random(Class<?> test) {
        String seed = System.getProperty(PROPERTY, "1");
        System.out.println(test.getSimpleName() + ": -D" + PROPERTY + "=" + seed);
        return new SplittableRandom(31L * test.getName().hashCode() + seed.hashCode());
    }
}
