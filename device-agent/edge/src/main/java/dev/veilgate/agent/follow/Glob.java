package dev.veilgate.agent.follow;

import dev.veilgate.files.DurableFiles;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/** A pattern of absolute paths. Only folders below its fixed beginning are looked into, and only as deep as it goes. */
final class Glob {
    private static final int DEEPEST = 32;
    /** By so many names a folder is gone through: links lead to it by as many as their makers like. */
    private static final int MOST_NAMES_OF_A_FOLDER = 8;

    private final Path root;
    private final int depth;
    private final boolean fixed;
    private final PathMatcher matcher;

    Glob(String pattern) {
        String[] names = pattern.split("/", -1);
        int plain = 0;
        while (plain < names.length && !isPattern(names[plain])) {
            plain++;
        }
        fixed = plain == names.length;
        root = fixed ? Path.of(pattern) : Path.of("/", java.util.Arrays.copyOf(names, plain));
        depth = pattern.contains("**") ? DEEPEST : Math.max(1, names.length - plain);
        matcher = FileSystems.getDefault().getPathMatcher("glob:" + (fixed ? escaped(pattern) : pattern));
    }

    private static boolean isPattern(String name) {
        return name.chars().anyMatch(c -> "*?[{\\".indexOf(c) >= 0);
    }

    private static String escaped(String pattern) {
        return pattern.replaceAll("([\\]}])", "\\\\$1");
    }

    boolean matches(Path path) {
        return fixed ? root.equals(path) : matcher.matches(path);
    }

    /** The folder in which, or below which, matching files are. */
    Path folder() {
        return fixed ? DurableFiles.folderOf(root) : root;
    }

    /** Takes what matches. */
    interface Found {
        /** @param regular or else a pipe, a socket or a device */
        void take(Path path, boolean regular);

        /** Tells if files are looked for in the folder to which a link leads. */
        boolean mayEnter(Path link);
    }

    /** The matching files, by name. Folders that cannot be read are passed over. */
    void find(Found found) throws IOException {
        if (fixed) {
            try {
                BasicFileAttributes is = Files.readAttributes(root, BasicFileAttributes.class);
                if (is.isRegularFile() || is.isOther()) {
                    found.take(root, is.isRegularFile());
                }
            } catch (IOException e) {
                // not there, or not ours to see
            }
            return;
        }
        if (!Files.isDirectory(root)) {
            return;
        }
        SortedMap<Path, Boolean> sorted = new TreeMap<>();
        Map<Object, Integer> entered = new HashMap<>();
        Files.walkFileTree(root, EnumSet.of(FileVisitOption.FOLLOW_LINKS), depth, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                Object key = Objects.requireNonNullElse(attributes.fileKey(), folder);
                boolean tooOften = entered.merge(key, 1, Integer::sum) > MOST_NAMES_OF_A_FOLDER;
                boolean refused = !folder.equals(root) && Files.isSymbolicLink(folder) && !found.mayEnter(folder);
                return tooOften || refused ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                boolean is = attributes.isRegularFile() || attributes.isOther(); // no link that leads nowhere
                if (is && matcher.matches(file)) {
                    sorted.put(file, attributes.isRegularFile());
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
                return FileVisitResult.CONTINUE; // gone, not ours, or a loop of links
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, java.io.IOException e) {
                return FileVisitResult.CONTINUE;
            }
        });
        sorted.forEach(found::take);
    }
}
