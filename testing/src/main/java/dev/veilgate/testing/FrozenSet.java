package dev.veilgate.testing;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Data that an earlier version wrote, byte for byte, in the folder {@code frozen} of a module's test resources; its
 * SOURCE.md says how. It stays readable for ever, and is never made again: a version that writes something new gets
 * another set beside it.
 *
 * @param name the commit of the version, with a folder of the set behind it if the set has several
 * @param now  soon after the set was made: bundles and approvals, which have an end, are valid then
 */
public record FrozenSet(String name, Instant now) {
    /** A set, and the time of {@link #now} as ISO 8601 writes it. */
    public FrozenSet(String name, String now) {
        this(name, Instant.parse(now));
    }

    /** A file or folder of the set. */
    public Path path(String file) {
        URL found = Objects.requireNonNull(
                FrozenSet.class.getClassLoader().getResource("frozen/" + name + "/" + file),
                () -> "the frozen set " + name + " has no " + file);
        try {
            return Path.of(found.toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The content of a file of the set. */
    public byte[] bytes(String file) throws IOException {
        return Files.readAllBytes(path(file));
    }

    /** The content of a file of the set, which is text. */
    public String text(String file) throws IOException {
        return Files.readString(path(file), StandardCharsets.UTF_8);
    }

    /** Names of the files and folders in a folder of the set, sorted, without what is behind their last point. */
    public List<String> names(String folder) throws IOException {
        try (Stream<Path> files = Files.list(path(folder))) {
            return files.map(file -> file.getFileName().toString().replaceFirst("\\.[^.]*$", ""))
                    .sorted()
                    .toList();
        }
    }

    /** Copies a file or folder of the set, since what opens it may change it; the copy, which has the same name. */
    public Path copy(String file, Path parent) throws IOException {
        Path from = path(file);
        Path to = parent.resolve(from.getFileName().toString());
        List<Path> all;
        try (Stream<Path> walk = Files.walk(from)) {
            all = walk.toList();
        }
        for (Path each : all) {
            Files.copy(each, to.resolve(from.relativize(each).toString()));
        }
        return to;
    }

    /** The name, by which tests of several sets are told apart. */
    @Override
    public String toString() {
        return name;
    }
}
