package dev.veilgate.cli;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

/** Adds sizes of files, to say how far work on them is. */
final class FileSizes {
    private FileSizes() {}

    /** Bytes of files, and of all files in folders; what cannot be read counts as none. */
    static long of(List<Path> paths) {
        long[] bytes = new long[1];
        for (Path path : paths) {
            try {
                Files.walkFileTree(path, new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        bytes[0] += attributes.isRegularFile() ? attributes.size() : 0;
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException e) {
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(Path folder, IOException e) {
                        return FileVisitResult.CONTINUE;
                    }
                });
            } catch (IOException e) {
                continue;
            }
        }
        return bytes[0];
    }
}
