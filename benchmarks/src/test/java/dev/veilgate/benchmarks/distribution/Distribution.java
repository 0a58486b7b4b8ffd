package dev.veilgate.benchmarks.distribution;

import dev.veilgate.benchmarks.gateway.Programs;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/** A program as it is installed: a launcher, and the jars on its class path. */
enum Distribution {
    COMMAND("veilgate", Programs.command()),
    EDGE("veilgate-edge", Programs.edge()),
    EDGE_WITH_MAIL("veilgate-edge-mail", Programs.mail()),
    GATEWAY("veilgate-gateway", Programs.builtGateway()),
    CONSOLE("veilgate-console", Programs.builtConsole());

    private final String name;
    private final Path launcher;
    private final Path folder;

    Distribution(String name, String launcher) {
        this.name = name;
        this.launcher = Path.of(launcher);
        this.folder = this.launcher.resolveSibling("lib");
    }

    Path launcher() {
        return launcher;
    }

    /** A file beside its launcher. */
    Path file(String name) {
        return launcher.resolveSibling(name);
    }

    /** The names of all jars in its folder, as {@code name-1.2.jar}. */
    SortedSet<String> jars() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            TreeSet<String> names = new TreeSet<>();
            files.forEach(file -> names.add(file.getFileName().toString()));
            return names;
        }
    }

    File jar(String name) {
        return folder.resolve(name).toFile();
    }

    /** The names of the jars that its launcher loads. */
    SortedSet<String> classPath() throws IOException {
        String main = launcher.getFileName() + ".jar";
        try (JarFile jar = new JarFile(jar(main))) {
            TreeSet<String> names = new TreeSet<>(List.of(main));
            names.addAll(List.of(jar.getManifest()
                    .getMainAttributes()
                    .getValue(Attributes.Name.CLASS_PATH)
                    .split(" ")));
            return names;
        }
    }

    /** The names of all entries of its jars. */
    SortedSet<String> entries() throws IOException {
        TreeSet<String> names = new TreeSet<>();
        for (String name : jars()) {
            try (JarFile jar = new JarFile(jar(name))) {
                jar.stream().map(JarEntry::getName).forEach(names::add);
            }
        }
        return names;
    }

    /** The lines of the entries of this name in all its jars. */
    List<String> lines(String entry) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String name : jars()) {
            try (JarFile jar = new JarFile(jar(name))) {
                JarEntry found = jar.getJarEntry(entry);
                if (found != null) {
                    lines.addAll(new String(jar.getInputStream(found).readAllBytes(), StandardCharsets.UTF_8)
                            .lines()
                            .toList());
                }
            }
        }
        return lines;
    }

    /** The names of the jars that it may have, without versions. */
    SortedSet<String> pinned() {
        String list = "/distributions/" + name + ".txt";
        try (InputStream in = Distribution.class.getResourceAsStream(list)) {
            if (in == null) {
                throw new IllegalStateException("no resource " + list);
            }
            return new TreeSet<>(new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))
                    .lines()
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Without its version, so that an update of a library is no new jar. */
    static String artifact(String jar) {
        return jar.replaceFirst("(-\\d[^/]*)?\\.jar$", "");
    }

    long bytes() throws IOException {
        long bytes = 0;
        for (String jar : jars()) {
            bytes += Files.size(folder.resolve(jar));
        }
        return bytes;
    }

    @Override
    public String toString() {
        return name;
    }
}
