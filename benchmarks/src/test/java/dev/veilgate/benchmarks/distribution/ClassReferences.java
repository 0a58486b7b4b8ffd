package dev.veilgate.benchmarks.distribution;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * Which classes refer to which, in the jars of a program: what a class may load when it runs, but for names that
 * it makes itself.
 */
final class ClassReferences {
    private final Map<String, Set<String>> byClass = new HashMap<>();

    private final Map<String, SortedSet<String>> marked = new HashMap<>();

    private ClassReferences() {}

    static ClassReferences of(Distribution distribution) throws IOException {
        ClassReferences references = new ClassReferences();
        for (String name : distribution.jars()) {
            try (JarFile jar = new JarFile(distribution.jar(name))) {
                for (JarEntry entry : jar.stream().toList()) {
                    if (entry.getName().endsWith(".class") && !entry.getName().startsWith("META-INF/")) {
                        try (InputStream in = jar.getInputStream(entry)) {
                            references.read(entry.getName().replaceFirst("\\.class$", ""), in.readAllBytes());
                        }
                    }
                }
            }
        }
        return references;
    }

    private void read(String name, byte[] bytes) {
        Set<String> to = new TreeSet<>();
        ClassModel parsed = ClassFile.of().parse(bytes);
        parsed.findAttribute(Attributes.runtimeInvisibleAnnotations())
                .ifPresent(marks -> marks.annotations()
                        .forEach(mark -> marked.computeIfAbsent(mark.className().stringValue(), _ -> new TreeSet<>())
                                .add(name)));
        for (PoolEntry entry : parsed.constantPool()) {
            if (entry instanceof ClassEntry reference) {
                String type = reference.asInternalName().replaceFirst("^\\[+", "");
                if (type.endsWith(";")) {
                    to.add(type.substring(1, type.length() - 1));
                } else if (type.length() > 1) { // not an array of a primitive type
                    to.add(type);
                }
            }
        }
        byClass.put(name, to);
    }

    /** The names of all classes, as {@code dev/veilgate/agent/Agent}. */
    Set<String> classes() {
        return byClass.keySet();
    }

    /** The classes with an annotation, whose descriptor is such as {@code Ldev/veilgate/secret/Secret;}. */
    SortedSet<String> marked(String annotation) {
        return marked.getOrDefault(annotation, new TreeSet<>());
    }

    /** Finds these classes and all that they lead to, over classes that {@code followed} holds for. */
    Set<String> reachable(Collection<String> from, Predicate<String> followed) {
        Set<String> reached = new TreeSet<>(from);
        Deque<String> next = new ArrayDeque<>(from);
        while (!next.isEmpty()) {
            for (String to : byClass.getOrDefault(next.remove(), Set.of())) {
                if (followed.test(to) && reached.add(to)) {
                    next.add(to);
                }
            }
        }
        return reached;
    }

    /** Finds what these classes refer to and neither the program nor the JDK has, by the class that does. */
    Map<String, Set<String>> missing(Collection<String> from) {
        Map<String, Set<String>> missing = new TreeMap<>();
        for (String user : from) {
            for (String to : byClass.getOrDefault(user, Set.of())) {
                boolean there = byClass.containsKey(to)
                        || ClassLoader.getPlatformClassLoader().getResource(to + ".class") != null;
                if (!there) {
                    missing.computeIfAbsent(user, _ -> new TreeSet<>()).add(to);
                }
            }
        }
        return missing;
    }
}
