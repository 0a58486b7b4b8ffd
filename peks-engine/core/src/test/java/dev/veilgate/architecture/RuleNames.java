package dev.veilgate.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.PackageMatcher;
import com.tngtech.archunit.lang.ArchRule;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The packages and classes that a rule of architecture names, which must exist: a rule against a package that is gone holds of everything, and so does one with a slip in a name.
 *
 * <p>They are read from the rule's description, where ArchUnit quotes them. Each is a package, with or without dots at its ends, or a class by its full name; no other pattern is known, for a part of one
 * could be dead unseen. A library exists if something of this repository uses it.
 */
public final class RuleNames {
    private static final Pattern QUOTED = Pattern.compile("'([^' ,]+)'");
    private static final String REASON = ", because ";

    private RuleNames() {}

    /** Classes of these full names, as a rule must say it. */
    public static DescribedPredicate<JavaClass> named(String... names) {
        Set<String> all = Set.of(names);
        return describe(
                Stream.of(names).map(name -> "'" + name + "'").collect(Collectors.joining(", ", "are one of ", "")),
                type -> all.contains(type.getName()));
    }

    /** Fails unless all exist that a rule names. */
    public static void requireExisting(ArchRule rule) {
        assertThat(dead(rule))
                .as("names without a package or class, in: %s", rule.getDescription())
                .isEmpty();
    }

    /** Fails unless all exist that the rules in a test's static fields name, or if there are no rules. */
    public static void requireExisting(Class<?> test) {
        List<ArchRule> rules = Arrays.stream(test.getDeclaredFields())
                .filter(field -> Modifier.isStatic(field.getModifiers()))
                .filter(field -> ArchRule.class.isAssignableFrom(field.getType()))
                .map(RuleNames::rule)
                .toList();
        assertThat(rules.stream().flatMap(rule -> names(rule).stream()))
                .as("names in rules of %s", test)
                .isNotEmpty();
        rules.forEach(RuleNames::requireExisting);
    }

    private static ArchRule rule(Field field) {
        try {
            field.setAccessible(true);
            return (ArchRule) field.get(null);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    /** Names of the rule that nothing has. */
    static List<String> dead(ArchRule rule) {
        return names(rule).stream().filter(name -> !exists(name)).toList();
    }

    static List<String> names(ArchRule rule) {
        String description = rule.getDescription();
        int reason = description.indexOf(REASON);
        Matcher quoted = QUOTED.matcher(reason < 0 ? description : description.substring(0, reason));
        List<String> names = new ArrayList<>();
        while (quoted.find()) {
            names.add(quoted.group(1));
        }
        return names;
    }

    private static boolean exists(String name) {
        Stream<JavaClass> classes = ClassPath.classesAndLibraries().stream();
        if (!name.matches("[\\w.()*]+")) {
            return false;
        }
        PackageMatcher asPackage = PackageMatcher.of(name);
        return classes.anyMatch(type -> type.getName().equals(name) || asPackage.matches(type.getPackageName()));
    }
}
