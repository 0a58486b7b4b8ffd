package dev.veilgate.gateway;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.veilgate.gateway", importOptions = DoNotIncludeTests.class)
class GatewayArchitectureTest {
    /** Secret keys, and what makes trapdoors. */
    @ArchTest
    static final ArchRule holdsNoSecretKey = noClasses()
            .should()
            .dependOnClassesThat(resideInAPackage("dev.veilgate.authority..")
                    .or(resideInAPackage("dev.veilgate.extract.."))
                    .or(nameMatching("dev\\.veilgate\\.(.*\\.)?(EnvelopeOpener|ReaderKeys?|NtruPeks|Bdop04|Zi07|Zxa14"
                            + "|\\w*(SecretKey|MasterKey|SigningKey|KeyPair|AttributeKeys))")));

    /** What it does for readers is one step, on blinded keys that it cannot look into: no scheme, no half of a key that could open. */
    @ArchTest
    static final ArchRule knowsOfAttributesTheTransformationOnly = noClasses()
            .should()
            .dependOnClassesThat(resideInAPackage("dev.veilgate.abe..")
                    .or(nameMatching("dev\\.veilgate\\.envelope\\.(OpeningHelp|PolicyKey|PolicyWrap)")));

    @ArchTest
    static final ArchRule onlyOnePartTransforms = noClasses()
            .that()
            .resideOutsideOfPackage("..gateway.transform..")
            .should()
            .dependOnClassesThat(nameMatching("dev\\.veilgate\\.envelope\\.(WrapTransformer|Transform\\w+)"));

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
            .resideOutsideOfPackages("..gateway.broker..", "..gateway.ingest.mqtt..")
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
