package dev.veilgate.benchmarks.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** No class of ours that a program can come to misses another one: a compiler saw more jars than some of them have. */
final class CompleteJarsTest {
    private static final Predicate<String> OURS = name -> name.startsWith("dev/veilgate/");

    /**
     * The classes that a program begins with: of a device all but mail, of the console its own, of others all that they
     * have.
     */
    private static Predicate<String> beginning(Distribution distribution) {
        return switch (distribution) {
            case EDGE ->
                name -> name.startsWith("dev/veilgate/agent/")
                        || name.startsWith("dev/veilgate/edge/") && !name.equals("dev/veilgate/edge/Main");
            case CONSOLE -> name -> name.startsWith("dev/veilgate/console/");
            case COMMAND, EDGE_WITH_MAIL, GATEWAY -> OURS;
        };
    }

    @ParameterizedTest
    @EnumSource
    void hasAllThatItsClassesLeadTo(Distribution distribution) throws Exception {
        ClassReferences references = ClassReferences.of(distribution);
        List<String> begin =
                references.classes().stream().filter(beginning(distribution)).toList();
        assertThat(begin).isNotEmpty();
        Set<String> reached = references.reachable(begin, OURS);
        assertThat(reached).contains("dev/veilgate/envelope/Envelope");
        assertThat(references.missing(reached)).isEmpty();
    }

    @Test
    void devicesReachTheExtractionOfLogsAndNotThatOfMail() throws Exception {
        ClassReferences references = ClassReferences.of(Distribution.EDGE);
        List<String> begin = references.classes().stream()
                .filter(beginning(Distribution.EDGE))
                .toList();
        Set<String> reached = references.reachable(begin, OURS);
        assertThat(reached).contains("dev/veilgate/extract/log/LogExtractor", "dev/veilgate/envelope/EnvelopeSealer");
        assertThat(reached).noneMatch(name -> name.startsWith("dev/veilgate/extract/mail/"));
    }

    /** Shows that the tests above can fail. */
    @Test
    void devicesMissWhatMailUses() throws Exception {
        ClassReferences references = ClassReferences.of(Distribution.EDGE);
        assertThat(references.missing(List.of("dev/veilgate/proxy/SubmissionServer")))
                .isNotEmpty();
    }
}
