package dev.veilgate;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.all;
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
import com.tngtech.archunit.lang.AbstractClassesTransformer;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ClassesTransformer;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.Collections;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
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
        "dev.veilgate.peks.lattice..",
        "dev.veilgate.peks.pairing..",
        "dev.veilgate.abe..",
        "dev.veilgate.sse..",
        "dev.veilgate.ese.."
    };

    private static final JavaClasses ENGINE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(place -> !place.contains("/testing/target/") && !place.contains("veilgate-testing")) // a module of tests
            .importPackages("dev.veilgate");

    /** ArchUnit skips class files that it cannot read, and every rule holds of no classes. */
    @Test
    void classesOfTheEngineAreRead() {
        assertThat(ENGINE).isNotEmpty();
    }

    @Test
    void contractNamesNoScheme() {
        noClasses()
                .that()
                .resideInAPackage("dev.veilgate.peks")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(SCHEMES)
                .because("schemes register by ServiceLoader: a new one must not touch the contract of all")
                .allowEmptyShould(true)
                .check(ENGINE);
    }

    @Test
    void mathematicsAndRandomnessKnowNoScheme() {
        noClasses()
                .that()
                .resideInAnyPackage("dev.veilgate.math..", "dev.veilgate.random..")
                .should()
                .dependOnClassesThat(resideInAnyPackage(SCHEMES).or(resideInAnyPackage("dev.veilgate.peks..")))
                .because("they are the ground that every scheme stands on, and are reviewed and tested alone")
                .allowEmptyShould(true)
                .check(ENGINE);
    }

    @Test
    void schemesDoNotDependOnEachOther() {
        slices().assignedFrom(new ByScheme())
                .should()
                .notDependOnEachOther()
                .because("a scheme must be readable against its paper, and removable, alone")
                .allowEmptyShould(true)
                .check(ENGINE);
    }

    @Test
    void packagesFormNoCycle() {
        slices().matching("dev.veilgate.(**)")
                .should()
                .beFreeOfCycles()
                .because("packages in a cycle are one package that is hard to read")
                .allowEmptyShould(true)
                .check(ENGINE);
    }

    @Test
    void noFrameworks() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.springframework..", "com.fasterxml.jackson..", "tools.jackson..")
                .because("the engine is a library for whatever the application around it is made of")
                .allowEmptyShould(true)
                .check(ENGINE);
    }

    @Test
    void noLogging() {
        noClasses()
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                                "java.util.logging..",
                                "org.slf4j..",
                                "ch.qos.logback..",
                                "org.apache.logging..",
                                "org.apache.log4j..",
                                "org.apache.commons.logging..",
                                "org.jboss.logging..")
                        .or(assignableTo(System.Logger.class)))
                .because("code that never logs never logs a key or a keyword")
                .allowEmptyShould(true)
                .check(ENGINE);
    }

    @Test
    void noPredictableRandomness() {
        noClasses()
                .should()
                .dependOnClassesThat(belongToAnyOf(
                        Random.class, ThreadLocalRandom.class, SplittableRandom.class, RandomGeneratorFactory.class))
                .orShould()
                .accessTargetWhere(method("of|getDefault", RandomGenerator.class))
                .orShould()
                .accessTargetWhere(method("random", Math.class, StrictMath.class))
                .orShould()
                .accessTargetWhere(method("shuffle", Collections.class))
                .because("keys and ciphertexts are drawn from the injected source of dev.veilgate.random only")
                .allowEmptyShould(true)
                .check(ENGINE);
    }

    @Test
    void floatingPointIsBitIdenticalEverywhere() {
        noClasses()
                .should()
                .accessTargetWhere(
                        method("a?(sin|cos|tan)h?|atan2|exp|expm1|log|log10|log1p|pow|cbrt|hypot", Math.class))
                .because(
                        "Math may differ in the last bit between interpreter, compilers and machines; StrictMath never")
                .allowEmptyShould(true)
                .check(ENGINE);
    }

    @Test
    void packagesAreNullMarked() {
        all(packages())
                .should(beNullMarked())
                .because("null is a value only where @Nullable says so")
                .allowEmptyShould(true)
                .check(ENGINE);
    }

    /** Calls and method references (Math::sin) alike. */
    private static DescribedPredicate<JavaAccess<?>> method(String name, Class<?>... owners) {
        Pattern names = Pattern.compile(name);
        Set<String> ownerNames = Set.of(owners).stream().map(Class::getName).collect(Collectors.toSet());
        return describe(
                "it is " + name + " of " + ownerNames,
                access -> ownerNames.contains(access.getTargetOwner().getName())
                        && names.matcher(access.getTarget().getName()).matches());
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
                |sse\\.\\w+\
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
