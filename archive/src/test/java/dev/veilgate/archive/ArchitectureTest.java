package dev.veilgate.archive;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.veilgate.architecture.MarkedSecrets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Stores know nothing of documents, nobody names a scheme, and what has a secret is marked. */
class ArchitectureTest {
    private static final JavaClasses ARCHIVE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_JARS)
            .importPackages("dev.veilgate.archive");

    @Test
    void classesAreRead() {
        assertThat(ARCHIVE.containPackage("dev.veilgate.archive.store")).isTrue();
    }

    @Test
    void storesKnowNothingOfDocuments() {
        noClasses()
                .that()
                .resideInAPackage("dev.veilgate.archive.store..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.veilgate.archive",
                        "dev.veilgate.archive.source..",
                        "dev.veilgate.archive.words..",
                        "dev.veilgate.extract..",
                        "dev.veilgate.secret..")
                .check(ARCHIVE);
    }

    /** Segments are not one of the schemes that a contract makes interchangeable: they have an archive of their own. */
    @Test
    void nobodyNamesAScheme() {
        noClasses()
                .should()
                .dependOnClassesThat(resideInAPackage("dev.veilgate.sse.*..")
                        .and(resideOutsideOfPackage("dev.veilgate.sse.segments")))
                .check(ARCHIVE);
    }

    @Test
    void storesKnowNothingOfSegments() {
        noClasses()
                .that()
                .resideInAPackage("dev.veilgate.archive.store..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.veilgate.sse.segments")
                .check(ARCHIVE);
    }

    @Test
    void packagesFormNoCycle() {
        slices().matching("dev.veilgate.archive.(**)").should().beFreeOfCycles().check(ARCHIVE);
    }

    @Test
    void whatLooksSecretIsMarked() {
        MarkedSecrets.requireMarked(ARCHIVE, Map.of());
    }
}
