package dev.veilgate.benchmarks.gateway;

import dev.veilgate.files.DurableFiles;
import dev.veilgate.testing.ProcessLock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * A copy of an installed service with an archive of its classes, as packages and images have one: a start takes half
 * the processor time. Tests start services many times; the build's own folder is left as it was built, since packages
 * and images are made of it.
 */
final class ArchivedService {
    /** System property with the folder of copies. Without it services start as they were built, as for figures. */
    static final String PROPERTY = "veilgate.archived-services";

    private static final Map<Path, Path> MADE = new ConcurrentHashMap<>();

    private ArchivedService() {}

    /** The launcher of the copy, made where there is none of this build; without the property, the launcher itself. */
    static Path launcher(Path built) {
        String folder = System.getProperty(PROPERTY);
        return folder == null ? built : MADE.computeIfAbsent(built, launcher -> copy(launcher, Path.of(folder)));
    }

    private static Path copy(Path launcher, Path folder) {
        Path home = DurableFiles.folderOf(launcher);
        Path copy = folder.toAbsolutePath().resolve(home.getFileName());
        Path same = copy.resolve(launcher.getFileName());
        try (ProcessLock _ = ProcessLock.take(copy.resolveSibling(home.getFileName() + ".lock"))) {
            Path complete = copy.resolve("complete");
            if (!Files.exists(complete) || isChangedSince(home, Files.getLastModifiedTime(complete))) {
                remove(copy);
                link(home, copy);
                makeArchive(same);
                Files.createFile(complete);
            }
            return same;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static boolean isChangedSince(Path home, FileTime time) throws IOException {
        for (Path file : under(home)) {
            if (Files.getLastModifiedTime(file).compareTo(time) > 0) {
                return true;
            }
        }
        return false;
    }

    /** Jars are the same files: Java knows them by size and time. */
    private static void link(Path home, Path copy) throws IOException {
        for (Path file : under(home)) {
            Path to = copy.resolve(home.relativize(file).toString());
            if (Files.isDirectory(file)) {
                Files.createDirectories(to);
            } else if (!file.toString().endsWith(".jsa")) {
                Files.createLink(to, file);
            }
        }
    }

    private static void makeArchive(Path launcher) throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(List.of("sh", launcher.toString(), "make-archive")).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException(launcher + " makes no archive: " + said);
        }
    }

    private static void remove(Path folder) throws IOException {
        if (Files.exists(folder)) {
            for (Path file : under(folder).reversed()) {
                Files.delete(file);
            }
        }
    }

    /** Folders before what is in them. */
    private static List<Path> under(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.sorted(Comparator.naturalOrder()).toList();
        }
    }
}
