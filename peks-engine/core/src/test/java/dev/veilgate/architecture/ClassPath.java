package dev.veilgate.architecture;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The classes of this repository that a test can see, those of tests left out. */
public final class ClassPath {
    private ClassPath() {}

    /** Those of all modules on the class path, from folders and from jars. */
    public static JavaClasses classes() {
        return Held.CLASSES;
    }

    /** Those and what they depend on, which may be of a library. */
    static Set<JavaClass> classesAndLibraries() {
        return Held.WITH_LIBRARIES;
    }

    private static final class Held {
        static final JavaClasses CLASSES = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .withImportOption(location -> !location.contains("-tests.jar"))
                .importPackages("dev.veilgate");
        static final Set<JavaClass> WITH_LIBRARIES = CLASSES.stream()
                .flatMap(type -> Stream.concat(
                        Stream.of(type),
                        type.getDirectDependenciesFromSelf().stream().map(Dependency::getTargetClass)))
                .map(JavaClass::getBaseComponentType)
                .collect(Collectors.toSet());
    }
}
