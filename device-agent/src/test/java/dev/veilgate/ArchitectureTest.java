package dev.veilgate;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import dev.veilgate.architecture.ClassPath;
import dev.veilgate.architecture.MarkedSecrets;
import dev.veilgate.architecture.RuleNames;
import dev.veilgate.architecture.SecretClasses;
import dev.veilgate.architecture.SecretClasses.Allowed;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.envelope.smime.MailKey;
import dev.veilgate.envelope.smime.MailSigner;
import java.util.Map;
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
        holds(noClasses()
                .that()
                .resideInAnyPackage(EDGE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.veilgate.authority..", "dev.veilgate.cli..", "dev.veilgate.reading..")
                .because("agent and proxy load the public bundle only"));
    }

    /** Who seals need not open. */
    @Test
    void theEdgeHasNoSecretButItsOwn() {
        SecretClasses.requireUnused(
                AGENT.that(resideInAnyPackage(EDGE)),
                new Allowed("dev.veilgate.agent..", SigningKey.class, "the device signs what it seals"),
                new Allowed("dev.veilgate.sender..", SigningKey.class, "reads the device's own key from its file"),
                new Allowed("dev.veilgate.sender..", MailSigner.class, "reads the key that the proxy signs mail with"),
                new Allowed("dev.veilgate.proxy..", MailSigner.class, "signs mail as the tenant"),
                new Allowed("dev.veilgate.proxy..", MailKey.class, "the key of one mail, which the proxy made"));
    }

    /** Of what the edge shares with commands and console: {@code reading} opens envelopes, and {@code client}, of which the edge uses other parts, asks a gateway to help a reader; {@code transport} is TLS. */
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
        holds(slices().matching("dev.veilgate.(*)..").should().beFreeOfCycles());
    }

    private static void holds(ArchRule rule) {
        RuleNames.requireExisting(rule);
        rule.check(AGENT);
    }
}
