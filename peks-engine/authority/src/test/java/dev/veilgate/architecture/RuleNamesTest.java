package dev.veilgate.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

class RuleNamesTest {
    private static final ArchRule LIVE = noClasses()
            .that()
            .resideOutsideOfPackages("..ese..", "dev.veilgate.peks")
            .should()
            .dependOnClassesThat(resideInAPackage("dev.veilgate.abe..").or(resideInAPackage("org.bouncycastle..")))
            .because("'dev.veilgate.reasons..' are not looked at");

    @Test
    void findsEachNameOfARule() {
        assertThat(RuleNames.names(LIVE))
                .containsExactly("..ese..", "dev.veilgate.peks", "dev.veilgate.abe..", "org.bouncycastle..");
        assertThat(RuleNames.names(
                        slices().matching("dev.veilgate.(**)").should().beFreeOfCycles()))
                .containsExactly("dev.veilgate.(**)");
        assertThat(RuleNames.dead(LIVE)).isEmpty();
        ArchRule named = noClasses()
                .should()
                .dependOnClassesThat(RuleNames.named("dev.veilgate.peks.IndexScheme", "dev.veilgate.peks.Gone"));
        assertThat(RuleNames.dead(named)).containsExactly("dev.veilgate.peks.Gone");
    }

    @Test
    void refusesARuleThatNamesWhatIsGone() {
        for (ArchRule rule : new ArchRule[] {
            noClasses()
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage("dev.veilgate.peks..", "dev.veilgate.nothing.."),
            noClasses()
                    .that()
                    .resideInAPackage("dev.veilgate.nothing..")
                    .should()
                    .bePublic(),
            noClasses()
                    .that(resideOutsideOfPackages("..peks..", "dev.veilgate.nothing.."))
                    .should()
                    .bePublic(),
            noClasses().should().haveFullyQualifiedName("dev.veilgate.nothing.."),
        }) {
            assertThat(RuleNames.dead(rule)).containsExactly("dev.veilgate.nothing..");
            assertThatThrownBy(() -> RuleNames.requireExisting(rule))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("dev.veilgate.nothing..");
        }
    }

    /** Part of one may be dead. */
    @Test
    void refusesExpressionsOverNames() {
        ArchRule rule = noClasses().should().dependOnClassesThat(nameMatching(".*\\.(IndexScheme|Gone)"));
        assertThat(RuleNames.dead(rule)).containsExactly(".*\\.(IndexScheme|Gone)");
    }

    static final class OneDead {
        static final ArchRule GOOD = LIVE;
        static final ArchRule BAD = noClasses().should().dependOnClassesThat().resideInAPackage("dev.veilgate.gone..");
    }

    static final class NoRule {}

    @Test
    void looksAtAllRulesOfATest() {
        assertThatThrownBy(() -> RuleNames.requireExisting(OneDead.class))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("dev.veilgate.gone..");
        assertThatThrownBy(() -> RuleNames.requireExisting(NoRule.class)).isInstanceOf(AssertionError.class);
    }
}
