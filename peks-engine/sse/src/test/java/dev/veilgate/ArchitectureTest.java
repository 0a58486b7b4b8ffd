package dev.veilgate;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.veilgate.architecture.MarkedSecrets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Schemes do not meet, and what has a secret is marked. */
class ArchitectureTest {
    private static final JavaClasses SSE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_JARS)
            .importPackages("dev.veilgate.sse");

    @Test
    void classesAreRead() {
        assertThat(SSE.containPackage("dev.veilgate.sse.suise")).isTrue();
    }

    @Test
    void noSchemeUsesAnother() {
        slices().matching("dev.veilgate.sse.(*)..")
                .should()
                .notDependOnEachOther()
                .check(SSE);
    }

    @Test
    void whatLooksSecretIsMarked() {
        MarkedSecrets.requireMarked(
                SSE, Map.of("dev.veilgate.sse.SseSchemes", "finds schemes by name; none has a key"));
    }
}
