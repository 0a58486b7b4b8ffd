package dev.veilgate.benchmarks.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Looks into the jars of each installed program for classes that it must not have, such as those of the authority in the gateway. */
final class TrustTest {
    /** Master keys of a tenant, issuing with them, and opening by readers' keys. */
    private static final Pattern OF_THE_AUTHORITY = Pattern.compile("dev/veilgate/(authority|issuing|reading)/.*");

    /** For comparison only: its ciphertexts do not hide keywords. */
    private static final Pattern FOR_COMPARISON = Pattern.compile("dev/veilgate/ese/.*");

    private static Set<String> classes(Distribution distribution, Pattern names) throws Exception {
        Set<String> found = new TreeSet<>();
        for (String entry : distribution.entries()) {
            if (names.matcher(entry).matches()) {
                found.add(entry);
            }
        }
        return found;
    }

    @Test
    void theGatewayHasNoClassOfTheAuthority() throws Exception {
        assertThat(classes(Distribution.GATEWAY, OF_THE_AUTHORITY)).isEmpty();
    }

    @Test
    void theEdgeHasNoClassOfTheAuthority() throws Exception {
        assertThat(classes(Distribution.EDGE, OF_THE_AUTHORITY)).isEmpty();
        assertThat(classes(Distribution.EDGE_WITH_MAIL, OF_THE_AUTHORITY)).isEmpty();
    }

    /** The page names each class with the mark that is in these programs, and no other. */
    @Test
    void thePageOfArchitectureNamesWhatCanHoldASecret() throws Exception {
        Set<String> named = new TreeSet<>();
        String page = Files.readString(Path.of("docs/architecture.md"));
        Matcher rows = Pattern.compile("^\\| `(dev\\.veilgate[.\\w]*)` \\| ([^|]*) \\|", Pattern.MULTILINE)
                .matcher(page);
        while (rows.find()) {
            String folder = rows.group(1).replace('.', '/');
            Pattern.compile("`(\\w+)`")
                    .matcher(rows.group(2))
                    .results()
                    .forEach(name -> named.add(folder + "/" + name.group(1)));
        }
        for (Distribution distribution :
                List.of(Distribution.GATEWAY, Distribution.EDGE, Distribution.EDGE_WITH_MAIL)) {
            assertThat(ClassReferences.of(distribution).marked("Ldev/veilgate/secret/Secret;"))
                    .as("%s", distribution)
                    .isEqualTo(named);
        }
    }

    @Test
    void theConsoleHasTheAuthority() throws Exception {
        assertThat(classes(Distribution.CONSOLE, OF_THE_AUTHORITY))
                .contains("dev/veilgate/authority/TenantKeys.class", "dev/veilgate/issuing/IssuingLog.class");
    }

    @Test
    void noProgramHasWhatIsForComparison() throws Exception {
        for (Distribution distribution : Distribution.values()) {
            assertThat(classes(distribution, FOR_COMPARISON))
                    .as("%s", distribution)
                    .isEmpty();
        }
    }

    /** A scheme is registered in the jar that it is in: one that is left out is not missed by a compiler. */
    @Test
    void eachProgramHasEachIndexScheme() throws Exception {
        for (Distribution distribution : Distribution.values()) {
            List<String> registered = distribution.lines("META-INF/services/dev.veilgate.peks.IndexScheme");
            assertThat(registered)
                    .as("%s", distribution)
                    .containsExactlyInAnyOrder(
                            "dev.veilgate.abe.ks.zxa14.Zxa14IndexScheme",
                            "dev.veilgate.peks.lattice.ntru.NtruIndexScheme",
                            "dev.veilgate.peks.pairing.bdop04.Bdop04IndexScheme",
                            "dev.veilgate.peks.pairing.zi07.Zi07IndexScheme");
            assertThat(distribution.entries())
                    .as("%s", distribution)
                    .containsAll(registered.stream()
                            .map(name -> name.replace('.', '/') + ".class")
                            .toList());
        }
    }
}
