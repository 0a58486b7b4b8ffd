package dev.veilgate.testing;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * Classes of a program that tests start again and again, kept as the JVM has them in memory, loaded and linked (JEP 483): a start maps them instead of reading and checking thousands of them.
 *
 * <p>The archive belongs to one class path to the byte (names, sizes and times of all files) and one Java. The JVM takes classes of jars only, so that folders of the class path
 * are packed. Test JVMs that start at the same time make it once.
 */
public final class ClassArchive {
    private ClassArchive() {}

    /** A run of the program that loads what others will load. */
    @FunctionalInterface
    public interface Training {
        /**
         * Starts the program, and ends it as its user would; a killed one leaves no archive.
         *
         * @param options of Java, with the class path
         */
        void run(List<String> options) throws IOException, InterruptedException;
    }

    /**
     * What Java is started with: the class path and the archive, which is made first if it is not there. The class path alone where Java makes none.
     *
     * @param folder of this program's archives; what is in it for an older class path goes
     * @param classPath as in {@code java.class.path}
     */
    public static List<String> options(Path folder, String classPath, Training training)
            throws IOException, InterruptedException {
        Path home = folder.toAbsolutePath();
        try (ProcessLock _ = ProcessLock.take(home.resolve("lock"))) {
            List<Path> entries = entries(classPath);
            Path current = home.resolve(fingerprint(entries));
            Path archive = current.resolve("classes.aot");
            Path none = current.resolve("none");
            if (!Files.exists(archive) && !Files.exists(none)) {
                removeOthers(home);
                Files.createDirectories(current);
                pack(entries, current);
                Path made = current.resolve("made");
                training.run(List.of(
                        "-XX:AOTCacheOutput=" + made, "-Xlog:aot=error,cds=error", "-cp", jars(entries, current)));
                if (Files.exists(made)) {
                    Files.move(made, archive, StandardCopyOption.ATOMIC_MOVE);
                } else { // a Java without a base archive, a full disk: the training run said so
                    System.err.println("no archive of classes was made: starts take longer");
                    Files.createFile(none);
                }
            }
            return Files.exists(none)
                    ? List.of("-cp", jars(entries, current))
                    : List.of("-XX:AOTCache=" + archive, "-Xlog:aot=off,cds=off", "-cp", jars(entries, current));
        }
    }

    private static List<Path> entries(String classPath) {
        return Stream.of(classPath.split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath())
                .filter(Files::exists)
                .toList();
    }

    private static Path jar(int index, Path entry, Path current) {
        return Files.isDirectory(entry) ? current.resolve(index + ".jar") : entry;
    }

    private static String jars(List<Path> entries, Path current) {
        List<String> jars = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            jars.add(jar(i, entries.get(i), current).toString());
        }
        return String.join(File.pathSeparator, jars);
    }

    private static void pack(List<Path> entries, Path current) {
        ToolProvider tool = ToolProvider.findFirst("jar").orElseThrow();
        for (int i = 0; i < entries.size(); i++) {
            Path entry = entries.get(i);
            if (Files.isDirectory(entry)) {
                String jar = jar(i, entry, current).toString();
                if (tool.run(System.out, System.err, "--create", "--file", jar, "-C", entry.toString(), ".") != 0) {
                    throw new AssertionError("could not pack " + entry);
                }
            }
        }
    }

    private static String fingerprint(List<Path> entries) throws IOException {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
        digest.update(Runtime.version().toString().getBytes(StandardCharsets.UTF_8));
        for (Path entry : entries) {
            for (Path file : under(entry)) {
                BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
                String line = "\n" + file + " " + attributes.size() + " " + attributes.lastModifiedTime();
                digest.update(line.getBytes(StandardCharsets.UTF_8));
            }
        }
        return HexFormat.of().formatHex(digest.digest(), 0, 8);
    }

    private static void removeOthers(Path home) throws IOException {
        for (Path file : under(home).reversed()) {
            if (!file.equals(home) && !file.equals(home.resolve("lock"))) {
                Files.delete(file);
            }
        }
    }

    /** The file, or all of a folder, folders before what is in them. */
    private static List<Path> under(Path entry) throws IOException {
        try (Stream<Path> files = Files.walk(entry)) {
            return files.sorted(Comparator.naturalOrder()).toList();
        }
    }
}
