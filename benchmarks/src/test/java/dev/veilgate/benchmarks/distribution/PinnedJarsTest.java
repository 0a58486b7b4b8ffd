package dev.veilgate.benchmarks.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each jar of a program is code that its users run and somebody has to keep: a new one is a decision, written into
 * the program's list.
 */
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

    /** A vulnerability is mended in one place, and what one program was tested with is what the others have. */
    @Test
    void programsHaveALibraryInOneVersion() throws Exception {
        SortedMap<String, SortedSet<String>> versions = new TreeMap<>();
        for (Distribution distribution : Distribution.values()) {
            for (String jar : distribution.jars()) {
                String artifact = Distribution.artifact(jar);
                String version = jar.substring(artifact.length());
                // Jackson 2 and 3 have their packages apart and their file names in common.
                String library = artifact.startsWith("jackson-") ? artifact + version.substring(0, 2) : artifact;
                versions.computeIfAbsent(library, name -> new TreeSet<>()).add(version);
            }
        }
        versions.values().removeIf(found -> found.size() == 1);
        assertThat(versions).isEmpty();
    }

    /**
     * Devices have little room, and what they lack cannot be attacked there. Of this, half a megabyte is what reads
     * logs that were compressed by xz, zstd and bzip2 before the agent could read them, and 100 kB are the forms of
     * logs and the rules of links and names.
     */
    @Test
    void whatIsInstalledOnDevicesIsSmall() throws Exception {
        assertThat(Distribution.EDGE.bytes()).isLessThan(17_900_000);
    }

    @ParameterizedTest
    @EnumSource
    void hasNoJarThatIsNotLoaded(Distribution distribution) throws Exception {
        assertThat(distribution.jars()).as("jars of %s", distribution).isEqualTo(distribution.classPath());
    }
}
