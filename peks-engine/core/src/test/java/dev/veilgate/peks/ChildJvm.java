package dev.veilgate.peks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Another Java process with the class path of this one: to be killed, or to compete with. */
public final class ChildJvm {
    private ChildJvm() {}

    /** Starts {@code main} of a class; errors go to this process's. */
    public static Process start(Path workingDirectory, Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .directory(workingDirectory.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
