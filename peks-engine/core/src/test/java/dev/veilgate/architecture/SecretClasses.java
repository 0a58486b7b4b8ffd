package dev.veilgate.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.PackageMatcher;
import dev.veilgate.secret.Exercises;
import dev.veilgate.secret.Power;
import dev.veilgate.secret.Secret;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Classes marked {@link Secret}, methods marked {@link Exercises}, and who uses them. */
public final class SecretClasses {
    private SecretClasses() {}

    /**
     * A use of a secret class that is as it should be.
     *
     * @param users  identifier of the packages that may
     * @param secret the class that they may use
     * @param reason why
     */
    public record Allowed(String users, Class<?> secret, String reason) {
        boolean covers(JavaClass user, JavaClass used) {
            return PackageMatcher.of(users).matches(user.getPackageName())
                    && (used.isEquivalentTo(secret) || used.getName().startsWith(secret.getName() + "$"));
        }
    }

    /** Classes that carry the mark, or are nested in one that does. */
    public static DescribedPredicate<JavaClass> marked() {
        return describe("are marked @Secret", SecretClasses::isMarked);
    }

    static boolean isMarked(JavaClass type) {
        Optional<JavaClass> at = Optional.of(type.getBaseComponentType());
        while (at.isPresent()) {
            if (at.get().isAnnotatedWith(Secret.class)) {
                return true;
            }
            at = at.get().getEnclosingClass();
        }
        return false;
    }

    /** Fails if one of the classes uses a marked one, unless that is allowed; if something is allowed that none does; and for no classes. */
    public static void requireUnused(Iterable<JavaClass> users, Allowed... allowed) {
        assertThat(users).as("classes to look at").isNotEmpty();
        Set<String> forbidden = new LinkedHashSet<>();
        Set<Allowed> used = new LinkedHashSet<>();
        for (JavaClass user : users) {
            for (Dependency dependency : user.getDirectDependenciesFromSelf()) {
                JavaClass target = dependency.getTargetClass().getBaseComponentType();
                if (!isMarked(target)) {
                    continue;
                }
                List<Allowed> covering = Arrays.stream(allowed)
                        .filter(one -> one.covers(user, target))
                        .toList();
                used.addAll(covering);
                if (covering.isEmpty()) {
                    forbidden.add(dependency.getDescription());
                }
            }
        }
        assertThat(forbidden).as("uses of classes marked @Secret").isEmpty();
        List<Allowed> idle = new ArrayList<>(List.of(allowed));
        idle.removeAll(used);
        assertThat(idle).as("allowed, and not used").isEmpty();
    }

    /** Calls and references of methods that exercise one of these powers. */
    public static DescribedPredicate<JavaAccess<?>> exercising(Power... powers) {
        Set<Power> which = Set.of(powers);
        return describe(
                "the target exercises one of " + Arrays.toString(powers),
                access -> access.getTarget()
                        .isAnnotatedWith(describe(
                                "exercises",
                                annotation -> annotation.getRawType().isEquivalentTo(Exercises.class)
                                        && Arrays.stream(annotation
                                                        .as(Exercises.class)
                                                        .value())
                                                .anyMatch(which::contains))));
    }

    /** Fails unless each power is exercised by a method on the class path. */
    public static void requireEachPowerExercised() {
        Set<Power> exercised = new LinkedHashSet<>();
        for (JavaClass type : ClassPath.classes()) {
            type.getMethods().stream()
                    .flatMap(method -> method.tryGetAnnotationOfType(Exercises.class).stream())
                    .forEach(marked -> exercised.addAll(List.of(marked.value())));
        }
        assertThat(exercised).as("powers that a method exercises").containsExactlyInAnyOrder(Power.values());
    }
}
