package dev.veilgate.benchmarks.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whoever looks a vulnerability or a licence up in the lists beside a program finds each jar that it runs. */
final class ComponentListsTest {
    private static final Pattern PURL = Pattern.compile("\"purl\" : \"pkg:maven/[^/]+/([^@]+)@([^?]+)\\?type=jar");
    private static final Pattern THIRD_PARTY =
            Pattern.compile("\\([^():]+:([^():]+):([^ :]+) - .*\\)$", Pattern.MULTILINE);
    private static final Pattern OURS = Pattern.compile(
            "(veilgate|archive|device|engine|gateway|keyword|record|service)-[a-z-]*[\\d.]+(-SNAPSHOT)?\\.jar");

    private static SortedSet<String> jars(Pattern pattern, String list) {
        SortedSet<String> jars = new TreeSet<>();
        Matcher matcher = pattern.matcher(list);
        while (matcher.find()) {
            jars.add(matcher.group(1) + "-" + matcher.group(2) + ".jar");
        }
        return jars;
    }

    @ParameterizedTest
    @EnumSource
    void nameEachJar(Distribution distribution) throws Exception {
        SortedSet<String> jars = distribution.jars();
        jars.remove(distribution.launcher().getFileName() + ".jar");
        SortedSet<String> components = jars(PURL, Files.readString(distribution.file("sbom.cdx.json")));
        // The program itself is the jar that was taken away.
        components.removeIf(jar -> jar.matches(
                "(gateway-server|audit-console|veilgate-edge|veilgate-edge-mail|" + "device-command)-\\d.*"));
        assertThat(components).isEqualTo(jars);

        SortedSet<String> ofOthers = jars.stream()
                .filter(jar -> !OURS.matcher(jar).matches())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(jars(THIRD_PARTY, Files.readString(distribution.file("THIRD-PARTY.txt"))))
                .isEqualTo(ofOthers);
    }

    @ParameterizedTest
    @EnumSource
    void areWithTheLicenceAndTheNotice(Distribution distribution) {
        assertThat(distribution.file("LICENSE")).isNotEmptyFile();
        assertThat(distribution.file("NOTICE")).isNotEmptyFile();
    }
}
