package dev.veilgate.peks;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bouncycastle.math.ec.rfc8032.Ed25519;

/** Another Java process with the engine and its tests on the class path: to be killed, or to compete with. */
public final class ChildJvm {
    private ChildJvm() {}

    /** Starts {@code main} of a class; errors go to this process's. */
    public static Process start(Path workingDirectory, Class<?> main, String... arguments) throws IOException {
        String classPath = Stream.of(IndexBlock.class, ChildJvm.class, Ed25519.class)
                .map(c -> classes(c).toString())
                .collect(Collectors.joining(System.getProperty("path.separator")));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-cp",
                classPath,
                main.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .directory(workingDirectory.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static Path classes(Class<?> c) {
        try {
            return Path.of(c.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
