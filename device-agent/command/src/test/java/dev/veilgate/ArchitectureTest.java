package dev.veilgate;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.veilgate.architecture.ClassPath;
import dev.veilgate.architecture.MarkedSecrets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The command, which has all that there is. */
class ArchitectureTest {
    private static final JavaClasses COMMAND = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_JARS)
            .importPackages("dev.veilgate");

    /** ArchUnit skips class files that it cannot read, and every rule holds of no classes. */
    @Test
    void classesAreRead() {
        assertThat(COMMAND.containPackage("dev.veilgate.cli")).isTrue();
        assertThat(COMMAND.containPackage("dev.veilgate.demo")).isTrue();
    }

    /**
     * Shared with the console: {@code reading} opens envelopes, {@code client} asks a gateway to help a reader,
     * {@code transport} is TLS.
     */
    @Test
    void whatLooksSecretIsMarked() {
        Map<String, Map<String, String>> exceptions = Map.of(
                "dev.veilgate.reading..", Map.of(),
                "dev.veilgate.client..", Map.of(),
                "dev.veilgate.transport..",
                        Map.of(
                                "dev.veilgate.transport.PemFile",
                                "reads keys of servers and devices from their own files"));
        exceptions.forEach(
                (shared, of) -> MarkedSecrets.requireMarked(ClassPath.classes().that(resideInAPackage(shared)), of));
    }

    @Test
    void packagesFormNoCycle() {
        slices().matching("dev.veilgate.(*)..").should().beFreeOfCycles().check(COMMAND);
    }
}
