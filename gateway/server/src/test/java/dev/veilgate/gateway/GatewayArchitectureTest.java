package dev.veilgate.gateway;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.veilgate.architecture.RuleNames;
import dev.veilgate.architecture.SecretClasses;

@AnalyzeClasses(packages = "dev.veilgate.gateway", importOptions = DoNotIncludeTests.class)
class GatewayArchitectureTest {
    private static final String[] TRANSFORM = {
        "dev.veilgate.envelope.TransformAnswer",
        "dev.veilgate.envelope.TransformRequest",
        "dev.veilgate.envelope.WrapTransformer"
    };

    @ArchTest
    static void whatTheRulesNameExists(JavaClasses gateway) {
        RuleNames.requireExisting(GatewayArchitectureTest.class);
    }

    /** Secret keys, and what signs, opens or makes trapdoors with them. */
    @ArchTest
    static void holdsNoSecret(JavaClasses gateway) {
        SecretClasses.requireUnused(gateway);
    }

    /** No authority, no scheme, no extractor of keywords. */
    @ArchTest
    static final ArchRule isMadeOfThesePackagesOnly = classes()
            .should()
            .onlyDependOnClassesThat(resideOutsideOfPackage("dev.veilgate..")
                    .or(resideInAnyPackage(
                            "dev.veilgate.gateway..",
                            "dev.veilgate.application..",
                            "dev.veilgate.encoding",
                            "dev.veilgate.envelope..",
                            "dev.veilgate.files",
                            "dev.veilgate.index",
                            "dev.veilgate.peks",
                            "dev.veilgate.pq",
                            "dev.veilgate.query",
                            "dev.veilgate.transport..")));

    /** The gateway uses one part of attribute-based encryption: the transformation of outsourced decryption, on blinded keys that open nothing by themselves. */
    @ArchTest
    static final ArchRule knowsOfAttributesTheTransformationOnly = noClasses()
            .should()
            .dependOnClassesThat(RuleNames.named(
                    "dev.veilgate.envelope.OpeningHelp",
                    "dev.veilgate.envelope.PolicyKey",
                    "dev.veilgate.envelope.PolicyWrap"));

    @ArchTest
    static final ArchRule onlyOnePartTransforms = noClasses()
            .that()
            .resideOutsideOfPackage("..gateway.transform..")
            .should()
            .dependOnClassesThat(RuleNames.named(TRANSFORM));

    @ArchTest
    static final ArchRule onlyTheStoreKnowsLucene = noClasses()
            .that()
            .resideOutsideOfPackage("..gateway.store..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.lucene..", "dev.veilgate.index..");

    @ArchTest
    static final ArchRule onlyTheBrokerKnowsHiveMq = noClasses()
            .that()
            .resideOutsideOfPackage("..gateway.broker..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("com.hivemq..", "org.eclipse.paho..");

    /** They are loaded with the first token that an issuer signed, not at the start. */
    @ArchTest
    static final ArchRule onlyTheIssuersPartKnowsJose = noClasses()
            .that()
            .resideOutsideOfPackage("..gateway.oidc..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("com.nimbusds..");

    @ArchTest
    static final ArchRule theJournalKnowsBytesOnly = noClasses()
            .that()
            .resideInAPackage("..gateway.journal..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.veilgate.gateway.ingest..", "dev.veilgate.gateway.store..", "dev.veilgate.envelope..");

    @ArchTest
    static final ArchRule capabilitiesFormNoCycles =
            slices().matching("dev.veilgate.gateway.(**)").should().beFreeOfCycles();
}
