package dev.veilgate;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import dev.veilgate.architecture.RuleNames;
import dev.veilgate.architecture.SecretClasses;
import dev.veilgate.architecture.SecretClasses.Allowed;
import dev.veilgate.envelope.MailBinding;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.envelope.smime.MailKey;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.envelope.smime.SignedAs;
import org.junit.jupiter.api.Test;

/** The edge holds no secret key of the tenant. */
class ArchitectureTest {
    private static final JavaClasses EDGE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_JARS)
            .importPackages("dev.veilgate");

    /** ArchUnit skips class files that it cannot read, and every rule holds of no classes. */
    @Test
    void classesAreRead() {
        assertThat(EDGE.containPackage("dev.veilgate.proxy")).isTrue();
        assertThat(EDGE.containPackage("dev.veilgate.sender")).isTrue();
    }

    /** Looks at references only, for tests of the edge have the authority on their class path; its packages do not. */
    @Test
    void theEdgeKnowsNoAuthority() {
        holds(noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.veilgate.authority..", "dev.veilgate.enrolment..", "dev.veilgate.issuing..")
                .because("agent and proxy load the public bundle only"));
    }

    /** Who seals need not open. */
    @Test
    void theEdgeHasNoSecretButItsOwn() {
        SecretClasses.requireUnused(
                EDGE,
                new Allowed("dev.veilgate.agent..", SigningKey.class, "the device signs what it seals"),
                new Allowed("dev.veilgate.edge..", SigningKey.class, "makes the device's own key"),
                new Allowed("dev.veilgate.sender..", SigningKey.class, "reads the device's own key from its file"),
                new Allowed("dev.veilgate.sender..", MailSigner.class, "reads the key that the proxy signs mail with"),
                new Allowed("dev.veilgate.proxy..", MailSigner.class, "signs mail as the tenant"),
                new Allowed("dev.veilgate.proxy..", SignedAs.class, "the signature of one mail"),
                new Allowed("dev.veilgate.proxy..", MailBinding.class, "the signature of one mail's header"),
                new Allowed("dev.veilgate.proxy..", MailKey.class, "the key of one mail, which the proxy made"));
    }

    @Test
    void packagesFormNoCycle() {
        holds(slices().matching("dev.veilgate.(*)..").should().beFreeOfCycles());
    }

    private static void holds(ArchRule rule) {
        RuleNames.requireExisting(rule);
        rule.check(EDGE);
    }
}
