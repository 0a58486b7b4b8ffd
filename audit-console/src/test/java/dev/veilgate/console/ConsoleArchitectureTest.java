package dev.veilgate.console;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.veilgate.authority.KeyBackup;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.PendingRequest;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.client.GatewayClient;
import dev.veilgate.client.RunningSearch;
import dev.veilgate.console.audit.AuditLog;
import dev.veilgate.reading.Reading;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeElement;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.runtime.ObjectMethods;
import java.util.Objects;
import java.util.Set;
import org.springframework.web.bind.annotation.RestController;

@AnalyzeClasses(packages = "dev.veilgate.console", importOptions = DoNotIncludeTests.class)
class ConsoleArchitectureTest {
    /** Names of components that are what somebody looks for, or found. */
    private static final Set<String> CLEAR =
            Set.of("query", "text", "html", "value", "keywords", "terms", "subject", "passphrase", "password");

    @ArchTest
    static final ArchRule packagesFormNoCycle =
            slices().matching("dev.veilgate.console.(*)..").should().beFreeOfCycles();

    /** Logins, the gateway's client, database and settings are what strangers reach first, or what others operate. */
    @ArchTest
    static final ArchRule onlyTheseTouchSecretKeys = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "..console.custody..",
                    "..console.audit..",
                    "..console.keys..",
                    "..console.query..",
                    "..console.rules..",
                    "..console.search..",
                    "..console.routes..",
                    "..console.readers..",
                    "..console.senders..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.veilgate.authority..")
            .orShould()
            .dependOnClassesThat(nameMatching("dev\\.veilgate\\.(.*\\.)?(EnvelopeOpener|Reading|ReaderKeys?"
                    + "|\\w*(SecretKey|MasterKey|SigningKey|KeyPair|AttributeKeys))"));

    @ArchTest
    static final ArchRule onlyCustodyOpensAndSavesKeys = noClasses()
            .that()
            .resideOutsideOfPackages("..console.custody..", "..console.readers..") // readers: who was issued what
            .should()
            .callMethodWhere(calls(KeyFolder.class, "open|create|save|changePassphrase|replaceIndexKeysAfterLoss"));

    @ArchTest
    static final ArchRule onlySearchesAndRoutesIssueTrapdoors = noClasses()
            .that()
            .resideOutsideOfPackages("..console.search..", "..console.routes..")
            .should()
            .callMethodWhere(calls(TenantKeys.class, "request|pending|pendingFor|granted")
                    .or(calls(PendingRequest.class, "next|requestWith")));

    @ArchTest
    static final ArchRule onlySearchesReadWithTheTenantsKey = noClasses()
            .that()
            .resideOutsideOfPackage("..console.search..")
            .should()
            .callMethodWhere(calls(TenantKeys.class, "opener|openerFor|sessionReaderKeys")
                    .or(calls(Reading.class, "ofAuthority|throughAuthority")));

    /** Somebody reads by what the claims say, never as the authority. */
    @ArchTest
    static final ArchRule nobodyReadsAsTheAuthority = noClasses()
            .should()
            .callMethodWhere(calls(TenantKeys.class, "opener").or(calls(Reading.class, "ofAuthority")));

    @ArchTest
    static final ArchRule whatIsIssuedIsLogged = classes()
            .that(call(
                    "issue trapdoors, keys, backups or statements",
                    calls(
                                    TenantKeys.class,
                                    "request|granted|\\w+ReaderKeys|\\w+SearcherKeys|rotate\\w+|put\\w+|remove\\w+|signStatement")
                            .or(calls(PendingRequest.class, "next|requestWith"))
                            .or(calls(KeyBackup.class, "create"))))
            .should()
            .callMethodWhere(calls(AuditLog.class, "append"));

    @ArchTest
    static final ArchRule onlyTheGatewaysPartConnects = noClasses()
            .that()
            .resideOutsideOfPackage("..console.gateway..")
            .should()
            .callConstructorWhere(target(owner(equivalentTo(GatewayClient.class))));

    @ArchTest
    static final ArchRule onlyTheseAskTheGateway = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "..console.gateway..",
                    "..console.search..",
                    "..console.routes..",
                    "..console.senders..",
                    "..console.status..")
            .should()
            .dependOnClassesThat(equivalentTo(GatewayClient.class));

    @ArchTest
    static final ArchRule onlySearchesSearch = noClasses()
            .that()
            .resideOutsideOfPackage("..console.search..")
            .should()
            .dependOnClassesThat(equivalentTo(RunningSearch.class));

    @ArchTest
    static final ArchRule controllersAreTheirPackagesOwn =
            classes().that().areAnnotatedWith(RestController.class).should().bePackagePrivate();

    /** A record says all that it holds when it is printed, to a log or in an exception, unless it has its own words. */
    @ArchTest
    static final ArchRule recordsOfClearTextHideIt = classes()
            .that(describe("are records of a text or bytes called " + CLEAR, ConsoleArchitectureTest::holdsClearText))
            .should(haveTheirOwnToString());

    private static DescribedPredicate<JavaCall<?>> calls(Class<?> type, String names) {
        return target(owner(equivalentTo(type))).and(target(nameMatching(names)));
    }

    private static DescribedPredicate<JavaClass> call(String what, DescribedPredicate<JavaCall<?>> calls) {
        return describe(what, type -> type.getMethodCallsFromSelf().stream().anyMatch(calls));
    }

    private static boolean holdsClearText(JavaClass type) {
        return type.isRecord()
                && type.getFields().stream()
                        .filter(field -> CLEAR.contains(field.getName()))
                        .anyMatch(field -> field.getAllInvolvedRawTypes().stream()
                                .anyMatch(raw -> raw.isEquivalentTo(String.class)));
    }

    private static ArchCondition<JavaClass> haveTheirOwnToString() {
        return new ArchCondition<>("have a toString of their own") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                if (printsAll(type)) {
                    events.add(SimpleConditionEvent.violated(type, type.getName() + " prints what it holds"));
                }
            }
        };
    }

    /** The compiler's own is a call of {@link ObjectMethods}. */
    private static boolean printsAll(JavaClass type) {
        String file = "/" + type.getName().replace('.', '/') + ".class";
        try (InputStream in = Objects.requireNonNull(ConsoleArchitectureTest.class.getResourceAsStream(file))) {
            return ClassFile.of().parse(in.readAllBytes()).methods().stream()
                    .filter(method -> method.methodName().equalsString("toString"))
                    .flatMap(method -> method.code().stream())
                    .flatMap(code -> code.elementStream())
                    .anyMatch(ConsoleArchitectureTest::isOfObjectMethods);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isOfObjectMethods(CodeElement element) {
        return element instanceof InvokeDynamicInstruction call
                && call.bootstrapMethod()
                        .owner()
                        .equals(ObjectMethods.class.describeConstable().orElseThrow());
    }
}
