package dev.veilgate.console;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static dev.veilgate.architecture.SecretClasses.exercising;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.veilgate.architecture.RuleNames;
import dev.veilgate.architecture.SecretClasses;
import dev.veilgate.client.GatewayClient;
import dev.veilgate.client.RunningSearch;
import dev.veilgate.console.audit.AuditLog;
import dev.veilgate.console.indexes.IndexFindings;
import dev.veilgate.secret.Power;
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
    static void whatTheRulesNameExists(JavaClasses console) {
        RuleNames.requireExisting(ConsoleArchitectureTest.class);
        SecretClasses.requireEachPowerExercised();
    }

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
                    "..console.indexes..",
                    "..console.query..",
                    "..console.rules..",
                    "..console.search..",
                    "..console.routes..",
                    "..console.readers..",
                    "..console.mailusers..",
                    "..console.senders..",
                    "..console.sweep..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.veilgate.authority..", "dev.veilgate.enrolment..")
            .orShould()
            .dependOnClassesThat(SecretClasses.marked());

    @ArchTest
    static final ArchRule onlyCustodyOpensAndPublishesKeys = noClasses()
            .that()
            .resideOutsideOfPackage("..console.custody..")
            .should()
            .accessTargetWhere(exercising(Power.KEEP_KEYS, Power.PUBLISH));

    @ArchTest
    static final ArchRule onlyCustodyAndWhoIssuedKeysSaveThem = noClasses()
            .that()
            .resideOutsideOfPackages("..console.custody..", "..console.readers..") // readers: who was issued what
            .should()
            .accessTargetWhere(exercising(Power.SAVE_KEYS));

    @ArchTest
    static final ArchRule onlyTheseChangeKeys = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "..console.keys..",
                    "..console.readers..",
                    "..console.mailusers..",
                    "..console.senders..",
                    "..console.indexes..") // how much is looked into
            .should()
            .accessTargetWhere(exercising(Power.CHANGE_KEYS));

    @ArchTest
    static final ArchRule onlyTheseIssueKeys = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "..console.keys..", "..console.readers..", "..console.search..", "..console.sweep..")
            .should()
            .accessTargetWhere(exercising(Power.ISSUE_KEYS));

    @ArchTest
    static final ArchRule onlySearchesAndRoutesIssueTrapdoors = noClasses()
            .that()
            .resideOutsideOfPackages("..console.search..", "..console.routes..")
            .should()
            .accessTargetWhere(exercising(Power.PREPARE_TRAPDOORS, Power.ISSUE_TRAPDOORS));

    @ArchTest
    static final ArchRule onlySearchesAndSweepsReadWithTheTenantsKey = noClasses()
            .that()
            .resideOutsideOfPackages("..console.search..", "..console.sweep..")
            .should()
            .accessTargetWhere(exercising(Power.READ_FOR_SOMEBODY));

    /** Looking into an index for words that its record does not have would be a search without an entry. */
    @ArchTest
    static final ArchRule onlyFindingsLookIntoIndexes = noClasses()
            .that()
            .doNotBelongToAnyOf(IndexFindings.class)
            .should()
            .accessTargetWhere(exercising(Power.CHECK_INDEX));

    /** Nothing but an opened record, shown to who opened it, is checked; findings go to no gateway, route or metric. */
    @ArchTest
    static final ArchRule onlyOpenedRecordsAreChecked = noClasses()
            .that()
            .resideOutsideOfPackages("..console.indexes..", "..console.search..", "..console.sweep..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("..console.indexes..");

    /** Somebody reads by what the claims say, never as the authority. */
    @ArchTest
    static final ArchRule nobodyReadsAsTheAuthority =
            noClasses().should().accessTargetWhere(exercising(Power.READ_ALL));

    @ArchTest
    static final ArchRule whatIsIssuedIsLogged = classes()
            .that(access(
                    "issue trapdoors, keys, backups or statements, or change keys",
                    exercising(Power.CHANGE_KEYS, Power.ISSUE_KEYS, Power.ISSUE_TRAPDOORS, Power.SIGN)))
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
                    "..console.chains..",
                    "..console.search..",
                    "..console.routes..",
                    "..console.senders..",
                    "..console.status..",
                    "..console.sweep..")
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

    private static DescribedPredicate<JavaCall<?>> calls(Class<?> type, String method) {
        assertThat(type.getMethods())
                .as("methods of %s", type)
                .anyMatch(one -> one.getName().equals(method));
        return target(owner(equivalentTo(type)))
                .and(target(name(method)))
                .as("it is %s.%s", type.getSimpleName(), method);
    }

    private static DescribedPredicate<JavaClass> access(String what, DescribedPredicate<JavaAccess<?>> accesses) {
        return describe(what, type -> type.getAccessesFromSelf().stream().anyMatch(accesses));
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
