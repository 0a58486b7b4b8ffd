package dev.veilgate.archive.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/** Tells later if a file is another one, or was written, since a moment. */
final class FileStamp {
    private FileStamp() {}

    /** True as long as the file is as it is now; false if it cannot be looked at, now or then. */
    static BooleanSupplier of(Path file) {
        BasicFileAttributes then;
        try {
            then = Files.readAttributes(file, BasicFileAttributes.class);
        } catch (IOException e) {
            return () -> false;
        }
        return () -> {
            try {
                BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
                return now.size() == then.size()
                        && now.lastModifiedTime().equals(then.lastModifiedTime())
                        && Objects.equals(now.fileKey(), then.fileKey());
            } catch (IOException e) {
                return false;
            }
        };
    }
}
