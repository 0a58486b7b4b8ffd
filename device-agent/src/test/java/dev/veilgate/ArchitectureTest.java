package dev.veilgate;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The edge holds no secret key of the tenant. */
class ArchitectureTest {
    private static final JavaClasses AGENT = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_JARS)
            .importPackages("dev.veilgate");

    private static final String[] EDGE = {
        "dev.veilgate.agent..",
        "dev.veilgate.proxy..",
        "dev.veilgate.settings..",
        "dev.veilgate.sender..",
        "dev.veilgate.service.."
    };

    /** ArchUnit skips class files that it cannot read, and every rule holds of no classes. */
    @Test
    void classesAreRead() {
        assertThat(AGENT.containPackage("dev.veilgate.cli")).isTrue();
        assertThat(AGENT.containPackage("dev.veilgate.sender")).isTrue();
    }

    @Test
    void theEdgeKnowsNoAuthority() {
        noClasses()
                .that()
                .resideInAnyPackage(EDGE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.veilgate.authority..", "dev.veilgate.cli..", "dev.veilgate.reading..")
                .because("agent and proxy load the public bundle only")
                .check(AGENT);
    }

    @Test
    void theEdgeOpensNothing() {
        noClasses()
                .that()
                .resideInAnyPackage(EDGE)
                .should()
                .dependOnClassesThat()
                .haveNameMatching("dev\\.veilgate\\.(.*\\.)?(EnvelopeOpener|ReaderKeys?|NtruPeks|Bdop04|Zi07|Zxa14"
                        + "|\\w*(SecretKey|MasterKey|KeyPair|AttributeKeys))")
                .because("who seals need not open")
                .check(AGENT);
    }

    @Test
    void packagesFormNoCycle() {
        slices().matching("dev.veilgate.(*)..").should().beFreeOfCycles().check(AGENT);
    }
}
