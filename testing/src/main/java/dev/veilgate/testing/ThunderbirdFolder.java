package dev.veilgate.testing;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Where Thunderbird has its own NSS, the libraries that it opens mail with. */
public final class ThunderbirdFolder {
    /** Of Debian's package, and of the snap that Ubuntu has instead since 24.04. .mvn/test-tools.sh has the same. */
    private static final List<Path> USUAL =
            List.of(Path.of("/usr/lib/thunderbird"), Path.of("/snap/thunderbird/current/usr/lib/thunderbird"));

    private ThunderbirdFolder() {}

    /**
     * The folder of these libraries, for LD_LIBRARY_PATH: what the variable VEILGATE_THUNDERBIRD says, or else the first usual place that has them.
     *
     * @throws IllegalStateException if they are not there
     */
    public static Path find() {
        return find(Optional.ofNullable(System.getenv("VEILGATE_THUNDERBIRD")), USUAL);
    }

    static Path find(Optional<String> setting, List<Path> usual) {
        Stream<Path> places = setting.filter(path -> !path.isEmpty())
                .map(Path::of)
                .map(Stream::of)
                .orElseGet(usual::stream);
        return places.filter(folder -> Files.exists(folder.resolve("libnss3.so")))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("there are no libraries of Thunderbird"
                        + setting.map(path -> " in " + path).orElse("") + ": ./verify installs it or says how"));
    }
}
