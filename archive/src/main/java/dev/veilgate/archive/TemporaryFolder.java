package dev.veilgate.archive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * A folder on the disk of this device, readable by its user only, that is removed with what is in it. What merges write
 * there is sealed under a random key.
 */
record TemporaryFolder(Path path) implements AutoCloseable {
    static TemporaryFolder create() throws IOException {
        return new TemporaryFolder(Files.createTempDirectory("veilgate-merge-"));
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> left = Files.list(path)) {
            for (Path each : left.toList()) {
                Files.delete(each);
            }
        }
        Files.delete(path);
    }
}
