package dev.veilgate;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.all;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.lang.AbstractClassesTransformer;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ClassesTransformer;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import dev.veilgate.architecture.RuleNames;
import dev.veilgate.peks.IndexScheme;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.logging.Logger;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** The arrows between the packages of the engine, and what its code may not use. */
class ArchitectureTest {

    private static final String[] SCHEMES = {
        "dev.veilgate.peks.lattice..", "dev.veilgate.peks.pairing..", "dev.veilgate.abe..", "dev.veilgate.ese.."
    };

    private static final String[] LIBRARIES = {
        "dev.veilgate..",
        "java..",
        "javax.crypto..",
        "javax.security.auth..",
        "org.bouncycastle..",
        "org.jspecify..",
        "supranational.blst.."
    };

    private static final JavaClasses ENGINE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(ArchitectureTest::isOfMainCode)
            .importPackages("dev.veilgate");

    /** What tests of several modules use is in jars and folders of its own. */
    private static boolean isOfMainCode(Location place) {
        return !place.contains("/testing/target/")
                && !place.contains("veilgate-testing")
                && !place.contains("-tests.jar");
    }

    /** ArchUnit skips class files that it cannot read, and every rule holds of no classes. */
    @Test
    void classesOfTheEngineAreRead() {
        assertThat(ENGINE.contain(IndexScheme.class)).isTrue();
    }

    @Test
    void contractNamesNoScheme() {
        holds(noClasses()
                .that()
                .resideInAPackage("dev.veilgate.peks")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(SCHEMES)
                .because("schemes register by ServiceLoader: a new one must not touch the contract of all"));
    }

    @Test
    void mathematicsAndRandomnessKnowNoScheme() {
        holds(noClasses()
                .that()
                .resideInAnyPackage("dev.veilgate.math..", "dev.veilgate.random..")
                .should()
                .dependOnClassesThat(resideInAnyPackage(SCHEMES).or(resideInAnyPackage("dev.veilgate.peks..")))
                .because("they are the ground that every scheme stands on, and are reviewed and tested alone"));
    }

    @Test
    void schemesDoNotDependOnEachOther() {
        holds(slices().assignedFrom(new ByScheme())
                .should()
                .notDependOnEachOther()
                .because("a scheme must be readable against its paper, and removable, alone"));
    }

    /** By a slip in the pattern there could be none, which do not depend on each other either. */
    @Test
    void slicesAreTheSchemes() {
        Set<SliceIdentifier> found = new HashSet<>();
        ENGINE.forEach(type -> found.add(new ByScheme().getIdentifierOf(type)));
        found.remove(SliceIdentifier.ignore());
        assertThat(found)
                .containsExactlyInAnyOrder(
                        SliceIdentifier.of("peks.lattice.ntru"),
                        SliceIdentifier.of("peks.pairing.bdop04"),
                        SliceIdentifier.of("peks.pairing.zi07"),
                        SliceIdentifier.of("abe.cp.bsw07"),
                        SliceIdentifier.of("abe.kp.gpsw06"),
                        SliceIdentifier.of("abe.ks.zxa14"),
                        SliceIdentifier.of("abe.fabeo22"),
                        SliceIdentifier.of("ese"));
        for (String shared : List.of("policy", "sharing", "kem")) {
            assertThat(ENGINE.containPackage("dev.veilgate.abe." + shared))
                    .as("abe." + shared)
                    .isTrue();
        }
    }

    @Test
    void packagesFormNoCycle() {
        holds(slices().matching("dev.veilgate.(**)")
                .should()
                .beFreeOfCycles()
                .because("packages in a cycle are one package that is hard to read"));
    }

    /** No framework and no logging, whatever their names: each library that is used is here. */
    @Test
    void dependsOnTheseLibrariesOnly() {
        holds(classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(LIBRARIES)
                .because("the engine is a library for whatever the application around it is made of"));
        for (String library : LIBRARIES) {
            assertThat(ENGINE.stream()
                            .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                            .anyMatch(dependency -> resideInAPackage(library).test(dependency.getTargetClass())))
                    .as(library + " is used")
                    .isTrue();
        }
    }

    @Test
    void noLogging() {
        holds(noClasses()
                .should()
                .dependOnClassesThat(describe(
                                "are of java.util.logging",
                                (JavaClass type) -> type.getPackageName().equals(Logger.class.getPackageName()))
                        .or(assignableTo(System.Logger.class)))
                .because("code that never logs never logs a key or a keyword"));
    }

    @Test
    void noPredictableRandomness() {
        holds(noClasses()
                .should()
                .dependOnClassesThat(belongToAnyOf(
                        Random.class, ThreadLocalRandom.class, SplittableRandom.class, RandomGeneratorFactory.class))
                .orShould()
                .accessTargetWhere(methods(List.of("of", "getDefault"), RandomGenerator.class))
                .orShould()
                .accessTargetWhere(methods(List.of("random"), Math.class, StrictMath.class))
                .orShould()
                .accessTargetWhere(methods(List.of("shuffle"), Collections.class))
                .because("keys and ciphertexts are drawn from the injected source of dev.veilgate.random only"));
    }

    @Test
    void floatingPointIsBitIdenticalEverywhere() {
        holds(
                noClasses()
                        .should()
                        .accessTargetWhere(methods(
                                List.of(
                                        "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh",
                                        "exp", "expm1", "log", "log10", "log1p", "pow", "cbrt", "hypot"),
                                Math.class))
                        .because(
                                "Math may differ in the last bit between interpreter, compilers and machines; StrictMath never"));
    }

    @Test
    void packagesAreNullMarked() {
        all(packages())
                .should(beNullMarked())
                .because("null is a value only where @Nullable says so")
                .check(ENGINE);
    }

    private static void holds(ArchRule rule) {
        RuleNames.requireExisting(rule);
        rule.check(ENGINE);
    }

    /** Calls and method references (Math::sin) alike; each owner has one of the methods, and each method an owner. */
    private static DescribedPredicate<JavaAccess<?>> methods(List<String> names, Class<?>... owners) {
        Set<String> had = new HashSet<>();
        for (Class<?> owner : owners) {
            List<String> own =
                    Arrays.stream(owner.getMethods()).map(Method::getName).toList();
            assertThat(own).containsAnyElementsOf(names);
            had.addAll(own);
        }
        assertThat(had).containsAll(names);
        Set<String> ownerNames = Set.of(owners).stream().map(Class::getName).collect(Collectors.toSet());
        return describe(
                "it is one of " + names + " of " + ownerNames,
                access -> ownerNames.contains(access.getTargetOwner().getName())
                        && names.contains(access.getTarget().getName()));
    }

    private static ClassesTransformer<JavaPackage> packages() {
        return new AbstractClassesTransformer<>("packages") {
            @Override
            public Iterable<JavaPackage> doTransform(JavaClasses classes) {
                return classes.stream()
                        .map(JavaClass::getPackage)
                        .filter(p -> !p.getName().isEmpty()) // that of module-info
                        .collect(Collectors.toSet());
            }
        };
    }

    private static ArchCondition<JavaPackage> beNullMarked() {
        return new ArchCondition<>("have a package-info annotated @NullMarked") {
            @Override
            public void check(JavaPackage p, ConditionEvents events) {
                if (!p.isAnnotatedWith(NullMarked.class)) {
                    events.add(SimpleConditionEvent.violated(p, p.getName() + " is not @NullMarked"));
                }
            }
        };
    }

    /** One slice a scheme; packages that several schemes may share (abe.policy, abe.sharing, abe.kem, abe.cp itself) are in none. */
    private static final class ByScheme implements SliceAssignment {

        private static final Pattern SCHEME = Pattern.compile("""
                dev\\.veilgate\\.(\
                peks\\.(?:lattice|pairing)\\.\\w+\
                |abe\\.(?:cp|kp|ks)\\.\\w+\
                |abe\\.(?!(?:cp|kp|ks|policy|sharing|kem)\\b)\\w+\
                |ese\
                )(?:\\..*)?""");

        @Override
        public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
            Matcher matcher = SCHEME.matcher(javaClass.getPackageName());
            return matcher.matches() ? SliceIdentifier.of(matcher.group(1)) : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
            return "schemes";
        }
    }
}
