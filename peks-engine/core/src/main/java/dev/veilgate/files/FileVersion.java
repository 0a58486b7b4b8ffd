package dev.veilgate.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * What a file was when somebody looked at it: who reads it again when it changes compares this with another look. A file that took another's place differs also within a tick of the file
 * system's clock, where the file system tells which file it is; one that was written in place, with as many bytes and within a tick, does not.
 *
 * @param modified time of the last change
 * @param size     in bytes
 * @param file     which file it is, where the file system tells
 */
public record FileVersion(
        FileTime modified, long size, @Nullable Object file) {
    /**
     * Looks. Do so before the file is read: a change meanwhile is seen at the next look.
     *
     * @throws IOException if there is no such file, or it cannot be looked at
     */
    public static FileVersion of(Path path) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
        return new FileVersion(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
    }
}
