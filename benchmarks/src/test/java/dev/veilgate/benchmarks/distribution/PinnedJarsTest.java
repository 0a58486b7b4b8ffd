package dev.veilgate.benchmarks.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each jar of a program is code that its users run and somebody has to keep: a new one is a decision, written into the program's list. */
final class PinnedJarsTest {
    @ParameterizedTest
    @EnumSource
    void hasTheJarsOfItsList(Distribution distribution) throws Exception {
        SortedSet<String> present = new TreeSet<>();
        for (String jar : distribution.jars()) {
            present.add(Distribution.artifact(jar));
        }
        System.out.printf(
                "%s: %d jars, %.1f MB%n", distribution, distribution.jars().size(), distribution.bytes() / 1e6);
        assertThat(present)
                .as("jars of %s, which src/test/resources/distributions/%s.txt lists", distribution, distribution)
                .containsExactlyInAnyOrderElementsOf(distribution.pinned());
    }

    /** Devices have little room, and what they lack cannot be attacked there. */
    @Test
    void whatIsInstalledOnDevicesIsSmall() throws Exception {
        assertThat(Distribution.EDGE.bytes()).isLessThan(16_000_000);
    }

    @ParameterizedTest
    @EnumSource
    void hasNoJarThatIsNotLoaded(Distribution distribution) throws Exception {
        assertThat(distribution.jars()).as("jars of %s", distribution).isEqualTo(distribution.classPath());
    }
}
